import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmallDisk, NO_DISK, type SmallDisk } from '../../../support/process/small-disk.ts';
import { healthCheck } from '../../cluster/health.ts';
import type { Rehearse } from '../rehearsal.ts';
import { type Stage, untilReady, untilWhole, waitFor } from '../stage.ts';

/** Between two health checks of a node, in milliseconds. */
const CHECK_MS = 1000;

/** The stores of all three nodes are on one disk, which is full. */
export const fullDisk: Rehearse = () => {
  let disk: SmallDisk | undefined;
  let checking = true;
  let ended = 0;

  async function check({ cluster }: Stage): Promise<void> {
    const checks = await healthCheck();
    const watch = async (node: (typeof cluster.nodes)[number]) => {
      while (checking) {
        if ((await checks.run(node)).output.includes('ending it')) ended++;
        await sleep(CHECK_MS);
      }
    };
    await Promise.all(cluster.nodes.map(watch));
    await checks.end();
  }
  let watching: Promise<void> = Promise.resolve();

  return {
    async prepare() {
      disk = mountSmallDisk();
      return disk ? { DATA_DIR: join(disk.path, 'cluster') } : NO_DISK;
    },
    end() {
      disk?.free();
      disk?.remove();
    },
    steps: [
      [
        'Let a supervisor run `docs/deploy/nats-health.sh` for each node, as `docker-compose.yml` does.',
        async (stage) => {
          watching = check(stage);
          return undefined;
        },
      ],
      [
        'Fill the disk: nothing is accepted that cannot be stored, and `/readyz` becomes 503.',
        async ({ replicas }) => {
          const [replica] = replicas;
          await waitFor('nothing is accepted', async () => {
            disk?.fill();
            return (await fetch(`${replica?.http()}/readyz`)).status === 503;
          });
          return undefined;
        },
      ],
      [
        'Free space: nodes that are stuck are ended and started again, and everything goes on by itself.',
        async (stage) => {
          disk?.free();
          await untilWhole(stage);
          for (const replica of stage.replicas) await untilReady(replica);
          await stage.load.paidMore(3);
          checking = false;
          await watching;
          return `the health check ended ${ended} nodes`;
        },
      ],
    ],
  };
};
