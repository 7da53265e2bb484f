/** Runs `deliverability diff`, which compares two reports. */

import { compareStandings, type Standing, standingsOf } from '../../domain/report/compare.mjs';
import type { Report } from '../../domain/report/report.ts';
import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode, usageError } from '../exit.ts';
import { paintsOf } from '../formats/layout.ts';
import { plainLine } from '../formats/plain-text.ts';
import { readArgs, readJsonFile, readWord } from '../options.ts';
import { isReadableReport } from '../service/answer-shapes.ts';

const options = { format: { type: 'string' } } as const;

/** A finding whose result differs between the two reports. */
interface FindingChange {
  readonly id: string;
  readonly title: string;
  readonly before: Standing;
  readonly after: Standing;
  readonly direction: 'worse' | 'better' | 'other';
}

interface Difference {
  readonly score: { readonly before: number; readonly after: number };
  readonly grade: { readonly before: string; readonly after: string };
  readonly changes: readonly FindingChange[];
}

/** Compares two reports. Returns exit code 1 if any finding is worse. */
export async function runDiff(args: readonly string[], console: CommandConsole): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['BEFORE', 'AFTER']);
  const format = readWord('format', values.format ?? 'view', ['view', 'json'] as const);
  const [before = '', after = ''] = positionals;
  const difference = compareReports(toReport(before), toReport(after));
  const render = { view: toView, json: toJson };
  await console.print(render[format](difference, console.colors));
  return isWorse(difference) ? EXIT.below : EXIT.good;
}

function toReport(path: string): Report {
  const report = readJsonFile(path);
  if (isReadableReport(report)) return report;
  throw usageError(`${path} is not a report on one email: save one with --format json=FILE.`);
}

function compareReports(before: Report, after: Report): Difference {
  const titles = new Map(
    [...before.findings, ...after.findings].map(({ id, title }) => [id, title]),
  );
  const changes = compareStandings(
    standingsOf(before.findings),
    standingsOf(after.findings),
  ).flatMap(({ direction, ...change }): FindingChange[] =>
    direction === 'same'
      ? []
      : [{ ...change, direction, title: titles.get(change.id) ?? change.id }],
  );
  return {
    score: { before: before.score, after: after.score },
    grade: { before: before.grade, after: after.grade },
    changes: changes.sort((a, b) => ORDER[a.direction] - ORDER[b.direction]),
  };
}

const ORDER = { worse: 0, better: 1, other: 2 } as const;

const isWorse = ({ score, changes }: Difference): boolean =>
  score.after < score.before || changes.some(({ direction }) => direction === 'worse');

const wordOf = (standing: Standing) => standing ?? 'absent';

function toView({ score, grade, changes }: Difference, colors: boolean): string {
  const paint = paintsOf(colors);
  const tones = { worse: paint.bad, better: paint.good, other: paint.dim };
  const delta = score.after - score.before;
  const tone = delta < 0 ? paint.bad : delta > 0 ? paint.good : paint.dim;
  const lines = changes.map(
    ({ direction, before, after, title, id }) =>
      `  ${tones[direction](direction.padEnd(6))}  ${wordOf(before)} -> ${wordOf(after)}  ${plainLine(title)} ${paint.dim(`(${plainLine(id)})`)}`,
  );
  return [
    '',
    `  ${score.before} ${grade.before} -> ${paint.bold(`${score.after} ${grade.after}`)}  ${tone(`${delta > 0 ? '+' : ''}${delta}`)}`,
    ...(lines.length > 0 ? ['', ...lines] : ['  No finding changed.']),
    '',
  ].join('\n');
}

const toJson = (difference: Difference) =>
  `${JSON.stringify({ ...difference, worse: isWorse(difference) }, null, 2)}\n`;
