/** Installs and removes Debian's mail servers. */

import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { call } from './program.ts';

/** Called by each package's installation before it starts a server (invoke-rc.d(8)). */
const POLICY = '/usr/sbin/policy-rc.d';

const nonInteractive = { DEBIAN_FRONTEND: 'noninteractive' };

/** Returns why packages cannot be installed here, or `undefined` if they can. */
export function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'Installing packages needs root.';
  if (!existsSync('/usr/bin/apt-get')) return 'This needs Debian: there is no apt-get.';
  return undefined;
}

/** Installs Debian's packages, without starting their servers. */
export async function install(packages: readonly string[]): Promise<void> {
  const isOurs = !existsSync(POLICY);
  if (isOurs) {
    await writeFile(POLICY, '#!/bin/sh\nexit 101\n');
    await chmod(POLICY, 0o755);
  }
  try {
    await apt('install', '--no-install-recommends', ...packages);
  } finally {
    if (isOurs) await rm(POLICY);
  }
}

export const update = () => apt('update');

/** Removes packages with their settings, so that the next mail server has the machine to itself. */
export const purge = (packages: readonly string[]) => apt('purge', '--autoremove', ...packages);

export async function installed(name: string): Promise<boolean> {
  const state = await call('dpkg-query', ['-W', field('db:Status-Abbrev'), name]).catch(() => '');
  return state.startsWith('ii');
}

/** Returns the version of an installed package. */
export const versionOf = (name: string) => call('dpkg-query', ['-W', field('Version'), name]);

const field = (name: string) => `-f=\${${name}}`;

const apt = (...args: string[]) => call('apt-get', ['-y', '-qq', ...args], { env: nonInteractive });
