import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, UsageError } from '../../../src/config/command-line.ts';
import { SENDER } from '../../environment/sender.ts';
import { exim } from './exim.ts';
import { nodemailer } from './nodemailer.ts';
import { install, installed, purge, update, versionOf, whyNot } from './packages.ts';
import { type Place, startPlace } from './place.ts';
import { postfix } from './postfix.ts';
import type { Kind } from './sender.ts';
import { runTrials } from './trials.ts';

const KINDS: readonly Kind[] = [postfix, exim, nodemailer];

/**
 * Tests real mail servers against the real service: installs one from Debian after another, has it deliver
 * over STARTTLS through its own queue, and removes it again. Everything is on loopback. Resolves to the exit
 * code: 0 if all passed.
 */
export async function runMta(args: readonly string[]): Promise<number> {
  const names = readOptions(args, {}, true).positionals.map((name) => name.toLowerCase());
  for (const name of names)
    if (!KINDS.some((kind) => kind.name.toLowerCase() === name))
      throw new UsageError(`There is no mail server or client "${name}".`);
  const kinds = KINDS.filter(
    ({ name }) => names.length === 0 || names.includes(name.toLowerCase()),
  );
  const why = kinds.some(({ packages }) => packages.length > 0) ? whyNot() : undefined;
  if (why) throw new Error(why);

  await update();
  const place = await startPlace();
  let failed = 0;
  try {
    for (const kind of kinds)
      await tryOut(place, kind).catch((error: Error) => {
        failed += 1;
        console.log(row(kind.name, 'FAILED', '', error.message));
      });
  } finally {
    await place.stop();
  }
  console.log(failed === 0 ? 'All delivered.' : `${failed} of ${kinds.length} failed.`);
  return failed === 0 ? 0 : 1;
}

async function tryOut(place: Place, kind: Kind): Promise<void> {
  const [main] = kind.packages;
  const isForeign = main !== undefined && (await installed(main));
  if (main !== undefined && !isForeign) await install(kind.packages);
  const folder = await mkdtemp(join(tmpdir(), 'mta-'));
  // Mail servers give up root's rights but still need access to it.
  await chmod(folder, 0o755);
  try {
    const version = main === undefined ? 'with the project' : await versionOf(main);
    const sender = await kind.start(folder, place.target, SENDER.host);
    try {
      const outcomes = await runTrials(place, sender, kind === postfix);
      for (const { trial, seconds, detail } of outcomes)
        console.log(row(`${kind.name} ${version}`, trial, `${seconds.toFixed(1)} s`, detail));
    } finally {
      await sender.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (main !== undefined && !isForeign) await purge(kind.packages);
  }
}

const row = (who: string, trial: string, time: string, detail: string) =>
  `${who.padEnd(36)} ${trial.padEnd(20)} ${time.padStart(7)}  ${detail}`;
