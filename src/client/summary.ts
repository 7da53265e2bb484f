import { EXIT, type ExitCode } from './exit.ts';
import { exitCodeOf, isOfMail, lowestScore, type RunOutcome } from './outcome.ts';

/** What became of all mails together. */
export interface Summary {
  readonly mails: number;
  readonly passed: number;
  /** Below what was asked for. */
  readonly below: number;
  /** Without a report. */
  readonly errors: number;
  /** The lowest that the worst mail can be; null: no report. */
  readonly lowest_score: number | null;
  readonly exit_code: ExitCode;
}

/** The first of them that a mail ends with: what says least about the mails comes first. */
const WORST: readonly ExitCode[] = [EXIT.defect, EXIT.usage, EXIT.serviceAway, EXIT.below];

export function summaryOf(outcomes: readonly RunOutcome[]): Summary {
  const codes = outcomes.map(exitCodeOf);
  const scores = outcomes.flatMap(({ report }) =>
    report && isOfMail(report) ? [lowestScore(report)] : [],
  );
  return {
    mails: outcomes.length,
    passed: codes.filter((code) => code === EXIT.good).length,
    below: codes.filter((code) => code === EXIT.below).length,
    errors: outcomes.filter(({ report }) => report === null).length,
    lowest_score: scores.length > 0 ? Math.min(...scores) : null,
    exit_code: WORST.find((code) => codes.includes(code)) ?? codes[0] ?? EXIT.good,
  };
}

export const inWords = ({ mails, passed, below, errors, lowest_score }: Summary): string =>
  [
    `${mails} ${mails === 1 ? 'mail' : 'mails'}: ${passed} passed, ${below} below what you ask for`,
    errors > 0 && `, ${errors} without a report`,
    lowest_score !== null && `. The lowest score is ${lowest_score}`,
    '.',
  ]
    .filter(Boolean)
    .join('');
