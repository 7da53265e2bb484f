/** Counts the results of a test run, and lists what deserves a remark. */

import { TEST_MS } from './limits.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {object} Test
 * @property {string} status
 * @property {string} [fullName]
 * @property {number} [duration] in milliseconds
 * @property {{ skipped?: string }} [meta] `skipped`: the reason, from `needs`
 *
 * @typedef {{ status: string, assertionResults: Test[] }} File
 * @typedef {{ testResults: File[] }} Report the output of Vitest's JSON reporter
 */

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/**
 * Returns the number of tests in a run by result. A file that could not be run counts as one failed test, and
 * so does a run that failed for a reason of its own, such as an error outside of any test.
 *
 * @param {Report | undefined} report
 * @param {number} exitCode Vitest's
 * @returns {Counts}
 */
export function countVitest(report, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of report?.testResults ?? []) {
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    const blamed = assertionResults.some((test) => test.status === 'failed');
    if (status === 'failed' && !blamed) counts.failed += 1;
  }
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/**
 * Returns remarks for the reader of the total: why a test was skipped, and which tests came near their time
 * limit.
 *
 * @param {Report | undefined} report
 * @param {boolean} [byName] true if tests were chosen by name, so that the others need no reason
 * @returns {string[]}
 */
export function remarks(report, byName = false) {
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  return tests.flatMap(({ status, fullName, duration = 0, meta }) => {
    if (status === 'skipped' && byName && !meta?.skipped) return [];
    if (status === 'skipped') return [`skip  ${fullName}: ${meta?.skipped ?? 'no reason given'}`];
    if (duration < TEST_MS / 3) return [];
    return [`slow  ${fullName}: ${Math.round(duration / 1000)} s of ${TEST_MS / 1000} s`];
  });
}

/** @param {Counts} counts */
export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
