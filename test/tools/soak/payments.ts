import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedNats } from '../../../src/adapters/embedded-nats/start.ts';
import { faceHostilePayers } from './hostile-payers/hostile-payers.ts';
import { type PaymentEnvironment, startPaymentEnvironment } from './payment-environment.ts';
import { soak } from './rounds.ts';

const USAGE = `npm run lab -- soak payments [--rounds N] [--seed N]
npm run lab -- soak payments --hostile [--seconds N] [--rate N]

  --rounds N   how many rounds; 200 by default
  --seed N     repeats the throws of an earlier run
  --hostile    honest buyers, alone and beside hostile payers, instead
  --seconds N  for how long each; 60 by default
  --rate N     hostile requests a minute; 600 by default`;

const print = (text: string) => console.log(text);

/**
 * Buys reports from replicas that are killed at random steps or whose clocks are wrong, round after
 * round, and holds after each that the payee got exactly one payment for each report paid for. Or
 * measures what hostile payers cost. Resolves to the exit code.
 */
export async function soakPayments(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  return inPaymentEnvironment((environment) =>
    'rate' in options ? hostile(environment, options) : crash(environment, options),
  );
}

/** With a nats-server and a chain of its own. */
export async function inPaymentEnvironment<T>(
  run: (environment: PaymentEnvironment) => Promise<T>,
): Promise<T> {
  const serverBin = process.env.NATS_SERVER_BIN;
  if (!serverBin) throw new Error('NATS_SERVER_BIN is not set: start with `npm run lab -- soak`.');
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-'));
  const nats = await startEmbeddedNats({ dataDir, serverBin });
  try {
    const environment = await startPaymentEnvironment({
      natsUrl: nats.url.replace('//', `//${nats.token}@`),
    });
    try {
      return await run(environment);
    } finally {
      await environment.stop();
    }
  } finally {
    await nats.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Crash {
  readonly rounds: number;
  readonly seed: number;
}

async function crash(environment: PaymentEnvironment, { rounds, seed }: Crash): Promise<number> {
  print(`seed ${seed}; ${rounds} rounds, on loopback: a nats-server, a chain, two replicas`);
  try {
    const { requests, kills, jumps } = await soak({ environment, rounds, seed, print });
    print(
      `${requests} requests, ${kills} kills, ${jumps} wrong clocks; every payment was taken once.`,
    );
    return 0;
  } catch (error) {
    print(`seed ${seed}: ${error instanceof Error ? error.message : error}`);
    return 1;
  }
}

interface Hostile {
  readonly seconds: number;
  readonly rate: number;
}

async function hostile(environment: PaymentEnvironment, options: Hostile): Promise<number> {
  const figures = await faceHostilePayers({ environment, print, ...options });
  for (const { name, value, holds } of figures)
    print(`${holds ? 'holds ' : 'MISSED'}  ${name}: ${value}`);
  return figures.every(({ holds }) => holds) ? 0 : 1;
}

const whole = (text: string | undefined, byDefault: number) => {
  const number = Number(text ?? byDefault);
  if (!Number.isInteger(number) || number < 1) throw new RangeError('not a number of things');
  return number;
};

function readArgs(args: readonly string[]): Crash | Hostile | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string' },
        seed: { type: 'string' },
        hostile: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        rate: { type: 'string' },
      },
    });
    return values.hostile
      ? { seconds: whole(values.seconds, 60), rate: whole(values.rate, 600) }
      : { rounds: whole(values.rounds, 200), seed: whole(values.seed, randomInt(1, 2 ** 31)) };
  } catch {
    return undefined;
  }
}
