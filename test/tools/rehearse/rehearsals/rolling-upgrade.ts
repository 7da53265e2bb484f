import { fileURLToPath } from 'node:url';
import type { Rehearse } from '../rehearsal.ts';
import { replaceEach, untilRestarted, untilWhole } from '../stage.ts';

const main = fileURLToPath(new URL('../../../../src/main.ts', import.meta.url));

/** Everything is replaced while it is used. nats-server's lame duck is SIGUSR2. */
export const rollingUpgrade: Rehearse = ({ brief, from }) => ({
  steps: [
    [
      'Replace one replica after the other: SIGTERM, start the new one, wait until its `/readyz` is 200.',
      async (stage) => {
        await replaceEach(stage, async () => ({ main }));
        await stage.load.paidMore(3);
        return from ? 'from the other checkout to this one' : undefined;
      },
    ],
    [
      'Replace one node after the other: SIGUSR2, which is its lame duck, start the new one, wait until every stream has all of its copies.',
      async (stage) => {
        const nodes = brief ? stage.cluster.nodes.slice(0, 1) : stage.cluster.nodes;
        for (const node of nodes) {
          const pid = node.server.pid();
          process.kill(pid, 'SIGUSR2');
          await untilRestarted(node, pid);
          await untilWhole(stage);
        }
        await stage.load.paidMore(3);
        return `${nodes.length} of ${stage.cluster.nodes.length} nodes`;
      },
    ],
  ],
});
