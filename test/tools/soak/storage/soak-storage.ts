import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DAMAGES } from './damages.ts';
import { everyMessage, type Fate } from './every-message.ts';
import { startCluster } from './nats-cluster.ts';
import { storageRound } from './round.ts';

const USAGE = `npm run soak -- storage [--nodes 1|3] [--every] [--only KIND] [--rounds N] [--seed N]

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
  const total = { refused: 0, served: 0, frozen: 0, same: 0, healed: 0, wrong: 0 };
  for (let round = 0; round < rounds; round++) {
    const { what, ended, same, frozen, healed, left, wrong } = await storageRound(
      cluster,
      first + round,
      only,
    );
    total[ended]++;
    total.frozen += frozen;
    total.same += same;
    total.healed += healed;
    total.wrong += wrong.length;
    console.log(`seed ${first + round}: ${what}: ${ended}, frozen ${frozen}, healed ${healed}`);
    for (const one of left) console.log(`  stays frozen: ${one}`);
    for (const one of wrong) console.log(`seed ${first + round}, ${what}: ${one}`);
  }
  await cluster.end();
  console.log(JSON.stringify(total));
  return total.wrong === 0 ? 0 : 1;
}

/** Prints what became of each message's test, a column a node. */
async function soakEvery(
  size: 1 | 3,
  { first, rounds }: { readonly first: number; readonly rounds: number },
): Promise<number> {
  const cluster = await startCluster(size);
  const total = { flipped: 0, lost: 0, frozen: 0, repaired: 0, stay_frozen: 0, wrong: 0 };
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
          total.repaired += Number(fate.damaged === 'frozen' && fate.repaired === 'same');
          total.stay_frozen += Number(fate.repaired === 'frozen');
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

const toCell = ({ message, isLost, damaged, repaired }: Fate) =>
  `${message === '' || isLost ? '' : 'NOT LOST, '}${damaged} → ${repaired}`;

/** A cluster has other copies: there nothing stays frozen. */
const isAllowed = ({ damaged, repaired }: Fate, size: number) =>
  ['same', 'frozen'].includes(damaged) &&
  (repaired === 'same' || (size === 1 && repaired === 'frozen'));
