/**
 * Asks the configured spam filters about an email, with limits on size, time and concurrent queries, for
 * which networks take turns, and turns the answers or failures into facts.
 */

import type { FilterFacts } from '../analysis/filters/facts.ts';
import { sortRules } from '../analysis/filters/rules.ts';
import { createFairQueue } from '../domain/fairness/fair-queue.ts';
import { networksOf } from '../domain/fairness/networks.ts';
import { FilterFault } from '../domain/filter-fault.ts';
import { FILTER_VERSION, type FilterName, type FilterReason } from '../domain/report/filters.ts';
import {
  type AskFilters,
  FILTER_MS,
  type FilteredMail,
  type SpamFilter,
} from '../ports/filters.ts';
import { orElse } from './deadlines.ts';

/** Emails larger than this, in bytes, are not sent to a filter. Filters skip most of them anyway. */
const MAX_BYTES = 512 * 1024;

/**
 * Maximum number of emails that one thread may have in progress at one filter. By default, spamd starts at
 * most five processes.
 */
const AT_ONCE = 4;

interface Options {
  readonly filters: readonly SpamFilter[];
  readonly runBy: FilterFacts['runBy'];
  /** Called for each email that a filter was asked about. */
  readonly onEnd?: (name: FilterName, isAnswered: boolean) => void;
  readonly filterMs?: number;
}

/** Asks spam filters about an email, all at once. Nothing depends on their results. */
export function createAskFilters({
  filters,
  runBy,
  onEnd,
  filterMs = FILTER_MS,
}: Options): AskFilters {
  const all = filters.map((filter) => ({ filter, turns: createTurns() }));

  return async (mail, hostname) => {
    // A slow lookup of our own must not count as silence of the filter.
    const told = toTold({ ...mail, hostname: await hostname });
    const path = mail.ip === null ? [] : networksOf(mail.ip);

    async function ask(
      { filter, turns }: (typeof all)[number],
      signal: AbortSignal,
    ): Promise<FilterFacts> {
      const about = { name: filter.name, runBy };
      const not = (reason: FilterReason) => ({ ...about, status: 'not_checked' as const, reason });
      if (mail.bytes.length > MAX_BYTES) return not('email_too_large');
      const leave = await turns.enter(path, signal);
      if (leave === null) return not('busy');
      const since = performance.now();
      let isSilent = false;
      try {
        const asked = filter.ask(told, signal);
        const { rules: seen, version, ...answer } = await orAbort(asked, signal);
        onEnd?.(filter.name, true);
        const { rules, leftOut } = sortRules(filter.name, seen);
        const shown = IS_VERSION.test(version ?? '') ? version : null;
        return { ...about, status: 'checked', ...answer, version: shown, rules, leftOut };
      } catch (error) {
        // If it was late when the email's turn came, the silence says nothing about the filter.
        isSilent = signal.aborted && performance.now() - since > filterMs / 2;
        if (signal.aborted && !isSilent) return not('busy');
        onEnd?.(filter.name, false);
        return not(isSilent ? 'no_answer_in_time' : reasonOf(error));
      } finally {
        leave(isSilent);
      }
    }

    return Promise.all(
      all.map(async (one) => {
        const end = new AbortController();
        const asked = ask(one, end.signal);
        // Only the time in which this thread could have received an answer counts towards the limit.
        await orElse(filterMs, asked, null);
        end.abort();
        return asked;
      }),
    );
  };
}

/** The version is shown, so it may contain only numbers. */
const IS_VERSION = new RegExp(FILTER_VERSION);

/** Rejects at the abort signal, so that a filter that ignores the signal delays nobody. */
const orAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const NEVER_THERE =
  /^(ECONNREFUSED|ENOENT|EACCES|EPERM|E(HOST|NET)UNREACH|ENOTFOUND|EAI_\w+|ETIMEDOUT)$/;

function reasonOf(error: unknown): FilterReason {
  if (error instanceof FilterFault) return error.reason;
  if (error instanceof RangeError) return 'answer_too_large';
  const { code, errors = [] } = Object(error);
  const codes: unknown[] = [code, ...[errors].flat().map((one) => Object(one).code)];
  return codes.some((one) => NEVER_THERE.test(String(one))) ? 'unreachable' : 'broke_off';
}

/**
 * Makes a sender's text safe for one line of a protocol: every space and every character outside printable
 * ASCII becomes a question mark.
 */
const toLine = (text: string): string => text.replace(/[^\x21-\x7e]/g, '?').slice(0, 512);

const toTold = (mail: FilteredMail): FilteredMail => ({
  ...mail,
  helo: mail.helo && toLine(mail.helo),
  hostname: mail.hostname && toLine(mail.hostname),
  from: toLine(mail.from),
});

/** Ends a turn. `wasSilent` means that the filter had enough time and did not answer. */
type Leave = (wasSilent: boolean) => void;

/**
 * Manages the turns at each filter, which networks share. A filter that was silent the last time gets only
 * one email at a time, and no other email waits for it until it responds again.
 */
function createTurns() {
  const queue = createFairQueue<(leave: Leave | null) => void>();
  let inside = 0;
  let isSilent = false;
  const room = () => (isSilent ? 1 : AT_ONCE) - inside;

  function admit(): void {
    while (queue.size() > 0 && (isSilent || room() > 0)) queue.take()?.(isSilent ? null : enter());
  }

  function enter(): Leave {
    inside += 1;
    return (wasSilent) => {
      inside -= 1;
      isSilent = wasSilent;
      admit();
    };
  }

  return {
    /** Resolves with the function that ends the turn, or with null if no turn was available in time. */
    async enter(path: readonly string[], signal: AbortSignal) {
      if (room() > 0) return enter();
      if (isSilent) return null;
      const { promise, resolve } = Promise.withResolvers<Leave | null>();
      queue.push(path, resolve);
      signal.addEventListener('abort', () => queue.remove(resolve) && resolve(null), {
        once: true,
      });
      return promise;
    },
  };
}
