/**
 * Limits how many settlements a payer may have in progress, lets further ones wait in line, and blocks a
 * payer for a time after failures, so that a hostile payer cannot make us spend gas for nothing. The
 * behaviour of one payer never affects another. The budget is in memory: a restart forgets it, and whatever
 * is let through because of that is limited again within a few transactions.
 */

import { setNewest } from '../../domain/set-newest.ts';

/** Maximum number of concurrent settlements for a payer that has always paid. */
const MOST_OPEN = 64;

/** Failures are forgotten after this long, in milliseconds. */
const MEMORY_MS = 3_600_000;

/**
 * How long a payer is blocked after a failure, in milliseconds. The time doubles with each further failure.
 */
const FIRST_BLOCK_MS = 30_000;

/** Pause between two checks of what other replicas have in progress, in milliseconds. */
const POLL_MS = 200;

/** Number of payers and outcomes remembered. The oldest are forgotten first. */
const MOST_KNOWN = 10_000;

interface Standing {
  /** The payer's settlements that hold a place, in order of arrival. */
  readonly open: Set<Turn>;
  paid: number;
  failures: number;
  failedAt: number;
  readonly waiting: (() => void)[];
}

/** A place in line. Its holder must leave it in every case. */
export interface Turn {
  readonly leave: () => void;
  /** Returns how many turns that arrived earlier have not left yet. */
  readonly ahead: () => number;
}

/**
 * If `blockedMs` is set, too many payments failed and the payer is blocked for that long. If it is not, no
 * place became free in time.
 */
export interface TurnRefused {
  readonly blockedMs: number | undefined;
}

/** Keeps the standing of each payer, however its address is spelled, for a limited number of payers. */
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

/** @param now returns milliseconds from a clock that never goes back */
export function openBudget(now: () => number) {
  const standing = standings(now);
  const noted = new Map<string, true>();

  /** A payer may have one settlement while unproven, and one more for each settlement that it has paid. */
  const limit = ({ paid }: Standing) => Math.min(MOST_OPEN, 1 + paid);

  const blockedMs = ({ failures, failedAt }: Standing) =>
    failures === 0
      ? 0
      : failedAt + Math.min(MEMORY_MS, FIRST_BLOCK_MS * 2 ** (failures - 1)) - now();

  return {
    /** Returns whether the payer has paid and had no failure within the last hour. */
    isProven(payer: string): boolean {
      const { paid, failures } = standing(payer);
      return paid > 0 && failures === 0;
    },

    /** Returns the milliseconds for which the payer has to wait because of failures. */
    blockedMs: (payer: string): number => Math.max(0, blockedMs(standing(payer))),

    /**
     * Waits for a place among the payer's own settlements, in order of arrival. `elsewhere` counts those open
     * at other replicas.
     */
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

    /**
     * Treats the payer like one that has never paid until it pays again, because it cannot pay at the moment.
     */
    doubt(payer: string): void {
      standing(payer).paid = 0;
    },

    /**
     * Records how a settlement ended. Returns false if this is already known.
     *
     * @param what the transaction, or whatever else identifies this outcome
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
