/**
 * Tracks the senders that wait for a verdict on their emails, and derives each verdict from the event that
 * decides it.
 */

import { MAX_ATTEMPTS, type TestEvent } from '../../domain/events.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';
import type { Recorded } from '../../ports/log.ts';

/** Returns the verdict that an event implies for an email in analysis, or `undefined` if it implies none. */
export function decideOutcome(event: TestEvent): MailVerdict | undefined {
  switch (event.type) {
    case 'AnalysisDone':
      return verdict('analysed');
    case 'AnalysisFailed':
      return verdict('failed');
    case 'AnalysisTimeout':
      // The third failure is final: sending the email again would change nothing.
      return verdict(event.data.attempt >= MAX_ATTEMPTS ? 'failed' : 'temporary_failure');
    case 'Expired':
    case 'TestDeleted':
      return verdict('unknown_address');
    default:
      return undefined;
  }
}

interface Waiter {
  readonly resolve: (outcome: MailVerdict) => void;
}

/** Tracks the senders that wait for the end of an analysis. Events from the log wake them. */
export function createOutcomes() {
  const byArrival = new Map<string, Waiter>();
  const byTest = new Map<string, Waiter>();

  return {
    /**
     * Call this before the arrival is appended, because the log may deliver the outcome before the append
     * returns.
     */
    expect(arrivalId: string, testId: string) {
      const { promise, resolve } = Promise.withResolvers<MailVerdict>();
      const waiter = { resolve };
      byArrival.set(arrivalId, waiter);
      return {
        outcome: promise,
        resolve,
        forget() {
          byArrival.delete(arrivalId);
          if (byTest.get(testId) === waiter) byTest.delete(testId);
        },
      };
    },

    /** The arrival is recognized by its id, because another copy of the email has an outcome of its own. */
    onEvent({ id, event }: Recorded<TestEvent>) {
      const arrived = event.type === 'MailArrived' ? byArrival.get(event.id) : undefined;
      if (arrived) byTest.set(id, arrived);

      const outcome = decideOutcome(event);
      if (!outcome) return;
      byTest.get(id)?.resolve(outcome);
      byTest.delete(id);
    },
  };
}

export type Outcomes = ReturnType<typeof createOutcomes>;
