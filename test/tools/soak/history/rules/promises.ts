import { MAX_ATTEMPTS, MAX_REFUSALS } from '../../../../../src/domain/events.ts';
import type { OperationOf } from '../history.ts';
import { operationsOf, type Rule, type Step, settledBy, stepsOf } from '../life.ts';
import { TICK_MS } from './limits.ts';

const by =
  (to: number) =>
  ({ recorded }: Step) =>
    recorded.time <= to + TICK_MS;

/** 201 means a recorded test, opened by the token that was given. */
export const creations: Rule = (life) =>
  operationsOf(life, 'created')
    .filter(
      ({ to, tokenSha256 }) =>
        !stepsOf(life, 'TestCreated')
          .filter(by(to))
          .some(
            ({ recorded: { event } }) =>
              event.type === 'TestCreated' && event.data.token_sha256 === tokenSha256,
          ),
    )
    .map(() => 'created for its caller, but not in the log');

/** 250 means that the analysis has ended, durably; a refusal is recorded before it is said. */
export const replies: Rule = (life) => {
  const said: Record<OperationOf<'mailed'>['reply'], (to: number) => boolean> = {
    analysed: (to) => stepsOf(life, 'AnalysisDone').some(by(to)),
    failed: (to) =>
      stepsOf(life, 'AnalysisFailed').some(by(to)) ||
      stepsOf(life, 'AnalysisTimeout').filter(by(to)).length >= MAX_ATTEMPTS,
    refused: (to) =>
      stepsOf(life, 'MailRefused').filter(by(to)).length >=
      Math.min(
        MAX_REFUSALS,
        operationsOf(life, 'mailed').filter((one) => one.reply === 'refused' && one.to <= to)
          .length,
      ),
  };
  return operationsOf(life, 'mailed')
    .filter(({ reply, to }) => !said[reply](to))
    .map(({ reply }) => `a sender heard "${reply}", which the log does not say`);
};

/** There is one report, and whoever reads it has paid, once, for good. */
export const reads: Rule = (life) => {
  const given = operationsOf(life, 'read');
  const named = stepsOf(life, 'AnalysisDone').flatMap(({ recorded: { event } }) =>
    event.type === 'AnalysisDone' ? event.data.report_seq : [],
  );
  const reports = life.reports.filter(({ seq }) => named.includes(seq));
  return [
    ...given
      .filter(({ to }) => !settledBy(life, to + TICK_MS))
      .map(() => 'a report was given that nobody had paid for'),
    ...given
      .filter(({ report }) => !reports.some((one) => one.report === report))
      .map(() => 'a report was given that is not the one of the log'),
    ...operationsOf(life, 'challenged')
      .filter(({ from }) => settledBy(life, from - TICK_MS))
      .map(() => 'asked for payment after the report was paid for'),
  ];
};
