import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DAMAGES } from './damages.ts';
import { everyMessage, type Fate } from './every-message.ts';
import { startCluster } from './nats-cluster.ts';
import { type Outcome, storageRound } from './round.ts';

const USAGE = `npm run lab -- soak storage [--nodes 1|3] [--every] [--only KIND] [--rounds N] [--seed N]

  --nodes N    one nats-server, or three of which one is damaged; 1 by default
  --every      each message of each kind of test, a table for each node; one round by default
  --only KIND  one kind of damage: ${DAMAGES.join(', ')}
  --rounds N   how many logs are damaged; 200 by default
  --seed N     repeats the choices of an earlier run`;

/**
 * Damages the files of a log while its server is down, again and again, and compares what a replica
 * answers afterwards with what it answered before. Resolves to the exit code: 1 on a wrong answer.
 */
export async function soakStorage(args: readonly string[]): Promise<number> {
  const options = {
    nodes: { type: 'string', default: '1' },
    every: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const rounds = Number(values.rounds ?? (values.every ? 1 : 200));
  const first = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(rounds) || !Number.isInteger(first) || !/^[13]$/.test(`${values.nodes}`)) {
    console.error(USAGE);
    return 2;
  }
  console.log(`seed ${first}; ${rounds} rounds; nats-servers: ${values.nodes}`);
  const size = values.nodes === '3' ? 3 : 1;
  if (values.every) return soakEvery(size, { first, rounds });
  const cluster = await startCluster(size);
  const only = DAMAGES.find((kind) => kind === values.only);
  const outcomes: Outcome[] = [];
  try {
    for (let seed = first; seed < first + rounds; seed++) {
      const outcome = await storageRound(cluster, seed, only);
      outcomes.push(outcome);
      const { what, ended, frozen, left, wrong } = outcome;
      console.log(`seed ${seed}: ${what}: ${ended}, frozen ${frozen}`);
      for (const one of left) console.log(`  ${one}`);
      for (const one of wrong) console.log(`seed ${seed}, ${what}: ${one}`);
    }
  } finally {
    await cluster.end();
  }
  for (const [kind, some] of Map.groupBy(outcomes, (one) => one.kind))
    console.log(`${kind}: ${JSON.stringify(summarize(some))}`);
  const total = summarize(outcomes);
  console.log(JSON.stringify(total));
  return total.wrong === 0 ? 0 : 1;
}

/** In rounds; `wrong` in answers. */
function summarize(outcomes: readonly Outcome[]) {
  const count = (is: (one: Outcome) => unknown) => outcomes.filter(is).length;
  return {
    rounds: outcomes.length,
    /** The service did not start. */
    refused: count(({ ended }) => ended === 'refused'),
    frozen: count(({ ended, frozen }) => ended === 'served' && frozen > 0),
    wrong: outcomes.reduce((sum, one) => sum + one.wrong.length, 0),
  };
}

/** Prints what became of each message's test, a column a node. */
async function soakEvery(
  size: 1 | 3,
  { first, rounds }: { readonly first: number; readonly rounds: number },
): Promise<number> {
  const cluster = await startCluster(size);
  const total = { flipped: 0, lost: 0, frozen: 0, frozen_elsewhere: 0, wrong: 0 };
  try {
    for (let seed = first; seed < first + rounds; seed++) {
      const columns: (readonly Fate[])[] = [];
      for (const node of cluster.nodes) columns.push(await everyMessage(cluster, node, seed));
      console.log(`seed ${seed}: flipped on ${cluster.nodes.map(({ name }) => name).join(', ')}`);
      for (const [n, { kind, message }] of columns[0]?.entries() ?? []) {
        const fates = columns.map((fates) => fates[n] as Fate);
        const cells = fates.map(toCell).join(' | ');
        console.log(`${`${kind}: ${message || '(nothing)'}`.padEnd(60)}${cells}`);
        for (const fate of fates) {
          total.flipped += Number(message !== '');
          total.lost += Number(fate.isLost);
          total.frozen += Number(fate.damaged === 'frozen');
          total.frozen_elsewhere += Number(fate.elsewhere === 'frozen');
          total.wrong += Number(!isAllowed(fate, size));
        }
      }
    }
  } finally {
    await cluster.end();
  }
  console.log(JSON.stringify(total));
  // What can still be read was not hurt: such a round shows nothing.
  return total.wrong === 0 && total.lost === total.flipped ? 0 : 1;
}

const toCell = ({ message, isLost, damaged, elsewhere }: Fate) =>
  `${message === '' || isLost ? '' : 'NOT LOST, '}${damaged} → ${elsewhere}`;

/** A cluster has other copies: where one of them leads nothing stays frozen. */
const isAllowed = ({ damaged, elsewhere }: Fate, size: number) =>
  ['same', 'frozen'].includes(damaged) &&
  (elsewhere === 'same' || (size === 1 && elsewhere === 'frozen'));
