import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { readOptions, UsageError } from '../../../src/config/command-line.ts';
import { benchAnalysis, benchRspamd } from './analysis.ts';
import { type Figure, isMissed, toTable } from './figures.ts';
import { benchMails } from './mails.ts';
import { benchPolls } from './polls.ts';

/** Each beside its yardstick, in the same run. */
const benches: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  analysis: benchAnalysis,
  mails: benchMails,
  polls: benchPolls,
  rspamd: benchRspamd,
};

/** `npm run bench`: what the service takes of its yardsticks. Resolves to 1 when a target is missed. */
export async function runBench(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { json: { type: 'string' } }, true);
  for (const name of positionals)
    if (!Object.hasOwn(benches, name)) throw new UsageError(`There is no bench "${name}".`);
  const figures: Figure[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(benches))
    figures.push(...((await benches[name]?.()) ?? []));
  console.log(toTable(figures));
  if (values.json) {
    const machine = { node: process.version, cores: availableParallelism() };
    await writeFile(values.json, `${JSON.stringify({ ...machine, figures }, null, 2)}\n`);
  }
  return figures.some(isMissed) ? 1 : 0;
}
