/** Rules about what a response promises: creations, deletions, SMTP replies and reports. */

import { MAX_ATTEMPTS, MAX_REFUSALS } from '../../../../src/domain/events.ts';
import type { OperationOf } from '../history.ts';
import { operationsOf, type Rule, type Step, settledBy, stepsOf } from '../test-history.ts';
import { TICK_MS } from './limits.ts';

const by =
  (to: number) =>
  ({ recorded }: Step) =>
    recorded.time <= to + TICK_MS;

/** 201 means a recorded test, opened by the token that was returned. */
export const creations: Rule = (testHistory) =>
  operationsOf(testHistory, 'created')
    .filter(
      ({ to, tokenSha256 }) =>
        !stepsOf(testHistory, 'TestCreated')
          .filter(by(to))
          .some(
            ({ recorded: { event } }) =>
              event.type === 'TestCreated' && event.data.token_sha256 === tokenSha256,
          ),
    )
    .map(() => 'created for its caller, but not in the log');

/** 204 means a recorded end. */
export const deletions: Rule = (testHistory) =>
  operationsOf(testHistory, 'deleted')
    .filter(({ to }) => !stepsOf(testHistory, 'TestDeleted').some(by(to)))
    .map(() => 'deleted for its caller, but not in the log');

/** 250 means that the analysis has ended, durably. A refusal is recorded before it is sent. */
export const replies: Rule = (testHistory) => {
  const said: Record<OperationOf<'mailed'>['reply'], (to: number) => boolean> = {
    analysed: (to) => stepsOf(testHistory, 'AnalysisDone').some(by(to)),
    failed: (to) =>
      stepsOf(testHistory, 'AnalysisFailed').some(by(to)) ||
      stepsOf(testHistory, 'AnalysisTimeout').filter(by(to)).length >= MAX_ATTEMPTS,
    refused: (to) =>
      stepsOf(testHistory, 'MailRefused').filter(by(to)).length >=
      Math.min(
        MAX_REFUSALS,
        operationsOf(testHistory, 'mailed').filter((one) => one.reply === 'refused' && one.to <= to)
          .length,
      ),
  };
  return operationsOf(testHistory, 'mailed')
    .filter(({ reply, to }) => !said[reply](to))
    .map(({ reply }) => `a sender heard "${reply}", which the log does not say`);
};

/** There is one report, and anyone who reads it has paid, once, for good. */
export const reads: Rule = (testHistory) => {
  const given = operationsOf(testHistory, 'read');
  const named = stepsOf(testHistory, 'AnalysisDone').flatMap(({ recorded: { event } }) =>
    event.type === 'AnalysisDone' ? event.data.report_seq : [],
  );
  const reports = testHistory.reports.filter(({ seq }) => named.includes(seq));
  return [
    ...given
      .filter(({ to }) => !settledBy(testHistory, to + TICK_MS))
      .map(() => 'a report was given that nobody had paid for'),
    ...given
      .filter(({ report }) => !reports.some((one) => one.report === report))
      .map(() => 'a report was given that is not the one of the log'),
    ...operationsOf(testHistory, 'challenged')
      .filter(({ from }) => settledBy(testHistory, from - TICK_MS))
      .map(() => 'asked for payment after the report was paid for'),
  ];
};
