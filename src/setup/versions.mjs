import { execFileSync } from 'node:child_process';

/**
 * Whether a dotted version is at least another one; a `v` in front and `-rc.1` behind do not count.
 *
 * @param {string} version
 * @param {string} minimum
 */
export const isAtLeast = (version, minimum) =>
  version.replace(/^v/, '').localeCompare(minimum, 'en', { numeric: true }) >= 0;

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
