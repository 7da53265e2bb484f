import type { Filters } from '../../domain/report/filters.ts';
import type { Finding } from '../../domain/report/report.ts';
import type { FilterFacts, FilterRuleFact } from './facts.ts';

/**
 * Builds `report.filters`, which compares the results of spam filters with our own findings. Spam filters do
 * not affect the score.
 */
export function toFilters(facts: readonly FilterFacts[], findings: readonly Finding[]): Filters {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return facts.map((filter) => {
    const { name, runBy: run_by, status } = filter;
    if (filter.status === 'not_checked') return { name, run_by, status, reason: filter.reason };
    const { version, score, threshold, action, leftOut } = filter;
    return {
      ...{ name, run_by, status },
      ...(version !== null && { version }),
      score: toPoints(score),
      ...(threshold !== null && { threshold: toPoints(threshold) }),
      ...(action !== null && { action }),
      rules: filter.rules.map((rule) => toRule(rule, byId)),
      left_out: { rules: leftOut.rules, points: toPoints(leftOut.points) },
    };
  });
}

type Rule = NonNullable<Filters[number]['rules']>[number];

function toRule({ name, points, known }: FilterRuleFact, byId: ReadonlyMap<string, Finding>): Rule {
  const rule = { name, points: toPoints(points) };
  if (!known) return rule;
  const finding = known.finding === null ? undefined : byId.get(known.finding);
  const compared = finding && compare(known.says, finding);
  return {
    ...{ ...rule, about: known.about },
    ...(finding && { finding: finding.id }),
    ...(compared && { compared }),
  };
}

/**
 * Returns whether a filter rule agrees with a finding or contradicts it. Returns `undefined` if either of
 * them is neutral.
 */
function compare(says: 'fault' | 'good' | 'fact', { severity, checked }: Finding) {
  if (says === 'fact' || checked === false || severity === 'info') return undefined;
  return (severity === 'pass') === (says === 'good') ? 'agrees' : 'contradicts';
}

/** Rounds points to two decimals, as filters show them. Never returns -0. */
const toPoints = (points: number): number =>
  Math.round(Math.max(-100_000, Math.min(100_000, points)) * 100) / 100 + 0;
