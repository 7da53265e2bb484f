import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { clusterRound } from './cluster-round.ts';
import { startCluster } from './nats-cluster.ts';
import { storageRound } from './round.ts';

const USAGE = `npm run soak -- storage [--nodes 1|3] [--rounds N] [--seed N]

  --nodes N    one nats-server, or three of which one is damaged; 1 by default
  --rounds N   how many logs are damaged; 200 by default
  --seed N     repeats the choices of an earlier run`;

/**
 * Damages the files of a log while its server is down, again and again, and compares what a replica
 * answers afterwards with what it answered before. Resolves to the exit code: 1 on a wrong answer.
 */
export async function soakStorage(args: readonly string[]): Promise<number> {
  const options = {
    nodes: { type: 'string', default: '1' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
  } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const rounds = Number(values.rounds ?? 200);
  const first = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(rounds) || !Number.isInteger(first) || !/^[13]$/.test(`${values.nodes}`)) {
    console.error(USAGE);
    return 2;
  }
  console.log(`seed ${first}; ${rounds} rounds; nats-servers: ${values.nodes}`);
  const cluster = values.nodes === '3' ? await startCluster() : undefined;
  const play = (seed: number) => (cluster ? clusterRound(cluster, seed) : storageRound(seed));
  const total = { refused: 0, served: 0, frozen: 0, same: 0, healed: 0, wrong: 0 };
  for (let round = 0; round < rounds; round++) {
    const { what, ended, same, frozen, healed, left, wrong } = await play(first + round);
    total[ended]++;
    total.frozen += frozen;
    total.same += same;
    total.healed += healed;
    total.wrong += wrong.length;
    console.log(`seed ${first + round}: ${what}: ${ended}, frozen ${frozen}, healed ${healed}`);
    for (const one of left) console.log(`  stays frozen: ${one}`);
    for (const one of wrong) console.log(`seed ${first + round}, ${what}: ${one}`);
  }
  await cluster?.end();
  console.log(JSON.stringify(total));
  return total.wrong === 0 ? 0 : 1;
}
