import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { storageRound } from './round.ts';

const USAGE = `npm run soak -- storage [--rounds N] [--seed N]

  --rounds N   how many logs are damaged; 200 by default
  --seed N     repeats the choices of an earlier run`;

/**
 * Damages the files of a log while its server is down, again and again, and compares what a replica
 * answers afterwards with what it answered before. Resolves to the exit code: 1 on a wrong answer.
 */
export async function soakStorage(args: readonly string[]): Promise<number> {
  const options = { rounds: { type: 'string' }, seed: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const rounds = Number(values.rounds ?? 200);
  const first = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(rounds) || !Number.isInteger(first)) {
    console.error(USAGE);
    return 2;
  }
  console.log(`seed ${first}; ${rounds} rounds on one nats-server`);
  const total = { refused: 0, served: 0, frozen: 0, same: 0, healed: 0, wrong: 0 };
  for (let round = 0; round < rounds; round++) {
    const { what, ended, same, frozen, healed, left, wrong } = await storageRound(first + round);
    total[ended]++;
    total.frozen += frozen;
    total.same += same;
    total.healed += healed;
    total.wrong += wrong.length;
    console.log(`seed ${first + round}: ${what}: ${ended}, frozen ${frozen}, healed ${healed}`);
    for (const one of left) console.log(`  stays frozen: ${one}`);
    for (const one of wrong) console.log(`seed ${first + round}, ${what}: ${one}`);
  }
  console.log(JSON.stringify(total));
  return total.wrong === 0 ? 0 : 1;
}
