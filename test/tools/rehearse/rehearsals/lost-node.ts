import { rm } from 'node:fs/promises';
import { connectAs } from '../../../support/log/connect-as.ts';
import type { Node } from '../../cluster/nodes.ts';
import type { Rehearse } from '../rehearsal.ts';
import { type Stage, untilReady, untilRestarted, untilWhole } from '../stage.ts';

/** A machine is gone: the node that leads the payments, with its disk, and a replica. */
export const lostNode: Rehearse = () => {
  const replaced = Promise.withResolvers<void>();
  let lost: Node | undefined;
  let pid = 0;
  return {
    steps: [
      [
        'Lose the machine: the node that leads `PAYMENTS` ends by SIGKILL and its store is gone, and so does a replica.',
        async (stage) => {
          lost = await leaderOf(stage, 'PAYMENTS');
          pid = lost.server.pid();
          stage.holdDown(lost, replaced.promise);
          process.kill(lost.server.pid(), 'SIGKILL');
          const [replica] = stage.replicas;
          if (replica) process.kill(replica.pid(), 'SIGKILL');
          await rm(lost.store, { recursive: true, force: true });
          return `${lost.name} and ${replica?.id}`;
        },
      ],
      [
        'Two nodes and two replicas go on, and sell.',
        async ({ load }) => {
          await load.paidMore(6);
          return undefined;
        },
      ],
      [
        'Start a node of the same name with an empty store, and wait until every stream has all of its copies.',
        async (stage) => {
          replaced.resolve();
          if (lost) await untilRestarted(lost, pid);
          await untilWhole(stage);
          for (const replica of stage.replicas) await untilReady(replica);
          await stage.load.paidMore(3);
          return undefined;
        },
      ],
    ],
  };
};

async function leaderOf({ cluster }: Stage, stream: string): Promise<Node> {
  const connection = await connectAs(cluster.operator);
  const { cluster: group } = await connection.jsm.streams.info(stream);
  await connection.close();
  const leader = cluster.nodes.find(({ name }) => name === group?.leader);
  if (!leader) throw new Error(`${stream} has no leader.`);
  return leader;
}
