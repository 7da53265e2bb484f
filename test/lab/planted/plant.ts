/** Plants faults in the product, and checks that tests find them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { readOptions, UsageError } from '../../../src/config/command-line.ts';
import { stopSignal } from '../../environment/stop-signal.ts';
import { type Planted, planted } from './planted.ts';

/**
 * Puts a fault into the product, runs the tests that should find it, and removes it. Returns why none did.
 */
async function whyMissed(
  { file, find, replace, tests, only }: Planted,
  stop: AbortSignal,
): Promise<string | undefined> {
  const whole = await readFile(file, 'utf8');
  if (whole.split(find).length !== 2) return 'the place is not there, or not the only one';
  await writeFile(
    file,
    whole.replace(find, () => replace),
  );
  try {
    if (stop.aborted) return 'stopped';
    const args = ['test/run/run.mjs', 'test', ...tests, ...(only ? ['-t', only] : [])];
    const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    run.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const end = () => void run.kill();
    stop.addEventListener('abort', end);
    const [code] = await once(run, 'exit');
    stop.removeEventListener('abort', end);
    if (stop.aborted) return 'stopped';
    if (code === 0) return 'nothing failed';
    console.log(
      output
        .match(/"(?:rule|text)": .*/g)
        ?.slice(0, 2)
        .join(' ') ?? 'a test failed',
    );
    return undefined;
  } finally {
    await writeFile(file, whole);
  }
}

/** Runs `npm run lab -- plant [WORDS]`: each fault of the list. Resolves to 1 if one is not found. */
export async function runPlant(args: readonly string[]): Promise<number> {
  const words = readOptions(args, {}, true).positionals.join(' ');
  const chosen = planted.filter(({ name }) => name.includes(words));
  if (chosen.length === 0) throw new UsageError(`No row has the words "${words}".`);
  // A fault is never left in the source.
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  let missed = 0;
  for (const one of chosen) {
    const why = await whyMissed(one, stop.signal);
    if (stop.signal.aborted) return 1;
    if (why) missed++;
    console.log(`${why ? 'MISSED' : 'found '}  ${one.name}${why ? `: ${why}` : ''}`);
  }
  return missed === 0 ? 0 : 1;
}
