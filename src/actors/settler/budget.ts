/**
 * Who may have settlements under way, so that hostile payers cannot spend our gas for nothing. In
 * memory: a restart forgets it, and what it lets through then is bounded again within a few
 * transactions.
 */

/** Settlements at once of one payer or one kind of wallet that has always paid. */
const MOST_OPEN = 64;

/**
 * Plain accounts at once that never paid, when too many of theirs reverted: one alone would have
 * honest buyers wait for a block each, behind those that take their money back meanwhile.
 */
const MOST_PLAIN = 8;

/** A revert is forgotten after this long, in milliseconds. */
const MEMORY_MS = 3_600_000;

/** How long nothing is tried after a revert, in milliseconds; twice as long after each further one. */
const FIRST_BLOCK_MS = 30_000;

/** Reverts that the wallets of one code, all contract wallets, and all plain accounts have free. */
const FREE_REVERTS: Readonly<Record<Kind, number>> = {
  payer: 0,
  code: 2,
  contracts: 6,
  plain: 10,
  sample: 2,
};

/** Between two looks at what other replicas have under way, in milliseconds. */
const POLL_MS = 200;

/** Payers and codes remembered; the oldest that have nothing under way are forgotten first. */
const MOST_KNOWN = 10_000;

/** Reverts of plain accounts, and payments for each further one, before new ones are watched longer. */
const UNWATCHED_REVERTS = 5;
const PAID_A_REVERT = 50;

type Kind = 'payer' | 'code' | 'contracts' | 'plain' | 'sample';

interface Standing {
  readonly kind: Kind;
  /** In order of arrival. */
  readonly open: Set<Turn>;
  paid: number;
  reverts: number;
  revertedAt: number;
  /** Of a payer: hash of its wallet's code, as last seen. */
  code?: string | undefined;
  readonly waiting: (() => void)[];
}

/** A place in line; to be left in any case. */
export interface Turn {
  readonly leave: () => void;
  /** How many that came earlier have not left. */
  readonly ahead: () => number;
}

/** `blocked`: too much of theirs reverted; `busy`: no place came free in time. */
export type TurnRefused = 'blocked' | 'busy';

/** What a payment is counted under, besides its payer. */
export interface PayerTraits {
  readonly payer: string;
  /** Hash of the code of a contract wallet; `undefined` for a plain account. */
  readonly code: string | undefined;
  readonly isSample: boolean;
}

/** The standing of each key, at most so many of them. */
function standings(now: () => number) {
  const known = new Map<string, Standing>();
  return function standing(key: string): Standing {
    const found = known.get(key) ?? {
      kind: key.split(' ', 1)[0] as Kind,
      open: new Set<Turn>(),
      ...{ paid: 0, reverts: 0, revertedAt: 0, waiting: [] },
    };
    known.delete(key);
    known.set(key, found);
    if (found.reverts > 0 && now() - found.revertedAt > MEMORY_MS) found.reverts = 0;
    if (known.size > MOST_KNOWN)
      for (const [old, { open }] of known)
        if (open.size === 0 && old !== key) {
          known.delete(old);
          break;
        }
    return found;
  };
}

/** More reverts than it has free, and than a tenth of what it paid. */
const tripped = ({ kind, reverts, paid }: Standing) =>
  reverts > FREE_REVERTS[kind] && reverts * 10 > paid;

/** One while it is unproven, one more for each that paid; those that anyone shares are not limited. */
function limit(one: Standing): number {
  if (one.kind === 'contracts') return tripped(one) ? 1 : Infinity;
  if (one.kind === 'plain') return tripped(one) ? MOST_PLAIN : Infinity;
  return Math.min(MOST_OPEN, 1 + (one.reverts > 0 ? 0 : one.paid));
}

const sharedKeys = ({ code, isSample }: PayerTraits) => [
  ...(code === undefined ? ['plain'] : [`code ${code}`, 'contracts']),
  ...(isSample ? ['sample'] : []),
];

/** @param now milliseconds, ever increasing */
export function openBudget(now: () => number) {
  const standing = standings(now);

  const blocked = (one: Standing) =>
    one.kind !== 'plain' &&
    tripped(one) &&
    now() - one.revertedAt < Math.min(MEMORY_MS, FIRST_BLOCK_MS * 2 ** (one.reverts - 1));

  /** In order of arrival. `elsewhere`: open at other replicas. */
  async function enter(
    key: string,
    milliseconds: number,
    elsewhere = () => 0,
  ): Promise<Turn | TurnRefused> {
    const one = standing(key);
    const until = now() + milliseconds;
    const isFree = () => one.open.size + elsewhere() < limit(one);
    while (!isFree()) {
      if (blocked(one)) return 'blocked';
      const left = until - now();
      if (left <= 0) return 'busy';
      await nextPlace(one, Math.min(left, POLL_MS));
    }
    if (blocked(one)) return 'blocked';
    const turn: Turn = {
      leave() {
        if (one.open.delete(turn)) for (const go of [...one.waiting]) go();
      },
      ahead: () => [...one.open].indexOf(turn),
    };
    one.open.add(turn);
    return turn;
  }

  const isProven = ({ paid, reverts }: Standing) => paid > 0 && reverts === 0;

  return {
    /** Whether plain accounts reverted too often, and this is one that did not always pay. */
    isWary({ payer, code }: PayerTraits): boolean {
      const { reverts, paid } = standing('plain');
      const many = reverts > UNWATCHED_REVERTS && reverts * PAID_A_REVERT > paid;
      return many && code === undefined && !isProven(standing(`payer ${payer}`));
    },

    /** A place among the payer's own settlements. */
    enterPayer: (payer: string, milliseconds: number, elsewhere?: () => number) =>
      enter(`payer ${payer}`, milliseconds, elsewhere),

    /** Places among those that share its code or its target; a payer that has always paid needs none. */
    async enterShared(traits: PayerTraits, milliseconds: number): Promise<Turn | TurnRefused> {
      const payer = standing(`payer ${traits.payer}`);
      payer.code = traits.code;
      const keys = isProven(payer) ? [] : sharedKeys(traits);
      const until = now() + milliseconds;
      const turns: Turn[] = [];
      const leave = () => {
        for (const turn of turns) turn.leave();
      };
      for (const key of keys) {
        const turn = await enter(key, until - now());
        if (typeof turn === 'string') {
          leave();
          return turn;
        }
        turns.push(turn);
      }
      return { leave, ahead: () => 0 };
    },

    /** A settlement of ours ended in a transaction. */
    note(payer: string, isSample: boolean, result: 'paid' | 'reverted'): void {
      const traits = { payer, isSample, code: standing(`payer ${payer}`).code };
      for (const one of [`payer ${payer}`, ...sharedKeys(traits)].map(standing)) {
        if (result === 'paid') one.paid += 1;
        else {
          one.reverts += 1;
          one.revertedAt = now();
        }
      }
    },
  };
}

/** Resolves when a place may be free. */
function nextPlace({ waiting }: Standing, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      const at = waiting.indexOf(go);
      if (at >= 0) waiting.splice(at, 1);
      resolve();
    };
    const timer = setTimeout(go, milliseconds);
    waiting.push(go);
  });
}
