/**
 * Finds out which findings became better or worse between two reports. The file is plain JavaScript without
 * imports, so that the page and the `diff` command give the same result. If the severity is unchanged, the
 * page also compares the points.
 *
 * @import { Finding, Severity } from './report.ts'
 */

/**
 * The state of a finding in one report. Null if the report does not contain the finding.
 *
 * @typedef {Severity | 'unknown' | null} Standing
 * @typedef {'worse' | 'better' | 'other' | 'same'} Direction
 */

/** Severities by rank, where 0 is the worst. @type {Readonly<Record<Severity, number>>} */
export const RANK = { fail: 0, warn: 1, info: 2, pass: 3 };

/** @param {Finding | undefined} finding @returns {Standing} */
export const standingOf = (finding) =>
  finding?.checked === false ? 'unknown' : (finding?.severity ?? null);

/**
 * Returns the rank of a severity. A missing finding ranks like a pass, because it reports no problem. @param
 * {Severity | null} severity
 */
const rankOf = (severity) => (severity === null ? RANK.pass : RANK[severity]);

/**
 * Returns whether a finding became better or worse. `other` means that it changed, but one side is unknown or
 * neither is a failure or warning.
 *
 * @param {Standing} before
 * @param {Standing} after
 * @returns {Direction}
 */
function directionOf(before, after) {
  if (before === after) return 'same';
  if (before === 'unknown' || after === 'unknown') return 'other';
  if (![before, after].some((one) => one === 'fail' || one === 'warn')) return 'other';
  return rankOf(after) < rankOf(before) ? 'worse' : 'better';
}

/** @param {readonly Finding[]} findings @returns {ReadonlyMap<string, Standing>} */
export const standingsOf = (findings) =>
  new Map(findings.map((finding) => [finding.id, standingOf(finding)]));

/**
 * Compares two reports, and returns every finding that either of them contains, with its direction.
 *
 * @param {ReadonlyMap<string, Standing>} before by id
 * @param {ReadonlyMap<string, Standing>} after by id
 */
export const compareStandings = (before, after) =>
  [...new Set([...after.keys(), ...before.keys()])].map((id) => {
    const [was, is] = [before.get(id) ?? null, after.get(id) ?? null];
    return { id, before: was, after: is, direction: directionOf(was, is) };
  });
