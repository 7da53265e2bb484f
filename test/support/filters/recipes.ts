/** Starts the real SpamAssassin and rspamd as docs/filters.md sets them up. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the block of `docs/filters.md` that begins with this comment. */
export function recipe(name: string): string {
  const blocks = readFileSync('docs/filters.md', 'utf8').matchAll(/^```\w+\n([\s\S]*?)^```$/gm);
  for (const [, text = ''] of blocks) if (text.startsWith(`# ${name}\n`)) return text;
  throw new Error(`docs/filters.md has no block of ${name}`);
}

/** Returns the value of one setting in a unit. */
const settingOf = (unit: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(recipe(`/etc/systemd/system/${unit}`))?.[1] ?? '';

export const isInstalled = ['spamd', 'rspamd'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** A few top-level domains, because rspamd compiles those of the whole world for half a minute. */
const ENDINGS = 'com\nnet\norg\nexample\n';

const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts both daemons, with the files and the commands of the page, and a folder instead of their own ones.
 */
export async function startRecipes() {
  const folder = await mkdtemp(join(tmpdir(), 'filters-'));
  const at = (name: string) => join(folder, name);
  for (const name of ['', 'spamassassin', 'run', 'cache', 'tmp']) {
    await mkdir(at(name), { recursive: true });
    await chmod(at(name), 0o777);
  }
  for (const name of ['init.pre', 'local.cf'])
    await writeFile(at(`spamassassin/${name}`), recipe(name));
  await writeFile(at('endings'), ENDINGS);
  const conf = recipe('rspamd.conf')
    .replace(/url_tld = .*;/, `url_tld = "${at('endings')}";`)
    .replace('tempdir = "/tmp"', `tempdir = "${at('tmp')}"`);
  await writeFile(at('rspamd.conf'), conf);

  const output: Buffer[] = [];
  const start = (unit: string): ChildProcess => {
    const [program = '', ...args] = settingOf(unit, 'ExecStart')
      .split(' ')
      .map((word) =>
        word
          .replace('/etc/deliverability-filters', folder)
          .replace(/\/run\/deliverability-\w+/, at('run'))
          .replace(/\/var\/cache\/deliverability-\w+/, at('cache')),
      );
    const { PATH } = process.env;
    const env = { PATH: `${PATH}:/usr/sbin`, HOME: '/nonexistent', TMPDIR: at('tmp') };
    const outputs = ['StandardOutput', 'StandardError'].map((name) =>
      settingOf(unit, name) === 'null' ? ('ignore' as const) : ('pipe' as const),
    );
    const child = spawn(program, args, {
      cwd: folder,
      env,
      stdio: ['ignore', ...outputs],
      ...NOBODY,
    });
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    return child;
  };
  const daemons = ['deliverability-spamd.service', 'deliverability-rspamd.service'].map(start);
  const sockets = {
    spamd: { path: at('run/spamd.sock') },
    rspamd: { path: at('run/rspamd.sock') },
  };
  for (const { path } of Object.values(sockets))
    while (!existsSync(path)) {
      if (daemons.some(({ exitCode }) => exitCode !== null))
        throw new Error(`a filter has ended: ${Buffer.concat(output)}`);
      await sleep(50);
    }

  return {
    sockets,
    output: () => Buffer.concat(output).toString('latin1'),
    /** Returns what is in its temporary folder and its cache, and in the shared memory of this machine. */
    async left(): Promise<string> {
      const texts = ['/dev/shm', at('tmp'), at('cache'), at('run')].map(async (from) => {
        const files = await readdir(from, { recursive: true, withFileTypes: true });
        const paths = files
          .filter((one) => one.isFile())
          .map((one) => join(one.parentPath, one.name));
        return Promise.all(paths.map((path) => readFile(path, 'latin1').catch(() => '')));
      });
      return (await Promise.all(texts)).flat().join('\n');
    },
    /** Returns what spamd or rspamd still keeps in its temporary folder. */
    temporary: () => readdir(at('tmp')),
    async stop(): Promise<void> {
      for (const daemon of daemons) daemon.kill('SIGTERM');
      await Promise.all(
        daemons.map(
          (daemon) => daemon.exitCode === null && new Promise((end) => daemon.once('exit', end)),
        ),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}
