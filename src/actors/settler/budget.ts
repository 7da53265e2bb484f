import { setNewest } from '../../domain/set-newest.ts';

/**
 * How many settlements a payer may have under way, so that a hostile one cannot spend our gas for nothing.
 * What one payer does is held against no other. In memory: a restart forgets it, and what it lets
 * through then is bounded again within a few transactions.
 */

/** Settlements at once of a payer that has always paid. */
const MOST_OPEN = 64;

/** What went wrong is forgotten after this long, in milliseconds. */
const MEMORY_MS = 3_600_000;

/** How long nothing is tried after it, in milliseconds; twice as long after each further time. */
const FIRST_BLOCK_MS = 30_000;

/** Between two looks at what other replicas have under way, in milliseconds. */
const POLL_MS = 200;

/** Payers and outcomes remembered; the oldest are forgotten first. */
const MOST_KNOWN = 10_000;

interface Standing {
  /** In order of arrival. */
  readonly open: Set<Turn>;
  paid: number;
  failures: number;
  failedAt: number;
  readonly waiting: (() => void)[];
}

/** A place in line; to be left in any case. */
export interface Turn {
  readonly leave: () => void;
  /** How many that came earlier have not left. */
  readonly ahead: () => number;
}

/** `blockedMs`: too much failed, for so long; otherwise no place came free in time. */
export interface TurnRefused {
  readonly blockedMs: number | undefined;
}

/** The standing of each payer, however its address is spelled, at most so many of them. */
function standings(now: () => number) {
  const known = new Map<string, Standing>();
  return function standing(address: string): Standing {
    const payer = address.toLowerCase();
    const found = known.get(payer) ?? {
      ...{ open: new Set<Turn>(), paid: 0, failures: 0, failedAt: 0, waiting: [] },
    };
    known.delete(payer);
    known.set(payer, found);
    if (found.failures > 0 && now() - found.failedAt > MEMORY_MS) found.failures = 0;
    if (known.size > MOST_KNOWN)
      for (const [old, { open }] of known)
        if (open.size === 0 && old !== payer) {
          known.delete(old);
          break;
        }
    return found;
  };
}

/** @param now milliseconds, ever increasing */
export function openBudget(now: () => number) {
  const standing = standings(now);
  const noted = new Map<string, true>();

  /** One while it is unproven, one more for each that paid. */
  const limit = ({ paid }: Standing) => Math.min(MOST_OPEN, 1 + paid);

  const blockedMs = ({ failures, failedAt }: Standing) =>
    failures === 0
      ? 0
      : failedAt + Math.min(MEMORY_MS, FIRST_BLOCK_MS * 2 ** (failures - 1)) - now();

  return {
    /** Whether it has paid, and nothing of it failed within the hour. */
    isProven(payer: string): boolean {
      const { paid, failures } = standing(payer);
      return paid > 0 && failures === 0;
    },

    /** Milliseconds for which it has to wait, because of what failed. */
    blockedMs: (payer: string): number => Math.max(0, blockedMs(standing(payer))),

    /** A place among the payer's own settlements, in order of arrival. `elsewhere`: open at other replicas. */
    async enter(
      payer: string,
      milliseconds: number,
      elsewhere = () => 0,
    ): Promise<Turn | TurnRefused> {
      const one = standing(payer);
      const until = now() + milliseconds;
      for (;;) {
        const blocked = blockedMs(one);
        if (blocked > 0) return { blockedMs: blocked };
        if (one.open.size + elsewhere() < limit(one)) break;
        const left = until - now();
        if (left <= 0) return { blockedMs: undefined };
        await nextPlace(one, Math.min(left, POLL_MS));
      }
      const turn: Turn = {
        leave() {
          if (one.open.delete(turn)) for (const go of [...one.waiting]) go();
        },
        ahead: () => [...one.open].indexOf(turn),
      };
      one.open.add(turn);
      return turn;
    },

    /** It cannot pay now: one that never paid, until it pays again. */
    doubt(payer: string): void {
      standing(payer).paid = 0;
    },

    /**
     * How a settlement ended; false: this is known already.
     *
     * @param what the transaction, or what else stands for this outcome
     */
    note(payer: string, what: string, result: 'paid' | 'failed'): boolean {
      if (noted.has(what)) return false;
      setNewest(noted, what, true, MOST_KNOWN);
      const one = standing(payer);
      if (result === 'paid') one.paid += 1;
      else {
        one.paid = 0;
        one.failures += 1;
        one.failedAt = now();
      }
      return true;
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
