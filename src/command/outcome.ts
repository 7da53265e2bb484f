import type { Finding, Report, Severity } from '../domain/report/report.ts';
import type { ExitCode } from './exit.ts';

/** One thing that is not as it was asked for. */
export interface Failure {
  /** `score`: no finding alone. */
  readonly id: string;
  readonly message: string;
}

/** How a run ended, for every format. */
export interface RunOutcome {
  /** null: there is none, and `fault` says why. */
  readonly report: Report | null;
  readonly failures: readonly Failure[];
  readonly fault: {
    readonly message: string;
    readonly exitCode: ExitCode;
    /** The service was away, and that is allowed. */
    readonly excused: boolean;
  } | null;
  /** The file that was read, for annotations; null: a mail that was sent. */
  readonly file: string | null;
  /** Further lines for a reader. */
  readonly remarks: readonly string[];
}

/** What a report has to be. */
export interface Criteria {
  readonly minScore: number | null;
  /** The mildest severity that fails; null: none. */
  readonly failOn: 'fail' | 'warn' | null;
  /** Findings that have to pass. */
  readonly required: readonly string[];
}

const isAtLeast = (severity: Severity, limit: 'fail' | 'warn') =>
  severity === 'fail' || (severity === 'warn' && limit === 'warn');

const describe = ({ title, detail }: Finding) => (detail ? `${title}: ${detail}` : title);

/** Where a report is below what was asked for; empty: nowhere. */
export function judgeReport(
  { score, findings }: Report,
  { minScore, failOn, required }: Criteria,
): Failure[] {
  const failures: Failure[] = [];
  if (minScore !== null && score < minScore)
    failures.push({
      id: 'score',
      message: `The score is ${score}, and at least ${minScore} is asked for.`,
    });
  for (const finding of findings)
    if (failOn !== null && isAtLeast(finding.severity, failOn))
      failures.push({ id: finding.id, message: describe(finding) });
  for (const id of required) {
    if (failures.some((one) => one.id === id)) continue;
    const finding = findings.find((one) => one.id === id);
    if (!finding)
      failures.push({ id, message: `${id} has to pass, and it does not apply to this mail.` });
    else if (finding.severity !== 'pass')
      failures.push({ id, message: `${id} has to pass. ${describe(finding)}` });
  }
  return failures;
}

/** 0: the worst. */
export const RANK: Readonly<Record<Severity, number>> = { fail: 0, warn: 1, info: 2, pass: 3 };

/** The worst first; the order of the catalogue else. */
export const bySeverity = (a: Finding, b: Finding): number => RANK[a.severity] - RANK[b.severity];

const UNKNOWN = 'Not known: ';

/** Findings whose facts could not be had: they say nothing about the mail. */
export const isNotChecked = ({ severity, detail = '' }: Finding): boolean =>
  severity === 'info' && detail.startsWith(UNKNOWN);
