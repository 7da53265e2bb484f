import type { Report } from '../../domain/report/report.ts';
import { scoreText } from '../../domain/report/score-text.mjs';
import { exitCodeOf, type Fault, isOfMail, type RunOutcome, summaryOf } from '../outcome.ts';

/**
 * Formats results as JSON, as described in `docs/api/command-1.schema.json`: about one email, or about all
 * that were named.
 */
export function toJson(outcomes: readonly RunOutcome[], many: boolean): string {
  const [one] = outcomes;
  const document =
    many || !one ? { mails: outcomes.map(toMail), summary: summaryOf(outcomes) } : toOne(one);
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Returns the report as the service sends it, with the judgement by the criteria, or the reason why there is
 * no report.
 */
const toOne = (outcome: RunOutcome) =>
  outcome.report
    ? { ...outcome.report, judgement: judgementOf(outcome) }
    : { error: outcome.fault && toError(outcome.fault) };

const toMail = (outcome: RunOutcome) => ({
  file: outcome.file,
  report: outcome.report,
  ...(outcome.report && { judgement: judgementOf(outcome) }),
  ...(outcome.fault && { error: toError(outcome.fault) }),
});

const judgementOf = (outcome: RunOutcome) => ({
  exit_code: exitCodeOf(outcome),
  ...(outcome.report && isOfMail(outcome.report) && scoresOf(outcome.report)),
  failures: outcome.failures,
  places: Object.fromEntries(outcome.places),
  remarks: outcome.remarks,
});

const scoresOf = (report: Report) => {
  const { lowest, sentence } = scoreText(report);
  return { lowest_score: lowest, score_text: sentence };
};

/** Returns a failure for programs: the content of `error`, which is the same in all commands. */
export const toError = ({ exitCode, code, message, excused, ...details }: Partial<Fault>) => ({
  code,
  message,
  exit_code: exitCode,
  ...(excused && { excused }),
  ...details,
});
