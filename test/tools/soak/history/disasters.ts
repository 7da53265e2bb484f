import { setTimeout as sleep } from 'node:timers/promises';
import type { LogConnection } from '../../../../src/adapters/nats/connection.ts';
import type { Prng } from '../../../support/prng/prng.ts';
import type { Fault } from './history.ts';
import type { Target } from './target.ts';

/** How long something is paused, away or wrong, in milliseconds. */
const SHORT_MS = 200;
const LONG_MS = 2500;

/**
 * By how much a clock is set wrong, in milliseconds: less than any deadline of a round, about as
 * much, and far beyond all of them and the days that a replica reads back.
 */
const JUMPS: readonly [Jump, ...Jump[]] = [
  { least: 100, most: 2000 },
  { least: 2000, most: 60_000 },
  { least: 3_600_000, most: 96 * 3_600_000 },
];

interface Jump {
  readonly least: number;
  readonly most: number;
}

/** Something that may be done to a running service. */
export interface Disaster extends Pick<Fault, 'name' | 'kind'> {
  run(): Promise<void>;
}

interface Options {
  readonly target: Target;
  readonly connection: LogConnection;
  readonly random: Prng;
}

/** Processes are killed and paused. */
export function outages({ target, connection, random }: Options): readonly Disaster[] {
  type Server = Target['servers'][number]['server'];
  const moment = () => sleep(random.integer(SHORT_MS, LONG_MS));

  const anyServer = async () => {
    const [first, ...others] = target.servers;
    if (!first) throw new Error('There is no nats-server.');
    return random.pick([first, ...others]).server;
  };

  async function leader() {
    const info = await connection.jsm.streams.info('TESTS').catch(() => undefined);
    const name = info?.cluster?.leader;
    return target.servers.find((one) => one.name === name)?.server ?? anyServer();
  }

  async function killServer(server: Server) {
    await server.kill();
    await moment();
    if (!target.reviving) await server.start();
  }

  async function pause(signal: (name: 'SIGSTOP' | 'SIGCONT') => void) {
    signal('SIGSTOP');
    await moment();
    signal('SIGCONT');
  }

  const outage = (name: string, run: () => Promise<void>) => ({
    name,
    kind: 'outage' as const,
    run,
  });
  return [
    outage('kill a replica', async () => {
      process.kill(random.pick(target.replicas).pid(), 'SIGKILL');
    }),
    outage('kill a nats-server', async () => killServer(await anyServer())),
    outage('kill the leader', async () => killServer(await leader())),
    outage('pause a replica', async () => {
      const pid = random.pick(target.replicas).pid();
      await pause((name) => void process.kill(pid, name));
    }),
    outage('pause a nats-server', async () => pause((await anyServer()).signal)),
    outage('pause the leader', async () => pause((await leader()).signal)),
  ];
}

/** A replica is replaced by one of another release, and by one of the release that it was before. */
export function deployments(
  { target, random }: Omit<Options, 'connection'>,
  folder: string | undefined,
): readonly Disaster[] {
  if (folder === undefined) return [];
  const others = new Set<Target['replicas'][number]>();
  const deploy = async () => {
    const replica = random.pick(target.replicas);
    await replica.deploy(folder);
    others.add(replica);
  };
  const rollBack = async () => {
    if (others.size === 0) await deploy();
    const replica = random.pick([...others]);
    await replica.deploy(undefined);
    others.delete(replica);
  };
  const kind = 'outage' as const;
  return [
    { name: 'deploy', kind, run: deploy },
    { name: 'roll back', kind, run: rollBack },
  ].flatMap((one) => [one, one, one]);
}

/**
 * The wall clock of a replica is set, once or twice, and then right again. Its processes may also
 * break while it is wrong.
 *
 * @param meanwhile breaks something, until it has recovered
 */
export function clockJumps(
  { target, random }: Omit<Options, 'connection'>,
  meanwhile: () => Promise<void>,
): readonly Disaster[] {
  const setClock = (name: string, sign: 1 | -1) => ({
    name,
    kind: 'clock' as const,
    async run() {
      const replica = random.pick(target.replicas);
      for (const direction of random.number() < 0.5 ? [sign] : [sign, -sign]) {
        const { least, most } = random.pick(JUMPS);
        await replica.setClock(direction * random.integer(least, most));
        await sleep(random.integer(SHORT_MS, LONG_MS));
        if (random.number() < 0.5) await meanwhile();
      }
      await replica.setClock(0);
    },
  });
  return [setClock('set a clock ahead', 1), setClock('set a clock back', -1)];
}
