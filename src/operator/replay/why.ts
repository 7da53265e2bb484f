/** Explains in one sentence why a test is in its state. */

import { OPERATOR } from '../../domain/envelope.ts';
import { isEnd, type TestEvent } from '../../domain/events.ts';
import type { Damage } from '../../domain/history.ts';
import type { OriginalPaymentEvent } from '../../domain/payment-events.ts';
import type { Recorded } from '../../ports/log.ts';
import { expiry } from '../../projection/deadlines.ts';
import { fold, foldPayment } from '../../projection/fold.ts';
import { originalEvents } from '../../projection/original-events.ts';
import { type Row, toRow } from '../../projection/row.ts';
import type { Source } from './source.ts';

/** Explains the state of a test. */
export interface Why {
  readonly test_id: string;
  /**
   * The state of the test. `frozen`: its history is damaged; `deleted`; `unknown`: the log contains nothing
   * about it.
   */
  readonly state: Row['status'] | 'frozen' | 'deleted' | 'unknown';
  /** The explanation, in one sentence. */
  readonly why: string;
}

/**
 * Runs `replay why`, which explains the state of a test in one sentence, for whoever answers the user's
 * question.
 */
export async function why(
  { tests, payments }: Pick<Source, 'tests' | 'payments'>,
  test_id: string,
): Promise<Why> {
  const { events, damage } = await tests.readRemains(test_id);
  if (damage)
    return {
      test_id,
      state: 'frozen',
      why: `Its history is damaged (${damage.problem} at ${damage.seq}), so the service responds with 503 and 451; ${remedyOf(damage.problem, `replay end ${test_id}`)}.`,
    };
  const state = fold(events.map(({ event }) => event));
  const row = toRow(state, events.at(-1)?.seq ?? 0);
  if (!row) return { test_id, ...describeEnd(events) };
  const sentence = { ...row, events: originalEvents(events.map(({ event }) => event)) };
  const paid = row.status === 'ready' ? await describePayment(payments, test_id) : '';
  return { test_id, state: row.status, why: `${describe(sentence)}${paid}.` };
}

const remedyOf = (problem: Damage['problem'], command: string) =>
  problem === 'newer' ? 'run the release that wrote it' : `run: ${command}`;

function describeEnd(events: readonly Recorded<TestEvent>[]): Pick<Why, 'state' | 'why'> {
  const end = events.findLast(({ event }) => isEnd(event.type))?.event;
  if (!end)
    return {
      state: 'unknown',
      why: 'The log has no record of this test: it was never created, or it has expired.',
    };
  const by = end.by === OPERATOR ? 'by the operator' : 'by someone with its token';
  const how = end.type === 'TestDeleted' ? by : 'when its time was up';
  return { state: 'deleted', why: `It was deleted ${how}, ${end.at}.` };
}

interface Told extends Row {
  readonly events: readonly Exclude<TestEvent, { type: 'HistoryRestored' }>[];
}

function describe({ status, refused, context, events, ...row }: Told): string {
  const { sendBefore, attempts, failure } = context;
  const refusal = events.findLast((event) => event.type === 'MailRefused');
  const arrival = events.findLast((event) => event.type === 'MailArrived');
  const done = events.findLast((event) => event.type === 'AnalysisDone');
  const reasons = refusal?.data.reasons.map(({ code, detail }) => `${code}: ${detail}`).join(' ');
  const from = arrival && ` from ${arrival.data.envelope_domain || 'the null sender'}`;
  switch (status) {
    case 'waiting':
      if (refused)
        return `It is waiting: the last email was refused at ${refusal?.at} (${reasons})`;
      return attempts > 0
        ? `It is waiting until ${sendBefore}: ${attempts} analyses were lost, and the sender was asked to send again`
        : `It is waiting for an email until ${sendBefore}: none that could be judged has arrived`;
    case 'processing':
      return `An email${from} arrived at ${arrival?.at} and is being analysed, attempt ${attempts}`;
    case 'ready':
      return `An email${from} arrived at ${arrival?.at}. Its report of ${done?.at} has the score ${done?.data.score} and will be deleted at ${new Date(expiry({ status, refused, context, ...row })).toISOString()}`;
    case 'rejected_or_not_received':
      return context.refusal
        ? `No email was accepted: the last one was refused at ${refusal?.at} (${reasons})`
        : `No email arrived before ${sendBefore}`;
    case 'analysis_failed':
      return `The analysis of the email${from} that arrived at ${arrival?.at} failed: ${failure}`;
  }
}

async function describePayment(payments: Source['payments'], id: string): Promise<string> {
  const { events, damage } = await payments.readRemains(id);
  if (damage)
    return `; its payment's history is damaged (${damage.problem} at ${damage.seq}), so its report returns 503; ${remedyOf(damage.problem, `replay close ${id}`)}`;
  const original = originalEvents<OriginalPaymentEvent>(events.map(({ event }) => event));
  const { value, context } = foldPayment(original);
  if (context.settled) return `; paid in ${context.settled.receipt.transaction}`;
  if (value === 'settling')
    return `; a payment has been pending since ${context.startedAt}: the chain decides`;
  if (context.failed)
    return `; the last payment failed (${context.failed.reason}: ${context.failed.error})`;
  return '; not paid for';
}
