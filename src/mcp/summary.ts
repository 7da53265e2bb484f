/** Summarizes a report for an agent, as text within a limited number of tokens, and as data. */

import { SAMPLE_ID } from '../domain/ids.ts';
import { digest } from '../domain/report/digest.mjs';
import { filterTitle, filterVerdict } from '../domain/report/filter-words.mjs';
import type { Finding, Report } from '../domain/report/report.ts';
import { lowestScore, scoreText } from '../domain/report/score-text.mjs';
import type { ReportVerdict } from './schemas.ts';

/**
 * Maximum number of tokens in a summary, by the estimate below, which is never lower than a model's own
 * count.
 */
const MAX_TOKENS = 1850;

/**
 * Maximum number of characters in one text of a report. Records can be long, and the full report contains
 * them.
 */
const MAX_FIX = 700;
const MAX_DETAIL = 160;

type Digest = ReturnType<typeof digest>;

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/**
 * Length from which a word is assumed to be a key, a token or a name, which models split into many pieces.
 */
const LONG = 20;

/**
 * Estimates the number of tokens in a text. The estimate is never lower than what models need for the content
 * of reports: it counts three quarters of a token for each character of a key, and two for each letter of
 * another script.
 */
export const estimateTokens = (text: string): number =>
  text.split(/[^\S\n]+/).reduce((sum, word) => sum + tokensOf(word), 0);

const ASCII = /^[\x20-\x7e\n]$/;

function tokensOf(word: string): number {
  if (word.length >= LONG)
    return Math.ceil([...word].reduce((sum, char) => sum + (ASCII.test(char) ? 0.75 : 2), 0));
  let tokens = 0;
  for (const [run] of word.matchAll(/[A-Z]?[a-z]+|[A-Z]+|\d+|[\s\S]/gu))
    if (/^[a-z]/i.test(run)) tokens += Math.ceil(run.length / 4);
    else if (/^\d/.test(run)) tokens += Math.ceil(run.length / 2);
    else tokens += ASCII.test(run) ? 1 : 2;
  return tokens;
}

const idsOf = (some: readonly Finding[]): string => some.map(({ id }) => id).join(', ');

const line = ({
  finding: { id, severity, title, detail },
  consequences,
}: Digest['problems'][number]): string => {
  const also = consequences.length > 0 ? ` (same cause: ${idsOf(consequences)})` : '';
  return `${oneLine(cut(`${severity} ${id}: ${title}${detail ? `: ${detail}` : ''}`, MAX_DETAIL))}${also}`;
};

/** Returns the content of the summary as data. */
export function verdictOf(report: Report): ReportVerdict {
  const { score, grade, top_fixes, findings } = report;
  return {
    score,
    lowest_score: lowestScore(report),
    grade,
    fix_plan: top_fixes.map(({ id, title, fix }) => {
      const actions = findings.find((one) => one.id === id)?.actions ?? [];
      return { id, title, fix: cut(fix, MAX_FIX), points: actions[0]?.points ?? 0, actions };
    }),
    wrong: findings
      .filter(({ severity }) => severity === 'fail' || severity === 'warn')
      .map(({ id, severity, title, detail = '' }) => ({
        ...{ id, severity, title },
        detail: cut(oneLine(detail), MAX_DETAIL),
      })),
    unknown: findings.filter(({ checked }) => checked === false).map(({ id }) => id),
  };
}

/** Returns the text that an agent needs to act: the score, what to fix first, and what else is wrong. */
export function summarize(report: Report): string {
  const { message, received_at, top_fixes, findings } = report;
  const { problems, unchecked, extras, passed } = digest(findings, top_fixes);
  const wrong = problems.reduce((sum, { consequences }) => sum + 1 + consequences.length, 0);
  const unknown = findings.filter(({ checked }) => checked === false);
  const { sentence, isOpen, lowest } = scoreText(report);
  const lines = [
    `Score ${sentence}, for the email from ${message.header_from.domain ?? 'an unreadable From'}, received ${received_at}.`,
    `${findings.length} findings: ${wrong} fail or warn, from ${problems.length} ${problems.length === 1 ? 'cause' : 'causes'}; ${passed.length} pass.`,
    ...(unknown.length > 0
      ? [
          `Unknown: ${idsOf(unchecked)}. They neither pass nor fail${isOpen ? `; the score may be as low as ${lowest}` : ''}.`,
        ]
      : []),
    top_fixes.length > 0
      ? 'Fix first:'
      : unknown.length > 0
        ? 'Nothing to fix, as far as is known.'
        : 'Nothing to fix.',
    ...top_fixes.map(({ id, fix }, index) => `${index + 1}. ${id}: ${oneLine(cut(fix, MAX_FIX))}`),
    ...(problems.length > 0
      ? ['Everything that fails or warns, by cause:', ...problems.map(line)]
      : []),
    ...(extras.length > 0 ? [`Suggestions and notes that cost no points: ${idsOf(extras)}.`] : []),
    ...filterLines(report),
  ];
  const end = `explain_finding explains a finding; read_report with detail "whole" returns them all${report.test_id === SAMPLE_ID ? '.' : ', free now.'}`;
  return withinLimit(lines, end);
}

/** Returns the opinions of spam filters, which come last because they never affect the score. */
function filterLines({ filters = [] }: Report): string[] {
  if (filters.length === 0) return [];
  const named = (filter: NonNullable<Report['filters']>[number]) => {
    const rules = (filter.rules ?? [])
      .filter(({ points }) => points >= 0.5)
      .map(({ name }) => name);
    return `${filterTitle(filter)}: ${filterVerdict(filter)}${rules.length > 0 ? ` Most points: ${rules.slice(0, MAX_RULES).join(', ')}.` : ''}`;
  };
  return ['Second opinion of spam filters (does not affect the score):', ...filters.map(named)];
}

/** Maximum number of rules of one filter that a summary names. */
const MAX_RULES = 5;

function withinLimit(lines: readonly string[], end: string): string {
  let left = MAX_TOKENS - estimateTokens(end);
  const kept: string[] = [];
  for (const text of lines) {
    left -= estimateTokens(text) + 1;
    if (left < 0) {
      kept.push('…');
      break;
    }
    kept.push(text);
  }
  return [...kept, end].join('\n');
}
