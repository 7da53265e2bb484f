/**
 * Whether a dotted version is at least another one; `v` in front and `-RC.1` behind do not count.
 *
 * @param {string} version
 * @param {string} least
 */
export function isAtLeast(version, least) {
  const [have, need] = [numbers(version), numbers(least)];
  const at = need.findIndex((one, index) => one !== (have[index] ?? 0));
  return at < 0 || (have[at] ?? 0) > (need[at] ?? 0);
}

/** @param {string} version */
const numbers = (version) =>
  version.replace(/^v/, '').split('-', 1).join('').split('.').map(Number);
