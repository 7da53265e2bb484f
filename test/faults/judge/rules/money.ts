/** Rules about payments: each is started in time, happens once, and opens one report. */

import type { PaymentEvent, PaymentEventOf } from '../../../../src/domain/payment-events.ts';
import type { Recorded } from '../../../../src/ports/log.ts';
import { payBefore } from '../../../../src/projection/deadlines.ts';
import { foldPayment } from '../../../../src/projection/fold.ts';
import type { History, Violation } from '../history.ts';
import { operationsOf, type Rule, stepsOf, type TestHistory } from '../test-history.ts';
import { APPEND_MS, CLOCK_MS, TICK_MS } from './limits.ts';

/** Time from a transfer until it is recorded, in milliseconds, if no buyer waits for it. */
const UNDER_WAY_MS = 10_000;

/** Time from the end of an authorization until every replica has checked it, in milliseconds. */
export const DECIDED_MS = 75_000;

type Settled = Recorded<PaymentEventOf<'PaymentSettled'>>;

const isSettled = (one: Recorded<PaymentEvent>): one is Settled =>
  one.event.type === 'PaymentSettled';

const rowAt = ({ steps }: TestHistory, time: number) =>
  steps.findLast(({ recorded }) => recorded.time <= time)?.row;

/** Returns every row that a test had at a time or shortly before or after it, as far as clocks can tell. */
const rowsAround = (testHistory: TestHistory, time: number) => [
  rowAt(testHistory, time - CLOCK_MS),
  ...testHistory.steps
    .filter(({ recorded }) => Math.abs(recorded.time - time) <= CLOCK_MS)
    .map(({ row }) => row),
];

/** Returns whether an attempt was refused: it began after a deletion, for which its writer then looks. */
const isTakenBack = ({ payments }: TestHistory, attempt: number) =>
  payments.some(
    ({ event: { type, data } }) =>
      type === 'SettlementFailed' && data.reason === 'refused' && data.attempt === attempt,
  );

/** Returns what is wrong with one event of a payment. */
function faultOf(
  testHistory: TestHistory,
  { event, time }: Recorded<PaymentEvent>,
): string | undefined {
  const at = Date.parse(event.at);
  if (at > time + CLOCK_MS) return `${event.type} says ${event.at}, ${at - time} ms ahead`;
  if (at < time - APPEND_MS) return `${event.type} says ${event.at}, ${time - at} ms old`;
  if (event.type === 'SettlementStarted') {
    const row = rowsAround(testHistory, at).find((one) => one?.status === 'ready');
    const { attempt } = event.data;
    if (!row && isTakenBack(testHistory, attempt)) return undefined;
    if (!row) return 'a settlement was begun for a report that is not there';
    if (at > payBefore(row) + CLOCK_MS) return 'a settlement was begun too near the deletion';
  }
  return undefined;
}

/** A payment is started in time, ends, happens once, and is called late if it is. */
export const payments: Rule = (testHistory, { endedAt, transfers }) => {
  const { started } = foldPayment(testHistory.payments.map(({ event }) => event)).context;
  const settled = testHistory.payments.filter(isSettled);
  const open = started && settled.length === 0;
  const [deleted] = stepsOf(testHistory, 'TestDeleted');
  const deletedAt = deleted?.recorded.time ?? Number.POSITIVE_INFINITY;
  const end = open ? Number(started.payload.authorization.validBefore) * 1000 : endedAt;
  return [
    ...testHistory.payments.flatMap((one) => faultOf(testHistory, one) ?? []),
    ...operationsOf(testHistory, 'challenged').flatMap(({ from, to }) => {
      const row = rowAt(testHistory, to + TICK_MS);
      return row && from > payBefore(row) + CLOCK_MS ? ['asked to pay too near the deletion'] : [];
    }),
    ...(settled.length > 1 ? [`paid for ${settled.length} times`] : []),
    ...(end + DECIDED_MS < endedAt ? ['a settlement was never decided'] : []),
    ...settled.flatMap(({ event }) => {
      const deadline = Date.parse(started?.report_expires_at ?? '');
      const lateBy = Date.parse(event.at) - Math.min(deadline, deletedAt);
      const moved = transfers.find((one) => one.transaction === event.data.receipt.transaction);
      return [
        ...(Math.abs(lateBy) > CLOCK_MS && event.data.late !== lateBy > 0
          ? [`paid ${lateBy} ms after the deletion, called ${event.data.late ? '' : 'not '}late`]
          : []),
        ...(moved && moved.time >= deadline ? ['money moved after the report was deleted'] : []),
      ];
    }),
  ];
};

/** Each transfer of money opened one report, and each report that is paid for was paid for like this. */
export function moneyKept(history: History): readonly Violation[] {
  const violation = (testId: string, text: string) => ({ rule: 'moneyKept', testId, text });
  const settled = history.payments.filter(isSettled);
  const isDecided = (id: string) =>
    /Settled|Failed/.test(history.payments.findLast((one) => one.id === id)?.event.type ?? '');
  const signedFor = (transaction: string) =>
    history.payments.find(
      ({ event }) => event.type === 'TransactionSigned' && event.data.transaction === transaction,
    )?.id ?? '';
  return [
    ...history.transfers.flatMap(({ transaction, time }) => {
      const opened = settled.filter(({ event }) => event.data.receipt.transaction === transaction);
      const id = signedFor(transaction);
      // Nobody waits for the payment of a hostile payer. It is checked again after the next row.
      const isUnderWay = id !== '' && !isDecided(id) && time > history.endedAt - UNDER_WAY_MS;
      if (opened.length === 1 || (opened.length === 0 && isUnderWay)) return [];
      return [violation(id, `money that moved opened ${opened.length} reports`)];
    }),
    ...settled
      .filter(
        ({ event }) =>
          !history.transfers.some((one) => one.transaction === event.data.receipt.transaction),
      )
      .map(({ id }) => violation(id, 'a report is paid for, and no money has moved')),
  ];
}
