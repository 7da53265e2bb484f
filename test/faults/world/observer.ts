/**
 * Watches the whole log from its beginning, so that it has seen what is erased later, and hashes
 * reports to compare them.
 */

import { createHash } from 'node:crypto';
import type { ReportWritten, TestEvent } from '../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import type { Recorded } from '../../../src/ports/log.ts';
import type { Log } from '../../../src/service/log.ts';
import type { Kept, KeptReport } from '../judge/history.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns the hash of a report, whatever the order of its members. */
export const reportHash = (report: unknown): string => sha256(JSON.stringify(sorted(report)));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

const toKept = ({ id, seq, event }: Recorded<ReportWritten>): KeptReport => {
  const report: Report = event.data.report;
  return { id, seq, sha256: sha256(JSON.stringify(report)), report: reportHash(report) };
};

/** Watches the whole log from its beginning, so that it has seen what is erased later. */
export function observe(log: Pick<Log, 'tests' | 'reports' | 'payments'>) {
  const events: Recorded<TestEvent>[] = [];
  const payments: Recorded<PaymentEvent>[] = [];
  const reports: KeptReport[] = [];
  const seen = { TESTS: 0, PAYMENTS: 0, REPORTS: 0 };
  const note =
    <E>(stream: keyof typeof seen, add: (recorded: Recorded<E>) => unknown) =>
    (recorded: Recorded<E>) => {
      if (recorded.seq <= seen[stream]) return;
      add(recorded);
      seen[stream] = recorded.seq;
    };
  const fromHere = (stream: keyof typeof seen) => ({ from: { seq: seen[stream] + 1 } });
  const follow = () => [
    log.tests.follow({
      ...fromHere('TESTS'),
      onEvent: note('TESTS', (one) => events.push(one)),
    }),
    log.payments.follow({
      ...fromHere('PAYMENTS'),
      onEvent: note('PAYMENTS', (one) => payments.push(one)),
    }),
    log.reports.follow({
      ...fromHere('REPORTS'),
      onEvent: note('REPORTS', (one) => reports.push(toKept(one))),
    }),
  ];
  let following = follow();

  /**
   * Follows with new consumers. Those of a server that is gone seem to have seen everything as long as
   * nothing comes, and it takes seconds until the client knows. Both follow for a moment, so that nothing is
   * missed between them. Resolves when everything that is now in the log was seen.
   */
  async function followAgain(): Promise<void> {
    const before = following;
    following = follow();
    await Promise.all(following.map((one) => one.ready));
    await Promise.all(before.map((one) => one.stop()));
  }

  return {
    seen: { events, payments, reports },
    followAgain,
    /** Resolves when everything that is now in the log was seen. Returns what was in `TESTS` then. */
    async readAgain(): Promise<Kept> {
      const from = Date.now();
      const ids = new Map<number, string>();
      const reading = log.tests.follow({
        onEvent: ({ seq, event }) => void ids.set(seq, event.id),
      });
      await reading.ready;
      await reading.stop();
      const to = Date.now();
      await followAgain();
      return { from, to, ids };
    },
    stop: () => Promise.all(following.map((one) => one.stop())),
  };
}

export type Observer = ReturnType<typeof observe>;
