import {
  bySeverity,
  inWords,
  isOfMail,
  type RunOutcome,
  summaryOf,
  uncheckedInWords,
} from '../outcome.ts';
import { fixParts } from './fix-parts.ts';
import type { FilePlace } from './json-schema.ts';
import { plainLine, plainText } from './plain-text.ts';

const words = (text: string) =>
  plainLine(text)
    .replace(/[\\`*_[\]<>|~#]/g, '\\$&')
    .replace(/@/g, '@<!---->');

/** A fence longer than any in the text. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${plainText(text)}\n${fence}`;
}

const MARKS = { fail: '❌', warn: '⚠️', info: 'ℹ️', pass: '✅' } as const;

/** A summary for people: what to fix first, then every finding that does not pass. */
export function toMarkdown(outcomes: readonly RunOutcome[]): string {
  const many = outcomes.length > 1;
  const head = many ? [`# ${words(inWords(summaryOf(outcomes)))}`] : [];
  return `${[...head, ...outcomes.flatMap((one) => blocksOf(one, many))].join('\n\n')}\n`;
}

function blocksOf(outcome: RunOutcome, many: boolean): readonly string[] {
  const { report, failures, fault, remarks, file, places } = outcome;
  const lines: string[] = [];
  const name = many ? `${words(file ?? 'stdin')}: ` : 'Deliverability: ';
  if (fault && many) lines.push(`## ${name}no report`);
  if (fault) lines.push(`**${fault.excused ? 'Not checked' : 'Failed'}**: ${words(fault.message)}`);
  if (report) {
    const score = isOfMail(report)
      ? `${report.score} of 100, grade ${report.grade}`
      : words(report.domain);
    lines.push(`## ${name}${score}`);
    const unchecked = uncheckedInWords(report);
    if (unchecked) lines.push(`**${words(unchecked)}**`);
  }
  if (failures.length > 0)
    lines.push(
      'This fails the build:',
      failures.map(({ id, message }) => `- **${words(id)}**: ${words(message)}`).join('\n'),
    );
  if (!many) for (const remark of remarks) lines.push(words(remark));
  for (const [index, fix] of (report?.top_fixes ?? []).entries()) {
    const actions = report?.findings.find(({ id }) => id === fix.id)?.actions;
    lines.push(`### ${index + 1}. ${words(fix.title)}`);
    for (const part of fixParts(fix, actions))
      lines.push(part.kind === 'copy' ? block(part.text) : words(part.text));
  }
  const shown = [...(report?.findings ?? [])]
    .filter(({ severity, checked }) => severity !== 'pass' && checked !== false)
    .sort(bySeverity);
  if (shown.length > 0) {
    const rows = shown.map(
      ({ severity, id, title, detail = '' }) =>
        `| ${MARKS[severity]} ${severity} | ${words(title)} (${words(id)}) | ${words(detail)} |${lineOf(places.get(id))}`,
    );
    const more = places.size > 0;
    lines.push(
      [
        `| | finding | seen |${more ? ' line |' : ''}`,
        `|---|---|---|${more ? '---|' : ''}`,
        ...rows,
      ].join('\n'),
    );
  }
  const unknown = report?.findings.filter(({ checked }) => checked === false) ?? [];
  if (unknown.length > 0)
    lines.push(
      `Not checked: ${unknown.map(({ title, id }) => `${words(title)} (${words(id)})`).join(', ')}.`,
    );
  return lines;
}

const lineOf = (place: FilePlace | undefined): string => (place ? ` ${place.line} |` : '');
