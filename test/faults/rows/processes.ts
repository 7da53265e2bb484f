/** Lists the faults in which processes end, pause or have a wrong clock. */

import { SOME } from '../client/plan.ts';
import { type Fault, over } from '../fault.ts';
import { killReplica, type World } from '../world/parts.ts';

/**
 * Errors of a clock, in milliseconds: less than a deadline, about as much, and beyond everything that is read
 * back.
 */
const WRONG_MS = [1500, 40_000, 90 * 3_600_000] as const;

const pauses = (
  name: string,
  pidOf: (world: World, pick: <T>(of: readonly T[]) => T) => number,
): Fault => ({
  name,
  kind: 'outage',
  apply(world, random) {
    const pid = pidOf(world, random.pick);
    process.kill(pid, 'SIGSTOP');
    return () => process.kill(pid, 'SIGCONT');
  },
});

const clock = (direction: 'ahead' | 'back', wrongMs: number): Fault => ({
  name: `set a clock ${direction} by ${wrongMs / 1000} s`,
  kind: 'clock',
  // Anything that a small error breaks, a larger one breaks too.
  isLong: wrongMs === WRONG_MS[0],
  async apply({ replicas }, random) {
    const replica = random.pick(replicas);
    await replica.setClock(direction === 'ahead' ? wrongMs : -wrongMs);
    return () => replica.setClock(0);
  },
});

/** Processes end, pause, and have the wrong time. */
export const processes: readonly Fault[] = [
  {
    name: 'kill a replica',
    kind: 'outage',
    async apply({ replicas }, random) {
      await killReplica(random.pick(replicas));
      return over;
    },
  },
  {
    name: 'replace a replica',
    kind: 'outage',
    async apply({ replicas }, random) {
      await random.pick(replicas).replace({});
      return over;
    },
  },
  {
    name: 'kill a nats-server',
    kind: 'outage',
    // Answers come from memory, and one of these tests existed before.
    plans: SOME,
    shows: [/503 log_unavailable|SMTP 451/, /^status 200/],
    async apply({ servers }, random) {
      const server = random.pick(servers);
      await server.kill();
      return () => server.start();
    },
  },
  pauses('pause a replica', ({ replicas }, pick) => pick(replicas).pid()),
  pauses('pause a nats-server', ({ servers }, pick) => pick(servers).pid()),
  ...WRONG_MS.flatMap((wrongMs) => [clock('ahead', wrongMs), clock('back', wrongMs)]),
  {
    name: 'set a clock back, and kill a nats-server',
    kind: 'outage',
    seed: 2107,
    found: 'deadlines that were recorded by the clock of the machine',
    async apply({ replicas, servers }, random) {
      const [replica, server] = [random.pick(replicas), random.pick(servers)];
      await replica.setClock(-5 * 3_600_000);
      await server.kill();
      return async () => {
        await server.start();
        await replica.setClock(0);
      };
    },
  },
];
