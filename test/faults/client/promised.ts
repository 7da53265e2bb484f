/**
 * Compares every replica's responses with what clients were promised, and waits for the end of
 * payments about which nobody asks.
 */

import { type Replica, type World, waitFor } from '../world/parts.ts';
import type { Calls, Owned } from './calls.ts';
import type { Plan } from './plan.ts';

/** Time for replicas to agree once nothing is broken, in milliseconds. */
const ALIKE_MS = 20_000;

/** Time for a payment about which nobody asks any more, in milliseconds. It is checked every half second. */
const DECIDED_MS = 20_000;

/** A test, and what its client knows about it that must stay true. */
export interface Promised {
  readonly owned: Owned;
  readonly plan: Plan;
  /** The reply to the sender of the email to this test. */
  ends: Awaited<ReturnType<Calls['mail']>>;
  /** The report that was paid for. */
  report?: string | undefined;
}

/** Returns what every replica answers in the end, or `undefined` if that depends on what came first. */
function wantedOf({ plan, ends, report }: Promised): string | undefined {
  if (plan.isHurried || plan.isDeleted || ends?.startsWith('refused') || plan.pays === 'and leaves')
    return undefined;
  if (report) return `ready, 200 ${report}`;
  if (ends === 'analysed') return 'ready, 402';
  if (ends === 'failed') return 'analysis_failed, 409';
  return plan.isRefused || plan.mails > 0 ? undefined : 'waiting, 409';
}

/** Asks every replica until all of them answer as was promised. Returns how they differ. */
export async function compare(
  promised: Promised,
  replicas: readonly Replica[],
  ask: (replica: Replica, owned: Owned) => Promise<string>,
): Promise<readonly string[]> {
  const { owned } = promised;
  const deadline = performance.now() + ALIKE_MS;
  for (;;) {
    const seen = await Promise.all(replicas.map((replica) => ask(replica, owned)));
    const [first = ''] = seen;
    const wanted = wantedOf(promised) ?? first;
    if (!/, 50/.test(first) && seen.every((one) => one === wanted)) return [];
    if (performance.now() > deadline)
      return [`${owned.testId} is ${seen.join(' and ')}, not ${wanted}`];
  }
}

/** Returns whether a payment that was started ends according to the log, without a request. */
export function isDecided({ observer }: World, { testId }: Owned): Promise<boolean> {
  const decided = async () => {
    const events = observer.seen.payments.filter(({ id }) => id === testId);
    return events.length === 0 || /Settled|Failed/.test(events.at(-1)?.event.type ?? '');
  };
  return waitFor('an end', decided, DECIDED_MS).then(
    () => true,
    () => false,
  );
}
