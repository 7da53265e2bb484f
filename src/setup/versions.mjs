import { execFileSync } from 'node:child_process';

/**
 * Whether a dotted version is at least another one; a `v` in front and `-RC.1` behind do not count.
 *
 * @param {string} version
 * @param {string} minimum
 */
export function isAtLeast(version, minimum) {
  const [have, need] = [numbers(version), numbers(minimum)];
  for (const [at, number] of need.entries()) {
    const other = have[at] ?? 0;
    if (other !== number) return other > number;
  }
  return true;
}

/** @param {string} version */
const numbers = (version) => (version.match(/\d+(\.\d+)*/)?.[0] ?? '').split('.').map(Number);

/**
 * The version that a program prints for `--version`; `undefined` when it cannot be run here.
 *
 * @param {string} bin
 */
export function versionOf(bin) {
  try {
    const output = execFileSync(bin, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return /v(\d+\.\d+\.\d+)/.exec(output)?.[1];
  } catch {
    return undefined;
  }
}
