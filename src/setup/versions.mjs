import { execFileSync } from 'node:child_process';

/**
 * Whether a dotted version is at least another one; `v` in front and `-RC.1` behind do not count.
 *
 * @param {string} version
 * @param {string} least
 */
export function isAtLeast(version, least) {
  const [have, need] = [numbers(version), numbers(least)];
  for (const [at, number] of need.entries()) {
    const other = have[at] ?? 0;
    if (other !== number) return other > number;
  }
  return true;
}

/** @param {string} version */
const numbers = (version) => (version.match(/\d+(\.\d+)*/)?.[0] ?? '').split('.').map(Number);

/**
 * What a program says to `--version`; `undefined` when it cannot be run here.
 *
 * @param {string} bin
 */
export function versionOf(bin) {
  try {
    const said = execFileSync(bin, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return /v(\d+\.\d+\.\d+)/.exec(said)?.[1];
  } catch {
    return undefined;
  }
}
