/**
 * Tests which outcome an event means for the sender of an email, and that the result of an analysis
 * reaches exactly the sender who is waiting for it.
 */

import { expect, test } from 'vitest';
import { createOutcomes, decideOutcome } from '../../src/actors/receiver/outcomes.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import { anEvent } from '../support/log/events.ts';
import { TEST_ID } from '../support/process/instants.ts';

const recorded = (event: TestEvent, id = TEST_ID) => ({ id, seq: 3, time: 0, event });

/** Returns the name of the reply, or `waits` while there is none. */
const state = (outcome: Promise<{ reply: string }>) =>
  Promise.race([outcome.then(({ reply }) => reply), Promise.resolve().then(() => 'waits')]);

test.each([
  ['analysed', anEvent('AnalysisDone')],
  ['failed', anEvent('AnalysisFailed')],
  ['temporary_failure', anEvent('AnalysisTimeout', 0, { attempt: 1 })],
  ['temporary_failure', anEvent('AnalysisTimeout', 0, { attempt: 2 })],
  ['failed', anEvent('AnalysisTimeout', 0, { attempt: 3 })],
  ['unknown_address', anEvent('Expired')],
  [undefined, anEvent('TestCreated')],
  [undefined, anEvent('MailArrived')],
  [undefined, anEvent('MailRefused')],
])('%s is what %o says', (reply, event) => {
  expect(decideOutcome(event)?.reply).toBe(reply);
});

test('the end of an analysis reaches the sender of that email', async () => {
  const outcomes = createOutcomes();
  const arrival = anEvent('MailArrived');
  const { outcome } = outcomes.expect(arrival.id, TEST_ID);
  outcomes.onEvent(recorded(arrival));
  expect(await state(outcome)).toBe('waits');
  outcomes.onEvent(recorded(anEvent('AnalysisDone')));
  expect(await outcome).toMatchObject({ reply: 'analysed' });
});

test('it does not reach the sender of another copy or of another test', async () => {
  const outcomes = createOutcomes();
  const mine = anEvent('MailArrived');
  const copy = outcomes.expect('another id', TEST_ID);
  const other = outcomes.expect(mine.id, 'zzzzzzzzzzzz');
  outcomes.onEvent(recorded(mine, 'zzzzzzzzzzzz'));
  outcomes.onEvent(recorded(anEvent('MailArrived')));
  outcomes.onEvent(recorded(anEvent('AnalysisDone')));
  expect(await state(copy.outcome)).toBe('waits');
  expect(await state(other.outcome)).toBe('waits');
});

test('it does not reach anybody who has stopped waiting', async () => {
  const outcomes = createOutcomes();
  const [one, other] = [anEvent('MailArrived'), anEvent('MailArrived')];
  const early = outcomes.expect(one.id, TEST_ID);
  early.forget();
  outcomes.onEvent(recorded(one));
  const late = outcomes.expect(other.id, TEST_ID);
  outcomes.onEvent(recorded(other));
  late.forget();
  outcomes.onEvent(recorded(anEvent('AnalysisDone')));
  expect(await state(early.outcome)).toBe('waits');
  expect(await state(late.outcome)).toBe('waits');
});
