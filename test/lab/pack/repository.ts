import { execFileSync } from 'node:child_process';

/** Where this clone came from, as git has it; `undefined`: it is no clone. */
export function originUrl(): string | undefined {
  try {
    const args = ['config', '--get', 'remote.origin.url'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

const SSH = /^(?:ssh:\/\/)?git@(?<host>[^:/]+)[:/](?<path>.+)$/;
const WEB = /^(?:git\+)?https:\/\/(?:[^@/]+@)?(?<host>[^/]+)\/(?<path>.+)$/;

/** The page of a repository, without credentials; `undefined`: it has none, such as a folder of this machine. */
export function toPage(url: string | undefined): string | undefined {
  const { host, path } = (SSH.exec(url?.trim() ?? '') ?? WEB.exec(url?.trim() ?? ''))?.groups ?? {};
  if (host === undefined || path === undefined) return undefined;
  return `https://${host}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}
