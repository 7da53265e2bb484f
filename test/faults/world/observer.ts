import { createHash } from 'node:crypto';
import { isEnd, type ReportWritten, type TestEvent } from '../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import type { Recorded } from '../../../src/ports/log.ts';
import type { Log } from '../../../src/service/log.ts';
import type { Kept, KeptReport } from '../judge/history.ts';
import { waitFor } from './parts.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The hash of a report, whatever the order of its members. */
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

/** Watches the whole log from its beginning: what is erased later was seen here. */
export function observe(log: Pick<Log, 'tests' | 'reports' | 'payments' | 'connection'>) {
  const events: Recorded<TestEvent>[] = [];
  const payments: Recorded<PaymentEvent>[] = [];
  const reports: KeptReport[] = [];
  const seen = { TESTS: 0, PAYMENTS: 0, REPORTS: 0 };
  const note =
    <E>(stream: keyof typeof seen, add: (recorded: Recorded<E>) => unknown) =>
    (recorded: Recorded<E>) => {
      add(recorded);
      seen[stream] = recorded.seq;
    };
  const following = [
    log.tests.follow({ onEvent: note('TESTS', (one) => events.push(one)) }),
    log.payments.follow({ onEvent: note('PAYMENTS', (one) => payments.push(one)) }),
    log.reports.follow({ onEvent: note('REPORTS', (one) => reports.push(toKept(one))) }),
  ];

  return {
    seen: { events, payments, reports },
    ended: () => new Set(events.filter(({ event }) => isEnd(event.type)).map(({ id }) => id)),
    /** Resolves when everything that is stored now was seen; the last of it may be erased already. */
    async caughtUp(): Promise<void> {
      for (const stream of ['TESTS', 'PAYMENTS', 'REPORTS'] as const) {
        const { last_seq } = (await log.connection.jsm.streams.info(stream)).state;
        const isErased = async () =>
          (await log.connection.jsm.streams.getMessage(stream, { seq: last_seq })) === null;
        await waitFor(
          `${stream} up to ${last_seq}`,
          async () => seen[stream] >= last_seq || isErased(),
        );
      }
    },
    /** Reads the log again from its first message: what is there now. */
    async readAgain(): Promise<Kept> {
      const from = Date.now();
      const ids = new Map<number, string>();
      const again = log.tests.follow({ onEvent: ({ seq, event }) => void ids.set(seq, event.id) });
      await again.ready;
      await again.stop();
      return { from, to: Date.now(), ids };
    },
    stop: () => Promise.all(following.map((one) => one.stop())),
  };
}

export type Observer = ReturnType<typeof observe>;
