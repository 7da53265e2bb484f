/** Shares a scarce resource between networks, and decides who may take more of it and who gives way. */

/** Someone who holds a part of a scarce resource. */
export interface Holder {
  /** Its networks, the widest first. */
  readonly path: readonly string[];
  /** Returns how much progress it made recently, or null if it has progressed too far to give way. */
  progress(): number | null;
  /** Called when it gives way. It then holds nothing any more. */
  giveWay(): void;
}

interface Network {
  held: number;
  readonly within: Map<string, Network>;
  readonly holders: Set<Holder>;
}

const emptyNetwork = (): Network => ({ held: 0, within: new Map(), holders: new Set() });

/**
 * The part that is reserved for networks that hold little: however many others take all that they can get,
 * each of these is served.
 */
export interface Reserve {
  readonly reserve: number;
  readonly few: number;
}

/** Reserves half of the capacity. */
const reserveOf = (capacity: number): Reserve => ({
  reserve: capacity / 2,
  few: Math.ceil(capacity / 256),
});

/** Returns how much more a network may take of the part that is free. */
export const freeFor = (held: number, free: number, { reserve, few }: Reserve): number =>
  held < few ? free : free - reserve;

/**
 * Tracks a scarce resource, and how much of it each network holds. A part that can be taken back is claimed:
 * when the resource is full, the largest network gives way with the holder that has made the least progress.
 * A network that holds no more than its equal share gives way only if all that hold more have progressed too
 * far. If a part cannot be taken back, a network takes only as much as its `room`.
 */
export function createShares(capacity: number, reserve: Partial<Reserve> = {}) {
  const kept = { ...reserveOf(capacity), ...reserve };
  const root = emptyNetwork();
  const amounts = new Map<Holder, number>();

  /** Returns the narrowest network. */
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
   * Takes more, while others give way until there is enough. Returns false if the holder itself would have to
   * give way; it then keeps what it had.
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
  /** @param free by default, the part that nobody holds */
  const room = (path: readonly string[], free = capacity - root.held): number =>
    freeFor(heldBy(path), free, kept);

  return {
    claim,
    release,
    room,
    /**
     * Takes an amount that cannot be taken back. Returns false if there is no room. An amount that takes a
     * network past the limit for "little" counts as more.
     */
    take(path: readonly string[], amount = 1): boolean {
      if (freeFor(heldBy(path) + amount - 1, capacity - root.held, kept) < amount) return false;
      change(path, amount);
      return true;
    },
    /** Counts what was taken elsewhere or is given back. */
    count: (path: readonly string[], by: number) => void change(path, by),
    held: () => root.held,
  };
}

export type Shares = ReturnType<typeof createShares>;

interface Candidate {
  readonly holder: Holder;
  readonly progress: number;
  /** How much its network holds. */
  readonly size: number;
}

/**
 * Returns the first holder to give way: from the largest network within this one, and so on down; on a tie,
 * the one that has made the least progress.
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
 * Number of bytes that a newcomer is assumed to have sent, and how long sent bytes count, in milliseconds.
 * Two thirds of the bytes fade within that time.
 */
const CREDIT = 2 ** 20;
const FADING_MS = 10_000;

/** Counts how much someone sent recently, in bytes. All times are those of a clock that never goes back. */
export function countRecentBytes(begunAt: number) {
  let sent = CREDIT;
  let at = begunAt;
  const read = (now: number): number => sent * Math.exp((at - now) / FADING_MS);
  return {
    read,
    add(bytes: number, now: number): void {
      sent = read(now) + bytes;
      at = now;
    },
  };
}

export type RecentBytes = ReturnType<typeof countRecentBytes>;
