import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../adapters/nats/connection.ts';
import type { Chance } from './chance.ts';
import type { Fault } from './history.ts';
import type { Target } from './target.ts';

/** How long something is paused or away, in milliseconds. */
const SHORT_MS = 200;
const LONG_MS = 2500;

/** Between two faults, in milliseconds, at most. */
const PEACE_MS = 2500;

/** From a fault to a service that is ready again, in milliseconds. */
const HEAL_MS = 60_000;

interface Options {
  readonly target: Target;
  readonly connection: Connection;
  readonly chance: Chance;
  /** No fault begins after this many, or after this instant. */
  readonly faults: number;
  readonly until: number;
}

/** Breaks one thing after the other, and waits each time until everything has recovered. */
export async function runNemesis(options: Options): Promise<readonly Fault[]> {
  const { target, connection, chance, until } = options;
  const done: Fault[] = [];
  const moment = () => sleep(chance.integer(SHORT_MS, LONG_MS));

  const anyServer = () => {
    const [first, ...others] = target.servers;
    if (!first) throw new Error('There is no nats-server.');
    return chance.pick([first, ...others]);
  };

  async function leader() {
    const info = await connection.jsm.streams.info('TESTS').catch(() => undefined);
    const name = info?.cluster?.leader;
    return target.servers.find((one) => one.name === name) ?? anyServer();
  }

  async function killServer(server: Target['servers'][number]['server']) {
    await server.kill();
    await moment();
    if (!target.reviving) await server.start();
  }

  async function pause(signal: (name: 'SIGSTOP' | 'SIGCONT') => void) {
    signal('SIGSTOP');
    await moment();
    signal('SIGCONT');
  }

  const kinds: readonly [string, () => Promise<void>][] = [
    [
      'kill a replica',
      async () => {
        process.kill(chance.pick(target.replicas).pid(), 'SIGKILL');
      },
    ],
    ['kill a nats-server', async () => killServer(anyServer().server)],
    ['kill the leader', async () => killServer((await leader()).server)],
    [
      'pause a replica',
      () => {
        const pid = chance.pick(target.replicas).pid();
        return pause((name) => void process.kill(pid, name));
      },
    ],
    ['pause a nats-server', () => pause(anyServer().server.signal)],
    ['pause the leader', async () => pause((await leader()).server.signal)],
  ];
  // Each comes once before any comes again: a short round has seen most of them.
  let left: typeof kinds = [];

  while (done.length < options.faults && Date.now() < until) {
    await sleep(chance.integer(SHORT_MS, PEACE_MS));
    if (left.length === 0) left = kinds.toSorted(() => chance.number() - 0.5);
    const [[name, run] = ['', async () => {}], ...others] = left;
    left = others;
    const from = Date.now();
    await run();
    await healed(target);
    done.push({ name, from, to: Date.now() });
  }
  return done;
}

/** Waits until every replica is ready, and every server runs. */
async function healed({ replicas, servers }: Target): Promise<void> {
  const deadline = Date.now() + HEAL_MS;
  for (;;) {
    // A replica is not down before its parent has noticed.
    await sleep(100);
    const answers = replicas.map(async (replica) => {
      const response = await fetch(`${replica.http()}/readyz`, {
        signal: AbortSignal.timeout(1000),
      });
      return response.ok;
    });
    const ready = await Promise.all(answers).catch(() => [false]);
    if (ready.every(Boolean) && servers.every(({ server }) => server.alive())) return;
    if (Date.now() > deadline) throw new Error('The service did not recover from a fault.');
  }
}
