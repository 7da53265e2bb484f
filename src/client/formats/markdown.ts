/** Formats results as Markdown, for example for the summary of a CI pipeline. */

import { digest } from '../../domain/report/digest.mjs';
import {
  FILTER_LIMITS,
  filterTitle,
  filterVerdict,
  ruleLines,
} from '../../domain/report/filter-words.mjs';
import type { Finding, Report } from '../../domain/report/report.ts';
import { scoreText } from '../../domain/report/score-text.mjs';
import { isOfMail, type RunOutcome, summaryOf, uncheckedInWords, uncheckedOf } from '../outcome.ts';
import { fixParts } from './fix-parts.ts';
import type { FilePlace } from './json-schema.ts';
import { plainLine, plainText } from './plain-text.ts';

const words = (text: string) =>
  plainLine(text)
    .replace(/[\\`*_[\]<>|~#]/g, '\\$&')
    .replace(/@/g, '@<!---->');

/** Returns text as a code block with a fence that is longer than any in the text. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${plainText(text)}\n${fence}`;
}

const MARKS = { fail: '❌', warn: '⚠️', info: 'ℹ️', pass: '✅' } as const;

/** Formats a summary for people: what to fix first, then every finding that does not pass. */
export function toMarkdown(outcomes: readonly RunOutcome[]): string {
  const many = outcomes.length > 1;
  const head = many ? [`# ${words(summaryOf(outcomes).text)}`] : [];
  return `${[...head, ...outcomes.flatMap((one) => blocksOf(one, many))].join('\n\n')}\n`;
}

function blocksOf(outcome: RunOutcome, many: boolean): readonly string[] {
  const { report, failures, fault, remarks, file, places } = outcome;
  const lines: string[] = [];
  const name = many ? `${words(file ?? 'stdin')}: ` : 'Deliverability: ';
  if (fault && many) lines.push(`## ${name}no report`);
  if (fault) lines.push(`**${fault.excused ? 'Not checked' : 'Failed'}**: ${words(fault.message)}`);
  if (report) {
    const score = isOfMail(report) ? scoreText(report).sentence : words(report.domain);
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
  const { problems, unchecked: open, extras } = digest(report?.findings ?? [], report?.top_fixes);
  if (problems.length > 0) {
    const rows = problems.map(({ finding: { severity, id, title, detail = '' }, consequences }) => {
      const also = consequences.length > 0 ? `; same cause: ${namesOf(consequences)}` : '';
      return `| ${MARKS[severity]} ${severity} | ${words(title)} (${words(id)})${also} | ${words(detail)} |${lineOf(places.get(id))}`;
    });
    const more = places.size > 0;
    lines.push(
      [
        `| | finding | seen |${more ? ' line |' : ''}`,
        `|---|---|---|${more ? '---|' : ''}`,
        ...rows,
      ].join('\n'),
    );
  }
  const unchecked = report ? uncheckedOf(report) : [];
  const unseen = open.filter((one) => !unchecked.includes(one));
  if (unchecked.length > 0) lines.push(`Not checked: ${namesOf(unchecked)}.`);
  if (unseen.length > 0) lines.push(`Cannot be checked here: ${namesOf(unseen)}.`);
  if (extras.length > 0)
    lines.push(`Suggestions and notes that cost no points: ${namesOf(extras)}.`);
  if (report && isOfMail(report)) lines.push(...filterBlocks(report));
  return lines;
}

/** Formats the results of spam filters, which never affect the score. */
function filterBlocks({ filters = [] }: Report): readonly string[] {
  if (filters.length === 0) return [];
  const one = (filter: NonNullable<Report['filters']>[number]) => {
    const list = ruleLines(filter).map((line) => `- ${words(line)}`);
    return [`**${words(filterTitle(filter))}**: ${words(filterVerdict(filter))}`, ...list];
  };
  return ['### Second opinion', ...filters.map((filter) => one(filter).join('\n')), FILTER_LIMITS];
}

const namesOf = (some: readonly Finding[]): string =>
  some.map(({ title, id }) => `${words(title)} (${words(id)})`).join(', ');

const lineOf = (place: FilePlace | undefined): string => (place ? ` ${place.line} |` : '');
