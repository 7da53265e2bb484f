/**
 * The last report of this browser, for a comparison: its score, its grade and the ids of what was to
 * fix. Nothing that says whose mail it was.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @typedef {{ readonly score: number, readonly grade: string, readonly findings: readonly string[] }} Last
 */

const KEY = 'last-report';

/** @param {Report} report @returns {Last} */
const trim = ({ score, grade, findings }) => ({
  score,
  grade,
  findings: findings
    .filter(({ severity }) => severity === 'fail' || severity === 'warn')
    .map(({ id }) => id),
});

/** @param {Storage} storage @param {string} key @returns {Last | undefined} */
const parse = (storage, key) => JSON.parse(storage.getItem(key) ?? 'null') ?? undefined;

/**
 * The report before this one. Shown again, a report is compared with the same one as before.
 *
 * @param {string} id
 * @param {Report} report
 * @returns {Last | undefined}
 */
export function compareWithLast(id, report) {
  const key = `before:${id}`;
  try {
    if (sessionStorage.getItem(key) === null) {
      sessionStorage.setItem(key, localStorage.getItem(KEY) ?? 'null');
      localStorage.setItem(KEY, JSON.stringify(trim(report)));
    }
    return parse(sessionStorage, key);
  } catch {
    return undefined;
  }
}

/** @param {string} id */
export function forgetHistory(id) {
  try {
    localStorage.removeItem(KEY);
    sessionStorage.setItem(`before:${id}`, 'null');
  } catch {
    // Without storage there is nothing to forget.
  }
}
