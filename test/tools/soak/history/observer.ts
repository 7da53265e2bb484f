import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isEnd, type ReportWritten, type TestEvent } from '../../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../../src/domain/payment-events.ts';
import type { Report } from '../../../../src/domain/report/report.ts';
import type { Recorded } from '../../../../src/ports/log.ts';
import { foldPayment } from '../../../../src/projection/fold.ts';
import type { Log } from '../../../../src/service/log.ts';
import type { Kept, KeptReport } from './history.ts';

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
export function observe(log: Pick<Log, 'tests' | 'reports' | 'payments'>) {
  const events: Recorded<TestEvent>[] = [];
  const payments: Recorded<PaymentEvent>[] = [];
  const reports: KeptReport[] = [];
  const following = [
    log.tests.follow({ onEvent: (recorded) => void events.push(recorded) }),
    log.payments.follow({ onEvent: (recorded) => void payments.push(recorded) }),
    log.reports.follow({ onEvent: (recorded) => void reports.push(toKept(recorded)) }),
  ];

  return {
    seen: { events, payments, reports },
    /** Whether every test that was begun has ended. */
    allEnded(): boolean {
      const ended = events.filter(({ event }) => isEnd(event.type)).map(({ id }) => id);
      return new Set(events.map(({ id }) => id)).size === new Set(ended).size;
    },
    /** Whether every settlement that was begun has been decided. */
    allDecided: () =>
      [...Map.groupBy(payments, ({ id }) => id).values()].every(
        (all) => foldPayment(all.map(({ event }) => event)).value !== 'settling',
      ),
    /** Reads the log again from its first message: what is there now. */
    async readAgain(): Promise<Kept> {
      const from = Date.now();
      const ids = new Map<number, string>();
      const again = log.tests.follow({ onEvent: ({ seq, event }) => void ids.set(seq, event.id) });
      await again.ready;
      await again.stop();
      return { from, to: Date.now(), ids };
    },
    async stop() {
      // What was acknowledged last is on its way.
      await sleep(200);
      await Promise.all(following.map((one) => one.stop()));
    },
  };
}
