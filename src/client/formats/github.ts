import { scoreText } from '../../domain/report/score-text.mjs';
import { bySeverity, isOfMail, type RunOutcome, summaryOf, uncheckedInWords } from '../outcome.ts';
import type { FilePlace } from './json-schema.ts';
import { plainLine, plainText } from './plain-text.ts';

const data = (text: string) =>
  plainText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotation = (
  level: 'error' | 'warning' | 'notice',
  title: string,
  text: string,
  file: string | null,
  place: FilePlace = { line: 1, what: '' },
) => {
  const where = file === null ? '' : `file=${property(file)},line=${place.line},`;
  return `::${level} ${where}title=${property(plainLine(title))}::${data(text)}`;
};

/**
 * Formats results as workflow commands, which GitHub shows as annotations. Whatever fails the build is an
 * error.
 */
export const toGithub = (outcomes: readonly RunOutcome[]): string =>
  `${[
    ...outcomes.flatMap(linesOf),
    ...(outcomes.length > 1
      ? [annotation('notice', 'Deliverability', summaryOf(outcomes).text, null)]
      : []),
  ].join('\n')}\n`;

function linesOf({ report, failures, fault, file, places }: RunOutcome): readonly string[] {
  const lines: string[] = [];
  if (fault)
    lines.push(
      annotation(fault.excused ? 'warning' : 'error', 'Deliverability', fault.message, file),
    );
  const byId = new Map(failures.map((one) => [one.id, one.message]));
  const findings = [...(report?.findings ?? [])].sort(bySeverity);
  for (const { id, message } of failures)
    if (!findings.some((one) => one.id === id))
      lines.push(annotation('error', 'Deliverability', message, file));
  for (const { id, title, detail = '', fix, severity } of findings) {
    const failure = byId.get(id);
    if (failure === undefined && severity !== 'fail' && severity !== 'warn') continue;
    const text = [failure ?? detail, fix].filter(Boolean).join('\n') || title;
    const level = failure === undefined ? 'warning' : 'error';
    lines.push(annotation(level, title, text, file, places.get(id)));
  }
  if (report) {
    const score = isOfMail(report)
      ? `Score ${scoreText(report).sentence}.`
      : `${report.domain}: ${report.findings.length} findings.`;
    const text = [score, uncheckedInWords(report)].filter(Boolean).join('\n');
    lines.push(annotation('notice', 'Deliverability', text, file));
  }
  return lines;
}
