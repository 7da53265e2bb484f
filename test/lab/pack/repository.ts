/** Finds the repository's URL and its page. */

import { execFileSync } from 'node:child_process';

/** Returns the origin of this clone according to git, or `undefined` if it is not a clone. */
export function originUrl(): string | undefined {
  try {
    const args = ['config', '--get', 'remote.origin.url'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** Only the form that is a URL can have a port. */
const SSH = /^(?:ssh:\/\/git@(?<host>[^:/]+)(?::\d+)?\/|git@(?<scp>[^:/]+):)(?<path>.+)$/;
const WEB = /^(?:git\+)?https:\/\/(?:[^@/]+@)?(?<host>[^/]+)\/(?<path>.+)$/;

/**
 * Returns the page of a repository, without credentials, or `undefined` if it has none, for example because
 * it is a local folder.
 */
export function toPage(url: string | undefined): string | undefined {
  const text = url?.trim() ?? '';
  const { scp, host = scp, path } = (SSH.exec(text) ?? WEB.exec(text))?.groups ?? {};
  if (host === undefined || path === undefined) return undefined;
  return `https://${host}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}
