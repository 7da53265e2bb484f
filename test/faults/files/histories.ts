/**
 * Writes tests with every possible history into a log, and plays the chain on which their payments
 * have arrived.
 */

import { createHash } from 'node:crypto';
import type { TestEvent } from '../../../src/domain/events.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import { claimKey } from '../../../src/domain/payment-terms.ts';
import type { ChainReader } from '../../../src/operator/replay/ask-chain.ts';
import type { EventLog } from '../../../src/ports/log.ts';
import { TOKEN_SHA256 } from '../../api/harness.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../support/log/events.ts';
import type { Logs } from '../../support/log/history-replica.ts';
import { T0 } from '../../support/process/instants.ts';

/** Largest number of tests in one log. */
const MAX_TESTS = 1000;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const idOf = (n: number) =>
  `disk${n
    .toString(8)
    .padStart(8, '0')
    .replace(/\d/g, (digit) => 'abcdefgh'.charAt(Number(digit)))}`;

/** The values that the events of a history need. */
interface Written {
  /** Number of the test, because each has authorizations and transactions of its own. */
  readonly n: number;
  readonly done: (attempt?: number) => TestEvent;
}

/** A possible history of a test, by what was stored of it. */
interface HistoryKind {
  tests(written: Written): readonly TestEvent[];
  readonly hasReport?: boolean;
  payments?(written: Written): readonly PaymentEvent[];
  /** True if only the end of the test is left. */
  readonly isErased?: boolean;
}

const created = () => anEvent('TestCreated', 0, { token_sha256: TOKEN_SHA256 });
const analysed = ({ done }: Written) => [created(), anEvent('MailArrived', 60), done()];
const restored = <E extends TestEvent | PaymentEvent>(events: readonly E[]) =>
  ({ ...anEvent('TestDeleted', 70), type: 'HistoryRestored', data: { events } }) as never;
const lost = (attempt: number, seconds: number) => [
  anEvent('MailArrived', seconds, { attempt }),
  anEvent('AnalysisTimeout', seconds + 10, { attempt }),
];

/** Every event there is, in each place where it decides something. */
export const KINDS = {
  'paid at the second attempt': {
    tests: ({ done }) => [
      created(),
      anEvent('MailRefused', 5),
      ...lost(1, 10),
      anEvent('MailArrived', 60, { attempt: 2 }),
      done(2),
    ],
    hasReport: true,
    payments: ({ n }) => [...failed(n), ...settled(n, 2)],
  },
  'paid, repaired before': {
    tests: (written) => [...analysed(written), restored(analysed(written))],
    hasReport: true,
    payments: ({ n }) => [...settled(n, 1), restored(settled(n, 1))],
  },
  paid: { tests: analysed, hasReport: true, payments: ({ n }) => settled(n, 1) },
  ready: { tests: analysed, hasReport: true },
  waiting: { tests: () => [created()] },
  'waiting again': { tests: () => [created(), ...lost(1, 60)] },
  refused: { tests: () => [created(), anEvent('MailRefused', 30)] },
  'refused for good': {
    tests: () => [created(), anEvent('MailRefused', 30), anEvent('RefusalTimeout', 100)],
  },
  'nothing received': { tests: () => [created(), anEvent('WindowClosed', 100)] },
  processing: { tests: () => [created(), anEvent('MailArrived', 60)] },
  failed: {
    tests: () => [created(), anEvent('MailArrived', 60), anEvent('AnalysisFailed', 61)],
  },
  'lost three times': { tests: () => [created(), ...lost(1, 10), ...lost(2, 30), ...lost(3, 60)] },
  expired: {
    tests: (written) => [...analysed(written), anEvent('Expired', 86_460)],
    hasReport: true,
  },
  deleted: {
    tests: (written) => [...analysed(written), anEvent('TestDeleted', 90)],
    hasReport: true,
  },
  'deleted and erased': {
    tests: (written) => [...analysed(written), anEvent('TestDeleted', 90)],
    hasReport: true,
    isErased: true,
  },
} as const satisfies Readonly<Record<string, HistoryKind>>;

export type KindName = keyof typeof KINDS;

/** Stores a test of this kind, as the service would have. */
export async function writeHistory(logs: Logs, kindName: KindName, n: number): Promise<void> {
  const kind: HistoryKind = KINDS[kindName];
  const { tests, reports, payments, claims } = logs;
  const id = idOf(n);
  const report = aReportWritten({ test_id: id });
  const [report_seq = 1] = kind.hasReport ? await write(reports, id, [report]) : [];
  const report_sha256 = sha256(JSON.stringify(report.data.report));
  const done = (attempt = 1) => anEvent('AnalysisDone', 61, { attempt, report_seq, report_sha256 });
  const stored = await write(tests, id, kind.tests({ n, done }));
  const paid = kind.payments?.({ n, done }) ?? [];
  await write(payments, id, paid);
  for (const event of paid)
    if (event.type === 'SettlementStarted')
      await claims.claim(event.data.claim, { id, at: event.at, by: 'replica-1', from_block: 100 });
  if (!kind.isErased) return;
  for (const seq of stored.slice(0, -1)) await tests.erase(seq, 'secure');
  await reports.erase(report_seq, 'secure');
}

/** Appends the events, and returns their sequence numbers. */
async function write<E extends { readonly at: string }>(
  log: EventLog<E>,
  id: string,
  events: readonly E[],
): Promise<readonly number[]> {
  const seqs: number[] = [];
  for (const event of events) {
    const appended = await log.append(id, event, seqs.at(-1) ?? 0);
    if (appended.outcome !== 'appended') throw new Error(appended.outcome);
    seqs.push(appended.seq);
  }
  return seqs;
}

const nonceOf = (n: number, isPaid: boolean) => `0x${sha256(`nonce ${n} ${isPaid}`)}`;

const receiptOf = (n: number) => ({
  ...aPaymentEvent('PaymentSettled').data.receipt,
  transaction: `0x${sha256(`tx ${n}`)}`,
  payer: aPaymentEvent('SettlementStarted').data.payload.authorization.from,
});

function started(n: number, attempt: number, isPaid: boolean) {
  const { payload, requirements } = aPaymentEvent('SettlementStarted').data;
  const authorization = { ...payload.authorization, nonce: nonceOf(n, isPaid) };
  return aPaymentEvent('SettlementStarted', 62 + attempt, {
    ...{ attempt, claim: claimKey(requirements, authorization) },
    payload: { ...payload, authorization },
  });
}

const failed = (n: number) => [
  started(n, 1, false),
  aPaymentEvent('TransactionSigned', 63),
  aPaymentEvent('SettlementFailed', 63),
];

const settled = (n: number, attempt: number) => [
  started(n, attempt, true),
  aPaymentEvent('TransactionSigned', 65, { attempt, transaction: receiptOf(n).transaction }),
  aPaymentEvent('PaymentSettled', 65, { attempt, receipt: receiptOf(n) }),
];

/** Payments by the nonce of their authorization. */
const paidBy = new Map(Array.from({ length: MAX_TESTS }, (_, n) => [nonceOf(n, true), n]));

/** A chain on which everything that was settled has arrived, and nothing else. */
export const chain: ChainReader = {
  outcome: () => async (payment) => {
    const n = paidBy.get(payment.authorization.nonce);
    return n === undefined
      ? { state: 'dead' }
      : { state: 'settled', receipt: receiptOf(n), block: 101 };
  },
  find: async (_, { from, nonce }) => {
    const n = paidBy.get(nonce);
    if (n === undefined) return undefined;
    const { transaction } = receiptOf(n);
    const to = `0x${'4'.repeat(40)}`;
    return { from, to, value: '50000', block: 101, time: T0 / 1000 + 65, transaction };
  },
  findIn: async () => [],
  isPrice: () => true,
};
