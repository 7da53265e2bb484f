import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rehearsals } from './rehearsals.ts';
import { runRehearsal } from './run.ts';

const USAGE = `npm run lab -- rehearse NAME…|all [--from DIRECTORY] [--brief] [--log]

  NAME              ${Object.keys(rehearsals).join(', ')}
  --from DIRECTORY  begins with the release of that checkout
  --brief           one node alone, where it is done to each
  --log             shows the log of the replicas

What each does, step by step: docs/operations.md.`;

const print = (text: string) => void process.stderr.write(`${text}\n`);

/**
 * `npm run lab -- rehearse`: what happens to a deployment, played on loopback while buyers use it. One JSON
 * line for each. Resolves to the exit code: 1 when a request was lost.
 */
export async function runRehearse(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    print(USAGE);
    return 2;
  }
  const { names, from, brief, log } = options;
  let lost = 0;
  for (const name of names) {
    const rehearse = rehearsals[name];
    if (!rehearse) continue;
    print(`${name}:`);
    const outcome = await runRehearsal(rehearse, {
      env: process.env,
      brief,
      from,
      print,
      onLog: log ? print : () => {},
    });
    lost += outcome.lost.length;
    for (const one of outcome.lost) print(`  lost: ${one}`);
    console.log(JSON.stringify({ rehearsal: name, ...outcome, lost: outcome.lost.length }));
  }
  return lost === 0 ? 0 : 1;
}

function readArgs(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { from: { type: 'string' }, brief: flag, log: flag },
      allowPositionals: true,
    });
    const names = positionals.includes('all') ? Object.keys(rehearsals) : positionals;
    if (names.length === 0 || names.some((name) => !Object.hasOwn(rehearsals, name)))
      return undefined;
    const from = values.from && join(resolve(values.from), 'src', 'main.ts');
    return { names, brief: values.brief, log: values.log, from };
  } catch {
    return undefined;
  }
}
