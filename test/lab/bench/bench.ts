import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAnalysis } from './analysis.ts';
import { type Figure, isMissed, toTable } from './figures.ts';
import { benchMails } from './mails.ts';
import { benchPolls } from './polls.ts';

/** Each beside its yardstick, in the same run. */
const benches: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  analysis: benchAnalysis,
  mails: benchMails,
  polls: benchPolls,
};

const USAGE = `npm run bench [-- NAME …] [--json FILE]

  NAME           one of: ${Object.keys(benches).join(', ')}; without: all
  --json FILE    writes the figures there, too`;

/** `npm run bench`: what the service takes of its yardsticks. Resolves to 1 when a target is missed. */
export async function runBench(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const figures: Figure[] = [];
  for (const name of options.names) figures.push(...((await benches[name]?.()) ?? []));
  console.log(toTable(figures));
  if (options.json) {
    const machine = { node: process.version, cores: availableParallelism() };
    await writeFile(options.json, `${JSON.stringify({ ...machine, figures }, null, 2)}\n`);
  }
  return figures.some(isMissed) ? 1 : 0;
}

function readOptions(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'string' } },
    });
    const names = positionals.length > 0 ? positionals : Object.keys(benches);
    return names.every((name) => Object.hasOwn(benches, name)) ? { ...values, names } : undefined;
  } catch {
    return undefined;
  }
}
