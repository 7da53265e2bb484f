import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';
import { startPaymentEnvironment } from './payment-environment.ts';
import { soak } from './rounds.ts';

const USAGE = `npm run soak -- payments [--rounds N] [--seed N]

  --rounds N   how many rounds; 200 by default
  --seed N     repeats the throws of an earlier run`;

const print = (text: string) => console.log(text);

/**
 * Buys reports from replicas that are killed at random steps or whose clocks
 * are wrong, round after round, and holds after
 * each that the payee got exactly one payment for each report paid for. Resolves to the exit code.
 */
export async function soakPayments(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const { rounds, seed } = options;
  const serverBin = process.env.NATS_SERVER_BIN;
  if (!serverBin)
    throw new Error('NATS_SERVER_BIN is not set: start with `npm run soak -- payments`.');

  print(`seed ${seed}; ${rounds} rounds, on loopback: a nats-server, a chain, two replicas`);
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-'));
  const nats = await startEmbeddedNats({ dataDir, serverBin });
  try {
    const environment = await startPaymentEnvironment({
      natsUrl: nats.url.replace('//', `//${nats.token}@`),
    });
    try {
      const { requests, kills, jumps } = await soak({ environment, rounds, seed, print });
      print(
        `${requests} requests, ${kills} kills, ${jumps} wrong clocks; every payment was taken once.`,
      );
      return 0;
    } catch (error) {
      print(`seed ${seed}: ${error instanceof Error ? error.message : error}`);
      return 1;
    } finally {
      await environment.stop();
    }
  } finally {
    await nats.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { rounds: { type: 'string' }, seed: { type: 'string' } },
    });
    const rounds = Number(values.rounds ?? 200);
    const seed = Number(values.seed ?? randomInt(2 ** 31));
    return Number.isInteger(rounds) && rounds > 0 && Number.isInteger(seed)
      ? { rounds, seed }
      : undefined;
  } catch {
    return undefined;
  }
}
