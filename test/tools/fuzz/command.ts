import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz } from './fuzz.ts';
import { readSeeds } from './seeds.ts';

const MIB = 1024 * 1024;

/** Faults shown in full; the mails of all are kept. */
const MAX_SHOWN = 10;

/**
 * `npm run lab -- fuzz smtp` is for the protocol. `npm run lab -- fuzz --seconds 60 --seed 1 --count 1000`: reads mails made to break the reading, until
 * the seconds or the count are over. CORPUS_DIR may hold more mails to begin with. Resolves to the
 * exit code: 1 when something was found.
 */
export async function runFuzz(args: readonly string[]): Promise<number> {
  if (args[0] === 'smtp')
    return (await import('../fuzz-smtp/command.ts')).runSmtpFuzz(args.slice(1));
  const { values } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, count: { type: 'string' } },
  });
  const seconds = toNumber(
    '--seconds',
    values.seconds,
    values.count ? Number.POSITIVE_INFINITY : 60,
  );
  const count = toNumber('--count', values.count, Number.POSITIVE_INFINITY);
  const seed = toNumber('--seed', values.seed, Date.now() % 2 ** 31);
  const seeds = readSeeds(process.env.CORPUS_DIR);
  console.log(`seed ${seed}, ${seeds.length} mails to begin with`);

  let kept: string | undefined;
  let shown = 0;
  const begin = performance.now();
  const heapBefore = heapMib();
  const result = await fuzz({
    seeds,
    seed,
    count,
    isOver: () => performance.now() - begin > seconds * 1000,
    onFault: ({ seed: own, fault, mail }) => {
      kept ??= mkdtempSync(join(tmpdir(), 'fuzz-'));
      writeFileSync(join(kept, `${own}.eml`), mail, 'latin1');
      shown += 1;
      if (shown <= MAX_SHOWN) console.log(`FOUND with --seed ${own} --count 1: ${fault}`);
    },
  });
  const took = (performance.now() - begin) / 1000;
  console.log(
    [
      `${result.mails} mails in ${took.toFixed(0)} s`,
      `${(result.mails / took).toFixed(0)} a second`,
      `${(result.bytes / MIB).toFixed(0)} MiB`,
      `${result.faults} faults`,
      `slowest ${result.slowestMs.toFixed(0)} ms (--seed ${result.slowestSeed})`,
      `heap ${heapBefore.toFixed(0)} to ${heapMib().toFixed(0)} MiB`,
    ].join(', '),
  );
  if (kept) console.log(`The mails are in ${kept}`);
  return result.faults === 0 ? 0 : 1;
}

function toNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (text.trim() === '' || !Number.isInteger(number) || number < 0)
    throw new Error(`${name} is "${text}"; it has to be a whole number, 0 or more.`);
  return number;
}

/** After a collection, so that only what is held counts. */
function heapMib(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / MIB;
}
