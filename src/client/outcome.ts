/**
 * Judges the result for one email or domain, by its report and the user's criteria or by the reason why there
 * is no report. Also chooses exit codes, and sums up the results of all emails.
 */

import { RANK, standingOf } from '../domain/report/compare.mjs';
import type { DomainReport } from '../domain/report/domain-report.ts';
import type { Finding, Report, Severity } from '../domain/report/report.ts';
import { lowestScore, scoreText } from '../domain/report/score-text.mjs';
import { EXIT, type ExitCode, type FailureDetails } from './exit.ts';
import { GATES } from './findings.ts';
import type { Failure, FilePlace, Summary } from './formats/json-schema.ts';

/** The reason why there is no report. */
export interface Fault extends FailureDetails {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  /** True if the service was unavailable and the user allows that. */
  readonly excused: boolean;
}

/** A report on an email, or a report on a domain before any email, which has no score. */
export type AnyReport = Report | DomainReport;

export const isOfMail = (report: AnyReport): report is Report => 'score' in report;

/** The result for one email, as every output format needs it. */
export interface RunOutcome {
  /** The report, or null if there is none; `fault` then says why. */
  readonly report: AnyReport | null;
  readonly failures: readonly Failure[];
  readonly fault: Fault | null;
  /** Path of the file that was read, for annotations; null if the email was sent. */
  readonly file: string | null;
  /** The places of the findings in that file, by the ids of the findings. */
  readonly places: ReadonlyMap<string, FilePlace>;
  /** Further lines of text for the reader. */
  readonly remarks: readonly string[];
}

/** The user's requirements for a report. */
export interface Criteria {
  readonly minScore: number | null;
  /** The mildest severity that counts as a failure; null if none does. */
  readonly failOn: 'fail' | 'warn' | null;
  /** Ids of findings that have to pass. */
  readonly required: readonly string[];
}

const isAtLeast = (severity: Severity, limit: 'fail' | 'warn') =>
  severity === 'fail' || (severity === 'warn' && limit === 'warn');

const describe = ({ title, detail }: Finding) => (detail ? `${title}: ${detail}` : title);

/**
 * Returns the requirements that a report does not meet, or may not meet because something is unknown. Empty
 * if it meets all of them.
 */
export function judgeReport(
  report: AnyReport,
  { minScore, failOn, required: wanted }: Criteria,
): Failure[] {
  const { findings } = report;
  const failures: Failure[] = [];
  if (minScore !== null && isOfMail(report) && lowestScore(report) < minScore)
    failures.push({
      gate: 'min_score',
      id: 'score',
      asked: minScore,
      seen: lowestScore(report),
      message: `The score is ${scoreText(report).score}, and you require at least ${minScore}.`,
    });
  for (const finding of findings)
    if (failOn !== null && isAtLeast(finding.severity, failOn))
      failures.push({
        gate: 'fail_on',
        id: finding.id,
        asked: failOn,
        seen: finding.severity,
        message: describe(finding),
      });
  for (const id of wanted) {
    if (failures.some((one) => one.id === id)) continue;
    const finding = findings.find((one) => one.id === id);
    const required = { gate: 'require', id, asked: 'pass', seen: standingOf(finding) } as const;
    if (!finding) {
      const gate = findings.find((one) => one.checked === false && one.id === GATES.get(id));
      const what = isOfMail(report) ? 'this email' : 'this domain';
      const needsMail = !isOfMail(report) && report.needs_mail.includes(id);
      const why = gate
        ? `it depends on ${gate.id}, which is unknown`
        : needsMail
          ? 'only an email can show it'
          : `it does not apply to ${what}`;
      failures.push({ ...required, message: `${id} must pass, and ${why}.` });
    } else if (finding.severity !== 'pass')
      failures.push({ ...required, message: `${id} must pass. ${describe(finding)}` });
  }
  return failures;
}

/** Returns the exit code for one email. */
export const exitCodeOf = ({ fault, failures }: RunOutcome): ExitCode =>
  fault
    ? fault.excused
      ? EXIT.good
      : fault.exitCode
    : failures.length > 0
      ? EXIT.below
      : EXIT.good;

/**
 * Orders findings by severity, worst first. Findings of equal severity stay in the order of the catalogue.
 */
export const bySeverity = (a: Finding, b: Finding): number => RANK[a.severity] - RANK[b.severity];

/** Returns the unknown findings, except those that nothing in this run could have determined. */
export function uncheckedOf(report: AnyReport): readonly Finding[] {
  const unseen = isOfMail(report) ? report.score_breakdown?.unknown?.not_counted : undefined;
  return report.findings.filter(({ id, checked }) => checked === false && !unseen?.includes(id));
}

/**
 * Says how many findings were not checked, and which of them matter. Returns null if everything was checked.
 */
export function uncheckedInWords(report: AnyReport): string | null {
  const { findings } = report;
  const unchecked = uncheckedOf(report);
  if (unchecked.length === 0) return null;
  const much = `Not checked: ${unchecked.length} of ${findings.length} findings`;
  if (!isOfMail(report)) return `${much}.`;
  const { score, score_breakdown } = report;
  const lowest = lowestScore(report);
  if (lowest === score)
    return `${much}. ${unchecked.length === 1 ? 'It cannot' : 'None of them can'} change the score.`;
  const costly = score_breakdown?.unknown?.findings ?? [];
  const titles = costly.flatMap((id) => findings.find((one) => one.id === id)?.title ?? []);
  const named = titles.slice(0, MAX_NAMED).join(', ');
  const more = titles.length > MAX_NAMED ? ` and ${titles.length - MAX_NAMED} more` : '';
  return `${much}. The score could be as low as ${lowest}, depending on: ${named}${more}.`;
}

/** Maximum number of titles in a sentence, so that it fits on one or two lines. */
const MAX_NAMED = 5;

/** Exit codes in order of precedence: the code that says the least about the emails comes first. */
const WORST: readonly ExitCode[] = [EXIT.defect, EXIT.usage, EXIT.serviceAway, EXIT.below];

/** Sums up the results of all emails. */
export function summaryOf(outcomes: readonly RunOutcome[]): Summary {
  const codes = outcomes.map(exitCodeOf);
  const scores = outcomes.flatMap(({ report }) =>
    report && isOfMail(report) ? [lowestScore(report)] : [],
  );
  const counts = {
    mails: outcomes.length,
    passed: codes.filter((code) => code === EXIT.good).length,
    below: codes.filter((code) => code === EXIT.below).length,
    errors: outcomes.filter(({ report }) => report === null).length,
    lowest_score: scores.length > 0 ? Math.min(...scores) : null,
    exit_code: WORST.find((code) => codes.includes(code)) ?? codes[0] ?? EXIT.good,
  };
  return { ...counts, text: inWords(counts) };
}

const inWords = ({ mails, passed, below, errors, lowest_score }: Omit<Summary, 'text'>): string =>
  [
    `${mails} ${mails === 1 ? 'email' : 'emails'}: ${passed} passed, ${below} below what you require`,
    errors > 0 && `, ${errors} without a report`,
    lowest_score !== null && `. The lowest score is ${lowest_score}`,
    '.',
  ]
    .filter(Boolean)
    .join('');
