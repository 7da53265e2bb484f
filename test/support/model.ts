import { adjacencyMapToArray, getAdjacencyMap, getSimplePaths } from 'xstate/graph';
import { deliveryTest } from '../../machines/delivery-test.ts';
import { reportPayment } from '../../machines/report-payment.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import type { PaymentEvent } from '../../src/domain/payment-events.ts';
import type { PaymentState, TestState } from '../../src/projection/fold.ts';
import { anEvent, aPaymentEvent } from './events.ts';

/** `waiting.open`, as the table of transitions names a state. */
export function nameOf({ value }: Pick<TestState | PaymentState, 'value'>): string {
  return typeof value === 'string' ? value : (Object.entries(value)[0]?.join('.') ?? '');
}

/** Everything that can be tried in any state; what fits is the machine's to say. */
export function testEventsFor({ context }: TestState): TestEvent[] {
  const arrival = Math.min(3, context.attempts + 1);
  const current = Math.max(1, context.attempts);
  return [
    anEvent('TestCreated'),
    anEvent('MailArrived', 60, { attempt: arrival }),
    anEvent('MailArrived', 3600, { attempt: arrival }),
    anEvent('MailRefused', 60),
    anEvent('RefusalTimeout', 960),
    anEvent('WindowClosed', 3600),
    ...[current, current === 1 ? 2 : 1].flatMap((attempt) => [
      anEvent('AnalysisDone', 61, { attempt }),
      anEvent('AnalysisFailed', 61, { attempt }),
      anEvent('AnalysisTimeout', 120, { attempt }),
    ]),
    anEvent('Expired', 86_400),
  ];
}

/** Settlements tried for one report in the model. */
const ATTEMPTS = 2;

export function paymentEventsFor({ context }: PaymentState): PaymentEvent[] {
  return [1, 2, 3].flatMap((attempt) => [
    ...(attempt <= ATTEMPTS ? [aPaymentEvent('SettlementStarted', 0, { attempt })] : []),
    ...(context.signed.length < 2 ? [aPaymentEvent('TransactionSigned', 1, { attempt })] : []),
    aPaymentEvent('PaymentSettled', 2, { attempt }),
    aPaymentEvent('SettlementFailed', 3, { attempt }),
  ]);
}

const testModel = {
  events: testEventsFor,
  serializeState: (state: TestState) =>
    `${nameOf(state)} ${state.context.attempts} ${state.context.refusal?.count ?? 0}`,
  serializeEvent,
};

const paymentModel = {
  events: paymentEventsFor,
  serializeState,
  serializeEvent,
};

/** Two refusals before each mail: a path with sixteen shows nothing more. */
const pathModel = {
  events: (state: TestState) =>
    testEventsFor(state).filter(
      ({ type }) => type !== 'MailRefused' || (state.context.refusal?.count ?? 0) < 2,
    ),
  serializeState,
  serializeEvent,
};

/** Whole: states that are taken for one would lend each other their contexts. */
function serializeState(state: TestState | PaymentState): string {
  return `${nameOf(state)} ${JSON.stringify(state.context)}`;
}

function serializeEvent({ type, at, data }: TestEvent | PaymentEvent): string {
  return `${type} ${at} ${'attempt' in data ? data.attempt : ''}`;
}

export const testPairs = () => adjacencyMapToArray(getAdjacencyMap(deliveryTest, testModel));
export const paymentPairs = () => adjacencyMapToArray(getAdjacencyMap(reportPayment, paymentModel));

/** A way through a machine: what happened, and the state after each. */
export interface Path<E, S> {
  readonly title: string;
  readonly steps: readonly { readonly event: E; readonly state: S }[];
}

interface GraphPath<E, S> {
  readonly steps: readonly { readonly event: E; readonly state: S }[];
}

/** Paths without the step into the initial state, the longest ones only: they hold the others. */
function toPaths<E extends { readonly type: string }, S>(
  paths: readonly GraphPath<E, S>[],
  describe: (event: E) => string,
): Path<E, S>[] {
  const all = paths
    .map(({ steps }) => steps.filter(({ event }) => event.type !== 'xstate.init'))
    .filter(({ length }) => length > 0)
    .map((steps) => ({ title: steps.map(({ event }) => describe(event)).join(' > '), steps }));
  const prefixes = new Set(
    all.flatMap(({ title }) => {
      const parts = title.split(' > ');
      return parts.slice(1).map((_, length) => parts.slice(0, length + 1).join(' > '));
    }),
  );
  return all.filter(({ title }) => !prefixes.has(title));
}

export const testPaths = (): Path<TestEvent, TestState>[] =>
  toPaths(getSimplePaths(deliveryTest, pathModel), ({ type, at }) =>
    type === 'MailArrived' && at.includes('11:00') ? 'too late' : type,
  );

export const paymentPaths = (): Path<PaymentEvent, PaymentState>[] =>
  toPaths(
    getSimplePaths(reportPayment, paymentModel),
    ({ type, data }) => `${type} ${data.attempt}`,
  );
