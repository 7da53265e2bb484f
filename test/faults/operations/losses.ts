/** Plays losses that an operator must handle: a lost node, a damaged store, a full disk and a lost log. */

import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programOf } from '../../environment/compile-cache.ts';
import { healthCheck } from '../../lab/cluster/health.ts';
import { makeStreams } from '../../lab/cluster/streams.ts';
import { mountSmallDisk, NO_DISK, type SmallDisk } from '../../support/process/small-disk.ts';
import { type ClusterWorld, leaderOf, untilRestarted, untilWhole } from '../world/cluster.ts';
import { untilReady, waitFor } from '../world/parts.ts';
import { type Operation, sells } from './operation.ts';

/** A machine is lost: the node that leads the payments, with its disk, and a replica. */
export function lostNode(): Operation {
  const replaced = Promise.withResolvers<void>();
  let lost: Awaited<ReturnType<typeof leaderOf>> | undefined;
  let pid = 0;
  return {
    steps: [
      [
        'Lose the machine: SIGKILL ends a replica and the node that leads `PAYMENTS`, and the store of that node is deleted.',
        async ({ cluster, replicas, holdDown }) => {
          lost = await leaderOf(cluster, 'PAYMENTS');
          pid = lost.server.pid();
          holdDown(lost, replaced.promise);
          process.kill(pid, 'SIGKILL');
          process.kill(replicas[0]?.pid() ?? 0, 'SIGKILL');
          await rm(lost.store, { recursive: true, force: true });
        },
      ],
      ['Two nodes and two replicas continue, and keep selling.', (world) => sells(world, 6)],
      [
        'Start a node of the same name with an empty store, and wait until every stream has all of its copies.',
        async (world) => {
          replaced.resolve();
          if (lost) await untilRestarted(lost, pid);
          await world.whole();
          await sells(world, 3);
        },
      ],
    ],
  };
}

/** A node cannot read its store, or uses all of its memory in reading it. */
export function damagedStore(): Operation {
  const replaced = Promise.withResolvers<void>();
  let lost: Awaited<ReturnType<typeof leaderOf>> | undefined;
  let pid = 0;
  return {
    steps: [
      [
        'Damage the store of a node: it stops, and its supervisor cannot restart it.',
        async ({ cluster, holdDown }) => {
          lost = await leaderOf(cluster, 'TESTS');
          pid = lost.server.pid();
          holdDown(lost, replaced.promise);
          process.kill(pid, 'SIGKILL');
          await damageBlocks(lost.store);
        },
      ],
      [
        'Stop it, and move its store to another place.',
        async () => {
          if (lost) await rename(lost.store, `${lost.store}-damaged`);
        },
      ],
      ['The other two nodes continue, and the service keeps selling.', (world) => sells(world, 3)],
      [
        'Start it with an empty store, and wait until every stream has all of its copies.',
        async (world) => {
          replaced.resolve();
          if (lost) await untilRestarted(lost, pid);
          await world.whole();
          await sells(world, 3);
        },
      ],
    ],
  };
}

/** Overwrites a part in the middle of each block. */
async function damageBlocks(store: string): Promise<void> {
  const files = await readdir(store, { recursive: true });
  const blocks = files.filter((name) => name.endsWith('.blk'));
  if (blocks.length === 0) throw new Error('The store has no block.');
  for (const name of blocks) {
    const file = join(store, name);
    const bytes = await readFile(file);
    randomFillSync(bytes, bytes.length >> 1, Math.min(64, bytes.length >> 1));
    await writeFile(file, bytes);
  }
}

/** Pause between two health checks of the supervisor, in milliseconds. */
const CHECK_MS = 2000;

/** The disks of all three nodes are full. */
export function fullDisk(): Operation {
  let disk: SmallDisk | undefined;
  let isChecking = true;
  let watching: Promise<unknown> = Promise.resolve();
  async function check({ cluster }: ClusterWorld): Promise<void> {
    const checks = await healthCheck();
    const watch = async (node: (typeof cluster.nodes)[number]) => {
      while (isChecking) {
        await checks.run(node);
        await sleep(CHECK_MS);
      }
    };
    await Promise.all(cluster.nodes.map(watch));
    await checks.end();
  }
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
        'Have a supervisor run `docs/deploy/nats-health.sh` for each node, as `docker-compose.yml` does.',
        async (world) => {
          watching = check(world);
        },
      ],
      [
        'Fill the disk: the service accepts nothing that it cannot store, and `/readyz` becomes 503.',
        ({ replicas: [replica] }) =>
          waitFor('nothing is accepted', async () => {
            disk?.fill();
            return (await fetch(`${replica?.http()}/readyz`)).status === 503;
          }),
      ],
      [
        'Free space: nodes that are stuck are stopped and started again, and the service resumes on its own.',
        async (world) => {
          disk?.free();
          await world.whole();
          await sells(world, 3);
          isChecking = false;
          await watching;
        },
      ],
    ],
  };
}

const cli = programOf('src/operator.ts');

async function replay({ cluster }: ClusterWorld, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...cluster.operator };
  const options = { cwd: parse(cli).root, env };
  const run = promisify(execFile)(process.execPath, [cli, 'replay', ...args], options);
  return (await run).stdout.trim();
}

/** The whole log is lost, and restored from a file. */
export function restoredBackup(): Operation {
  let folder = '';
  const file = () => join(folder, 'log.jsonl');
  const restored = Promise.withResolvers<void>();
  let replaced: readonly Promise<unknown>[] = [];
  return {
    isLogReplaced: true,
    async prepare() {
      folder = await mkdtemp(join(tmpdir(), 'restored-backup-'));
      return {};
    },
    end: () => void rm(folder, { recursive: true, force: true }),
    steps: [
      [
        'Back up the log while it is in use: `npm run -s operate -- replay backup log.jsonl`, as the operator.',
        async (world) => {
          await sells(world, 6);
          // The world is paused, because the backup does not contain what comes after it.
          await world.pause();
          await replay(world, 'backup', file());
        },
      ],
      [
        'Lose the log: every node is stopped and its store is deleted. Stop the replicas.',
        async ({ cluster, replicas, holdDown }) => {
          const stopped = replicas.map(() => Promise.withResolvers<void>());
          replaced = replicas.map((replica, index) =>
            replica.replace({
              between: async () => {
                stopped[index]?.resolve();
                await restored.promise;
              },
            }),
          );
          await Promise.all(stopped.map(({ promise }) => promise));
          const empty = Promise.withResolvers<void>();
          for (const node of cluster.nodes) holdDown(node, empty.promise);
          await Promise.all(cluster.nodes.map(({ server }) => server.kill()));
          for (const { store } of cluster.nodes) await rm(store, { recursive: true, force: true });
          empty.resolve();
        },
      ],
      [
        'Start empty nodes, create the streams, and restore: `npm run -s operate -- replay restore log.jsonl`, as the operator.',
        async (world) => {
          for (const { name, server, monitoring } of world.cluster.nodes)
            await waitFor(
              `${name} is healthy`,
              async () => server.alive() && (await fetch(`${monitoring}/healthz`)).ok,
            );
          await makeStreams({ PATH: process.env.PATH, ...world.cluster.operator });
          await replay(world, 'restore', file());
        },
      ],
      [
        'Start the replicas: everything that was acknowledged before the backup is there, and the service sells again.',
        async (world) => {
          restored.resolve();
          await Promise.all(replaced);
          await Promise.all(world.replicas.map(untilReady));
          await untilWhole(world.cluster);
          world.resume();
          await sells(world, 3);
        },
      ],
    ],
  };
}
