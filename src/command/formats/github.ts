import { bySeverity, type RunOutcome, uncheckedInWords } from '../outcome.ts';
import { plainLine, plainText } from './plain-text.ts';

const data = (text: string) =>
  plainText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotation = (
  level: 'error' | 'warning' | 'notice',
  title: string,
  text: string,
  file: string | null,
) => {
  const where = file === null ? '' : `file=${property(file)},line=1,`;
  return `::${level} ${where}title=${property(plainLine(title))}::${data(text)}`;
};

/** Workflow commands, which GitHub shows as annotations: errors for what fails the build. */
export function toGithub({ report, failures, fault, file }: RunOutcome): string {
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
    const text = [failure ?? detail, fix].filter(Boolean).join('\n');
    lines.push(annotation(failure === undefined ? 'warning' : 'error', title, text || title, file));
  }
  if (report)
    lines.push(
      annotation(
        'notice',
        'Deliverability',
        [`Score ${report.score} of 100, grade ${report.grade}.`, uncheckedInWords(report)]
          .filter(Boolean)
          .join('\n'),
        file,
      ),
    );
  return `${lines.join('\n')}\n`;
}
