import { setTimeout as sleep } from 'node:timers/promises';
import type { LogConnection } from '../../../../src/adapters/nats/connection.ts';
import type { Prng } from '../../../support/prng/prng.ts';
import { clockJumps, type Disaster, deployments, outages } from './disasters.ts';
import type { Fault } from './history.ts';
import type { Target } from './target.ts';

/** Between two faults, in milliseconds. */
const PEACE_MS = { least: 200, most: 2500 };

/** From a fault to a service that is ready again, in milliseconds. */
const HEAL_MS = 60_000;

interface Options {
  readonly target: Target;
  readonly connection: LogConnection;
  readonly random: Prng;
  /** No fault begins after this many, or after this instant. */
  readonly faults: number;
  readonly until: number;
  /** Another checkout, whose replicas come and go. */
  readonly other?: string | undefined;
}

/**
 * Breaks one thing after the other, and waits each time until everything has recovered.
 *
 * @throws when it does not
 */
export async function runNemesis(options: Options): Promise<readonly Fault[]> {
  const { target, random, until } = options;
  const done: Fault[] = [];

  async function suffer({ name, kind, run }: Disaster): Promise<void> {
    const from = Date.now();
    await run();
    await healed(target, name);
    done.push({ name, kind, from, to: Date.now() });
  }

  const ofOutages = [...outages(options), ...deployments(options, options.other)];
  const outage = turns(ofOutages, random);
  const ofClocks = clockJumps(options, () => suffer(outage()));
  // One in three: what breaks while a clock is wrong is taken from the others.
  const next = turns([...ofOutages, ...ofClocks, ...ofClocks], random);

  while (done.length < options.faults && Date.now() < until) {
    await sleep(random.integer(PEACE_MS.least, PEACE_MS.most));
    await suffer(next());
  }
  return done;
}

/** Each comes once, in any order, before any comes again: a short round has seen most of them. */
function turns(all: readonly Disaster[], random: Prng): () => Disaster {
  let left: readonly Disaster[] = [];
  return () => {
    if (left.length === 0) left = all.toSorted(() => random.number() - 0.5);
    const [first, ...others] = left;
    if (!first) throw new Error('There is nothing to break.');
    left = others;
    return first;
  };
}

/** Waits until every replica is ready, and every server runs. */
async function healed({ replicas, servers }: Target, fault: string): Promise<void> {
  const deadline = Date.now() + HEAL_MS;
  for (;;) {
    // A replica is not down before its parent has noticed.
    await sleep(100);
    const answers = replicas.map(async ({ id, http }) => {
      const options = { signal: AbortSignal.timeout(1000) };
      const response = await fetch(`${http()}/readyz`, options).catch(() => undefined);
      return response?.ok ? [] : [`${id}: ${response ? await response.text() : 'no answer'}`];
    });
    const down = servers.filter(({ server }) => !server.alive()).map(({ name }) => `${name}: down`);
    const ill = [...(await Promise.all(answers)).flat(), ...down];
    if (ill.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(`${HEAL_MS / 1000} s after "${fault}": ${ill.join('; ')}`);
  }
}
