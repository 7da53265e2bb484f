import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, UsageError } from '../../src/config/command-line.ts';
import { countVitest } from '../run/counts.mjs';
import { runVitest } from '../run/steps.mjs';

/**
 * Runs `npm run lab -- edge [--seconds N] [--only WORDS] [--seed N]`: the rows of this folder, each for this
 * long and at its full size. Resolves to the exit code.
 */
export async function runEdge(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    seed: { type: 'string' },
  });
  const { seconds, only, seed } = values;
  if (!(Number(seconds) > 0)) throw new UsageError('--seconds has to be a number above 0.');
  console.log(`Each row runs for up to ${seconds} s. --seconds N changes that.`);
  if (seed !== undefined && !Number.isInteger(Number(seed)))
    throw new UsageError('--seed has to be a whole number.');
  const folder = await mkdtemp(join(tmpdir(), 'edge-'));
  try {
    const chosen = ['--no-file-parallelism', 'test/edge', ...(only ? ['-t', only] : [])];
    // A signal ends its tests in the middle. Whatever they created is removed with the folder.
    const env = {
      TMPDIR: folder,
      EDGE_SECONDS: seconds,
      ...(seed !== undefined && { EDGE_SEED: seed }),
    };
    const { exitCode, results } = await runVitest(folder, chosen, { env });
    const { passed, failed } = countVitest(results, exitCode);
    if (passed + failed === 0) throw new UsageError(`No row has the words "${only}".`);
    return exitCode;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
