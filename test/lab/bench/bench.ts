/** Runs `npm run bench`, which measures the service beside yardsticks. */

import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { readOptions, UsageError } from '../../../src/config/command-line.ts';
import { benchAnalysis, benchRspamd } from './analysis.ts';
import { type Figure, isMissed, toTable } from './figures.ts';
import { benchMails } from './mails.ts';
import { benchPairs } from './pairs.ts';
import { benchPolls } from './polls.ts';
import { benchWaits } from './waits.ts';

/** @param before the folder of another state of the project */
type Bench = (before?: string) => Promise<readonly Figure[]>;

/** Benchmarks that measure something beside its yardstick in the same run. */
const benches: Readonly<Record<string, Bench>> = {
  analysis: benchAnalysis,
  mails: benchMails,
  polls: benchPolls,
  rspamd: benchRspamd,
};

/** Benchmarks that run only if they are named. */
const others: Readonly<Record<string, Bench>> = {
  pairs(before) {
    if (before === undefined) throw new UsageError('`pairs` needs --before FOLDER.');
    return benchPairs(before);
  },
  waits: benchWaits,
};

/**
 * Runs `npm run bench`: measures the service as a share of its yardsticks. Resolves to 1 if a target is
 * missed.
 */
export async function runBench(args: readonly string[]): Promise<number> {
  const options = { json: { type: 'string' }, before: { type: 'string' } } as const;
  const { values, positionals } = readOptions(args, options, true);
  const all = { ...benches, ...others };
  for (const name of positionals)
    if (!Object.hasOwn(all, name)) throw new UsageError(`There is no bench "${name}".`);
  const figures: Figure[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(benches))
    figures.push(...((await all[name]?.(values.before)) ?? []));
  console.log(toTable(figures));
  if (values.json) {
    const machine = { node: process.version, cores: availableParallelism() };
    await writeFile(values.json, `${JSON.stringify({ ...machine, figures }, null, 2)}\n`);
  }
  return figures.some(isMissed) ? 1 : 0;
}
