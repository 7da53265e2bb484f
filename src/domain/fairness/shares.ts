/**
 * Shares a scarce resource, such as memory or connections, between networks, decides which of them must give
 * some up, and counts how many bytes a sender sent recently.
 */

/** A user of a part of the scarce resource, such as a connection. */
export interface Holder {
  /** The holder's networks, the widest first. */
  readonly path: readonly string[];
  /**
   * Returns how much progress the holder made recently, or null if it has progressed too far to give way.
   */
  progress(): number | null;
  /** Called when the holder has to give up everything that it holds. */
  giveWay(): void;
}

interface Network {
  held: number;
  readonly within: Map<string, Network>;
  readonly holders: Set<Holder>;
}

const emptyNetwork = (): Network => ({ held: 0, within: new Map(), holders: new Set() });

/**
 * The part of the capacity that is reserved for networks that hold less than `few`, so that they are served
 * however much the others take.
 */
export interface Reserve {
  readonly reserve: number;
  readonly few: number;
}

/** Returns the default reserve, which is half of the capacity. */
const reserveOf = (capacity: number): Reserve => ({
  reserve: capacity / 2,
  few: Math.ceil(capacity / 256),
});

/** Returns how much of the free part a network may still take. */
export const freeFor = (held: number, free: number, { reserve, few }: Reserve): number =>
  held < few ? free : free - reserve;

/**
 * Tracks how much of a scarce resource each network holds. Amounts that can be taken back are claimed: when
 * the resource is full, the largest network gives way, starting with the holder that has made the least
 * progress. A network that holds no more than an equal share gives way only if every holder in the larger
 * networks has progressed too far. Amounts that cannot be taken back are limited to the network's `room`.
 */
export function createShares(capacity: number, reserve: Partial<Reserve> = {}) {
  const kept = { ...reserveOf(capacity), ...reserve };
  const root = emptyNetwork();
  const amounts = new Map<Holder, number>();

  /** Adds an amount to each network of a path, and returns the narrowest of them. */
  function change(path: readonly string[], by: number): Network {
    root.held += by;
    let around = root;
    for (const name of path) {
      const network = around.within.get(name) ?? emptyNetwork();
      network.held += by;
      if (network.held > 0) around.within.set(name, network);
      else around.within.delete(name);
      around = network;
    }
    return around;
  }

  function release(holder: Holder): void {
    const amount = amounts.get(holder);
    if (amount === undefined) return;
    amounts.delete(holder);
    change(holder.path, -amount).holders.delete(holder);
  }

  /**
   * Adds to what a holder has, and makes others give way until there is enough. Returns false if the holder
   * itself would have to give way; it then keeps what it had.
   */
  function claim(holder: Holder, amount = 1): boolean {
    const before = amounts.get(holder) ?? 0;
    change(holder.path, amount).holders.add(holder);
    amounts.set(holder, before + amount);
    while (root.held > capacity) {
      const first = firstToGo(root)?.holder;
      if (first && first !== holder) {
        release(first);
        first.giveWay();
      } else {
        if (before === 0) release(holder);
        else {
          amounts.set(holder, before);
          change(holder.path, -amount);
        }
        return false;
      }
    }
    return true;
  }

  const heldBy = ([network = '']: readonly string[]) => root.within.get(network)?.held ?? 0;
  /**
   * Returns how much more a network may take.
   * @param free by default, the part that nobody holds
   */
  const room = (path: readonly string[], free = capacity - root.held): number =>
    freeFor(heldBy(path), free, kept);

  return {
    claim,
    release,
    room,
    /**
     * Takes an amount that cannot be taken back. Returns false if there is no room. If the amount takes the
     * network past `few`, it must leave the reserve free.
     */
    take(path: readonly string[], amount = 1): boolean {
      if (freeFor(heldBy(path) + amount - 1, capacity - root.held, kept) < amount) return false;
      change(path, amount);
      return true;
    },
    /** Adds an amount that was taken elsewhere, or subtracts one that is given back. */
    count: (path: readonly string[], by: number) => void change(path, by),
    held: () => root.held,
  };
}

export type Shares = ReturnType<typeof createShares>;

interface Candidate {
  readonly holder: Holder;
  readonly progress: number;
  /** Amount that the holder's network holds. */
  readonly size: number;
}

/**
 * Returns the holder that has to give way first. It is in the largest network within this one, and so on
 * down; on a tie, it is the one that has made the least progress.
 */
function firstToGo({ within, holders }: Network): Candidate | undefined {
  let first: Candidate | undefined;
  for (const holder of holders) {
    const progress = holder.progress();
    if (progress !== null && (!first || progress < first.progress))
      first = { holder, progress, size: 1 };
  }
  for (const network of within.values()) {
    const size = network.held;
    if (first && size < first.size) continue;
    const found = firstToGo(network);
    if (found && (!first || size > first.size || found.progress < first.progress))
      first = { ...found, size };
  }
  return first;
}

/**
 * Number of bytes that a new sender is assumed to have sent already. `FADING_MS` is how long sent bytes
 * count: two thirds of them fade within that time.
 */
const CREDIT = 2 ** 20;
const FADING_MS = 10_000;

/**
 * Counts how many bytes someone sent recently. All times are in milliseconds of a clock that never goes back.
 */
export function countRecentBytes(begunAt: number) {
  let sent = CREDIT;
  let at = begunAt;
  return {
    /**
     * Returns a number that is larger for senders of more recent bytes. It does not depend on when it is
     * read, because the bytes of all senders fade alike.
     */
    rank: (): number => Math.log(sent) + at / FADING_MS,
    add(bytes: number, now: number): void {
      sent = sent * Math.exp((at - now) / FADING_MS) + bytes;
      at = now;
    },
  };
}

export type RecentBytes = ReturnType<typeof countRecentBytes>;
