/**
 * Formats results for a person at a terminal: a single one in full, or several in a few lines each, with
 * their total.
 */

import { digest } from '../../domain/report/digest.mjs';
import {
  FILTER_LIMITS,
  filterTitle,
  filterVerdict,
  ruleLines,
} from '../../domain/report/filter-words.mjs';
import type { Finding, Report, Severity } from '../../domain/report/report.ts';
import { scoreText } from '../../domain/report/score-text.mjs';
import {
  type AnyReport,
  isOfMail,
  type RunOutcome,
  summaryOf,
  uncheckedInWords,
  uncheckedOf,
} from '../outcome.ts';
import { fixParts } from './fix-parts.ts';
import { columnsOf, cutTo, type Paints, paintsOf, widthOf, wrap } from './layout.ts';
import { plainLine, plainText } from './plain-text.ts';
import { routeLines } from './route-lines.ts';

const BAR = 40;
const MIN_BAR = 20;

interface ViewOptions {
  readonly columns: number;
  readonly colors: boolean;
  /** True to show every finding instead of only those that need attention. */
  readonly all: boolean;
  /** True to show a few lines for each email, followed by their total. */
  readonly many?: boolean;
}

/**
 * Formats the results that a person sees in a terminal. Records are printed in full on lines of their own, so
 * that they can be copied.
 */
export function toView(outcomes: readonly RunOutcome[], options: ViewOptions): string {
  const width = widthOf(options.columns);
  const paint = paintsOf(options.colors);
  const lines = options.many
    ? [
        ...outcomes.flatMap((one) => briefLines(one, width, paint)),
        '',
        ...wrap(summaryOf(outcomes).text, width - 2).map((line) => `  ${paint.bold(line)}`),
      ]
    : outcomes.flatMap((one) => wholeView(one, width, paint, options.all));
  return `${['', ...lines].join('\n')}\n`;
}

/** Formats one of many emails: its score, and what is below the requirements. */
function briefLines(outcome: RunOutcome, width: number, paint: Paints): readonly string[] {
  const { report, failures, fault, file, places } = outcome;
  const name = paint.bold(plainLine(file ?? 'stdin'));
  const text = (line: string) => wrap(plainLine(line), width - 4).map((one) => `    ${one}`);
  if (!report) return [`  ${paint.bad('no report')}  ${name}`, ...text(fault?.message ?? '')];
  const head = isOfMail(report) ? `  ${briefScore(report, paint)}  ${name}` : `  ${name}`;
  return [
    head,
    ...failures.flatMap(({ id, message }) => {
      const place = places.get(id);
      return text(`${place ? `line ${place.line}, ${place.what}: ` : ''}${id}: ${message}`);
    }),
  ];
}

function briefScore(report: Report, paint: Paints): string {
  const { lowest, score, grade } = scoreText(report);
  return toneOf(lowest, paint)(`${score} ${grade}`);
}

function wholeView(outcome: RunOutcome, width: number, paint: Paints, all: boolean) {
  const { report, failures, fault, remarks } = outcome;
  const lines: string[] = [];
  const say = (text: string, indent = 2, change = (line: string) => line) => {
    for (const line of wrap(plainText(text), width - indent))
      lines.push(line === '' ? '' : `${' '.repeat(indent)}${change(line)}`);
  };
  if (fault) say(fault.message, 2, fault.excused ? paint.warn : paint.bad);
  if (report) {
    const unchecked = uncheckedInWords(report);
    if (unchecked !== null) {
      say(unchecked, 2, paint.warn);
      lines.push('');
    }
    const head = isOfMail(report)
      ? scoreLines(report, width, paint)
      : [`  ${paint.bold(plainLine(report.domain))}`];
    lines.push(...head, '');
    for (const remark of remarks) say(remark, 2, paint.dim);
    if (remarks.length > 0) lines.push('');
    addFixes(report, say, lines, paint);
    if (isOfMail(report)) lines.push(...routeLines(report, paint));
    if (isOfMail(report)) addFilters(report, say, lines, paint, all);
    lines.push(...findingLines(report, width, paint, all));
  }
  if (failures.length > 0) {
    lines.push('', `  ${paint.bad(`Below what you require (${failures.length}):`)}`);
    for (const { id, message } of failures) say(`${id}: ${plainLine(message)}`, 4);
  }
  return lines;
}

const toneOf = (score: number, paint: Paints) =>
  score >= 90 ? paint.good : score >= 60 ? paint.warn : paint.bad;

/**
 * Formats the score with a bar. If something is unknown, the score is a range that begins with the lowest
 * possible score.
 */
function scoreLines(report: Report, width: number, paint: Paints): string[] {
  const { lowest, score, grade } = scoreText(report);
  const head = `${score.padStart(3)} of 100`;
  const tone = toneOf(lowest, paint);
  const from = plainLine(report.message.header_from.domain ?? '');
  const beside = width - head.length - grade.length - columnsOf(from) - 8;
  // The domain is never cut. Instead, the bar becomes shorter, or the domain gets a line of its own.
  const isBeside = beside >= MIN_BAR;
  const free = isBeside ? beside : width - head.length - grade.length - 6;
  const size = Math.max(0, Math.min(BAR, free));
  const columns = (part: number) => Math.round((part / 100) * size);
  const [sure, open] = [columns(lowest), columns(report.score)];
  const rest = `${'▒'.repeat(open - sure)}${'░'.repeat(size - open)}`;
  const bar = `  ${paint.bold(tone(head))}  ${paint.bold(tone(grade))}  ${tone('█'.repeat(sure))}${paint.dim(rest)}`;
  return isBeside ? [`${bar}  ${paint.dim(from)}`] : [bar, `  ${paint.dim(from)}`];
}

function addFixes(
  report: AnyReport,
  say: (text: string, indent: number, change?: (line: string) => string) => void,
  lines: string[],
  paint: Paints,
): void {
  const { top_fixes, findings } = report;
  if (top_fixes.length === 0) {
    const isOpen = isOfMail(report) ? scoreText(report).isOpen : uncheckedOf(report).length > 0;
    lines.push(
      isOpen ? '  Nothing to fix in what was checked.' : `  ${paint.good('Nothing to fix.')}`,
      '',
    );
    return;
  }
  lines.push(`  ${paint.bold('Fix first')}`);
  for (const [index, fix] of top_fixes.entries()) {
    const finding = findings.find(({ id }) => id === fix.id);
    const points = finding?.actions?.[0]?.points ?? 0;
    const gain = points > 0 ? paint.good(`  +${points}`) : '';
    lines.push('', `  ${index + 1}. ${paint.bold(plainLine(fix.title))}${gain}`);
    for (const part of fixParts(fix, finding?.actions))
      if (part.kind === 'words') say(part.text, 5);
      else
        for (const line of plainText(part.text).split('\n'))
          lines.push(`       ${paint.copy(line)}`);
  }
  lines.push('');
}

/** Adds the results of spam filters, without colours, because none of them affects the score. */
function addFilters(
  { filters = [] }: Report,
  say: (text: string, indent: number, change?: (line: string) => string) => void,
  lines: string[],
  paint: Paints,
  all: boolean,
): void {
  if (filters.length === 0) return;
  lines.push(`  ${paint.bold('Second opinion')}`);
  for (const filter of filters) {
    say(`${filterTitle(filter)}: ${filterVerdict(filter)}`, 2);
    for (const line of ruleLines(filter, all)) say(line, 4, paint.dim);
  }
  say(FILTER_LIMITS, 2, paint.dim);
  lines.push('');
}

function findingLines(report: AnyReport, width: number, paint: Paints, all: boolean): string[] {
  const { findings } = report;
  const unchecked = uncheckedOf(report);
  const judged = findings.filter(({ checked }) => checked !== false);
  const count = (severity: Severity) => judged.filter((one) => one.severity === severity).length;
  const tones = { fail: paint.bad, warn: paint.warn, info: paint.dim, pass: paint.good };
  const sum = (['fail', 'warn', 'info', 'pass'] as const).map((severity) => {
    const text = `${count(severity)} ${severity}`;
    return count(severity) > 0 ? tones[severity](text) : paint.dim(text);
  });
  const { problems, unchecked: open, extras, passed } = digest(findings, report.top_fixes);
  const line = (finding: Finding) => {
    const head = `  ${tones[finding.severity](finding.severity)}  ${plainLine(finding.title)}`;
    const room = width - columnsOf(plainLine(finding.title)) - 10;
    const detail = finding.detail && room > 12 ? cutTo(plainLine(finding.detail), room) : '';
    return detail === '' ? head : `${head}  ${paint.dim(detail)}`;
  };
  const titles = (some: readonly Finding[]) => some.map(({ title }) => plainLine(title)).join(', ');
  /** Lists the titles of several findings in one sentence, indented like the other findings. */
  const together = (what: string, some: readonly Finding[]) =>
    some.length === 0
      ? []
      : wrap(`${what}: ${titles(some)}`, width - 8).map((text) => `        ${paint.dim(text)}`);
  const rest = extras.length + passed.length;
  const notChecked = unchecked.length > 0 ? `, ${unchecked.length} not checked` : '';
  return [
    `  ${paint.bold('Findings')}  ${sum.join(', ')}${paint.dim(notChecked)}`,
    ...problems.flatMap(({ finding, consequences }) => [
      line(finding),
      ...together('same cause', consequences),
    ]),
    ...together('Not checked', unchecked),
    ...together(
      'Cannot be checked here',
      open.filter((one) => !unchecked.includes(one)),
    ),
    ...(all
      ? [...extras, ...passed].map(line)
      : together('Suggestions that cost no points', suggested(extras))),
    ...(rest > 0 && !all ? [paint.dim(`  --findings shows ${rest} more`)] : []),
  ];
}

/** Returns the suggestions that the reader can act on, without mere information. */
const suggested = (extras: readonly Finding[]) => extras.filter(({ fix }) => fix !== undefined);
