/**
 * Groups findings for a reader in a hurry: problems, one per cause and the worst first, then what was not
 * checked, suggestions and information, and what passed. The file is plain JavaScript without imports, so that
 * the page, the terminal, Markdown and the MCP summary all use this one function.
 *
 * @import { Finding } from './report.ts'
 */

/**
 * @typedef {object} Problem
 * @property {Finding} finding What to fix.
 * @property {readonly Finding[]} consequences Other findings with the same cause.
 */

/**
 * @typedef {object} Digest
 * @property {readonly Problem[]} problems Failures and warnings, one per cause, worst first.
 * @property {readonly Finding[]} unchecked Findings that only say that something was not checked.
 * @property {readonly Finding[]} extras Findings that cost no points: suggestions and information.
 * @property {readonly Finding[]} passed
 */

/** States that only mean that nothing was examined. */
const NOT_LOOKED_AT = ['not_checked', 'not_observable'];

/** @param {Finding} finding */
const isUnchecked = ({ checked, state = '' }) => checked === false || NOT_LOOKED_AT.includes(state);

/** @param {Finding} finding */
const isProblem = ({ severity }) => severity === 'fail' || severity === 'warn';

/** Orders two findings, worst first. @param {Finding} a @param {Finding} b */
const byWeight = (a, b) =>
  Number(b.severity === 'fail') - Number(a.severity === 'fail') ||
  (b.points ?? 0) - (a.points ?? 0);

/**
 * Groups findings for a reader. Each finding appears in exactly one group.
 *
 * @param {readonly Finding[]} findings
 * @param {readonly { readonly id: string }[]} [topFixes] the findings that represent their cause, if they are
 * among those with that cause
 * @returns {Digest}
 */
export function digest(findings, topFixes = []) {
  const checked = findings.filter((one) => !isUnchecked(one));
  const causes = Map.groupBy(checked.filter(isProblem), ({ cause, id }) => cause ?? id);
  const problems = [...causes.values()].map((all) => {
    const sorted = all.toSorted(byWeight);
    const named = sorted.find(({ id }) => topFixes.some((fix) => fix.id === id));
    const finding = /** @type {Finding} */ (named ?? sorted[0]);
    return { finding, consequences: sorted.filter((one) => one !== finding) };
  });
  return {
    problems: problems.toSorted((a, b) => byWeight(a.finding, b.finding)),
    unchecked: findings.filter(isUnchecked),
    extras: checked.filter(({ severity }) => severity === 'info'),
    passed: checked.filter(({ severity }) => severity === 'pass'),
  };
}
