/**
 * Checks out another release of this project, to run it beside this one, and finds the main module of a
 * checkout.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../../../src/config/command-line.ts';

const run = promisify(execFile);
const LOCK = 'package-lock.json';

/** A checkout of another commit, with the packages that it needs. */
export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Checks out a commit of this project beside this one, as a git worktree. It shares our packages if it needs
 * the same ones; otherwise npm installs them.
 * @throws UsageError if there is no such commit
 */
export async function checkOut(commit: string, folder: string): Promise<Checkout> {
  await run('git', ['worktree', 'add', '--detach', folder, commit]).catch(() => {
    throw new UsageError(`git has no commit "${commit}" here, or cannot check it out.`);
  });
  const [own, other] = await Promise.all([LOCK, join(folder, LOCK)].map((file) => readFile(file)));
  const modules = join(folder, 'node_modules');
  if (own && other?.equals(own)) await symlink(resolve('node_modules'), modules);
  else if (!existsSync(modules))
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  return {
    folder,
    async remove() {
      await rm(folder, { recursive: true, force: true });
      await run('git', ['worktree', 'prune']);
    },
  };
}

/**
 * Returns the main module of a checkout. 1.0.0 has only the service's own, to which a test cannot pass
 * anything.
 */
export function mainOf(folder: string): string {
  const [own, plain] = ['test/environment/service-main.ts', 'src/main.ts'].map((file) =>
    resolve(folder, file),
  ) as [string, string];
  return existsSync(own) ? own : plain;
}
