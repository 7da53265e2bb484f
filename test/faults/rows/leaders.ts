/** Lists faults of the leader among three nats-servers, and of a replica of another release. */

import type { Fault } from '../fault.ts';
import { type ClusterWorld, leaderOf, untilRestarted } from '../world/cluster.ts';
import type { World } from '../world/parts.ts';
import { mainOf } from '../world/release-before.ts';

const leader = (world: World) => leaderOf((world as ClusterWorld).cluster, 'TESTS');

/** Faults of the node on which all others wait, of three. */
export const leaders: readonly Fault[] = [
  {
    name: 'kill the leader',
    kind: 'outage',
    async apply(world) {
      const node = await leader(world);
      const pid = node.server.pid();
      await node.server.kill();
      return () => untilRestarted(node, pid);
    },
  },
  {
    name: 'pause the leader',
    kind: 'outage',
    async apply(world) {
      const { server } = await leader(world);
      server.signal('SIGSTOP');
      return () => server.signal('SIGCONT');
    },
  },
  {
    name: 'replace a node',
    kind: 'outage',
    // nats-server's lame duck mode: it hands over, and ends.
    async apply(world) {
      const node = await leader(world);
      const pid = node.server.pid();
      process.kill(pid, 'SIGUSR2');
      return () => untilRestarted(node, pid);
    },
  },
];

/** A replica is replaced by one of another release, and that by one of this release. */
export const otherRelease = (folder: string): Fault => ({
  name: 'another release',
  kind: 'outage',
  attempts: 20,
  async apply(_world, _random, { victim }) {
    await victim.replace({ main: mainOf(folder) });
    return () => victim.replace({ main: mainOf('.') });
  },
});
