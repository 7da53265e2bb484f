import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeStreams } from '../../cluster/streams.ts';
import type { Rehearse } from '../rehearsal.ts';
import { type Stage, untilReady, untilWhole, waitFor } from '../stage.ts';

const cli = fileURLToPath(new URL('../../../../src/cli.ts', import.meta.url));

/** The whole log is lost, and put back from a file. */
export const restoredBackup: Rehearse = () => {
  let folder = '';
  const file = () => join(folder, 'log.jsonl');
  const restored = Promise.withResolvers<void>();
  let replaced: Promise<unknown>[] = [];

  async function replay({ cluster }: Stage, ...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, ...cluster.operator };
    const options = { cwd: parse(cli).root, env };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'replay', ...args],
      options,
    );
    return stdout.trim();
  }

  return {
    async prepare() {
      folder = await mkdtemp(join(tmpdir(), 'restored-backup-'));
      return {};
    },
    end: () => void rm(folder, { recursive: true, force: true }),
    steps: [
      [
        'Back up the log while it is used: `npm run -s operate -- replay backup log.jsonl`, as the operator.',
        async (stage) => {
          await stage.load.paidMore(6);
          // What comes after the backup is not in it.
          await stage.load.pause();
          return replay(stage, 'backup', file());
        },
      ],
      [
        'Lose the log: every node ends and its store is gone. Stop the replicas.',
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
          return undefined;
        },
      ],
      [
        'Start empty nodes, make the streams, and restore: `npm run -s operate -- replay restore log.jsonl`, as the operator.',
        async (stage) => {
          for (const { name, server, monitoring } of stage.cluster.nodes)
            await waitFor(
              `${name} is healthy`,
              async () => server.alive() && (await fetch(`${monitoring}/healthz`)).ok,
            );
          await makeStreams({ PATH: process.env.PATH, ...stage.cluster.operator });
          return replay(stage, 'restore', file());
        },
      ],
      [
        'Start the replicas: what was acknowledged before the backup is there, and selling goes on.',
        async (stage) => {
          restored.resolve();
          await Promise.all(replaced);
          for (const replica of stage.replicas) await untilReady(replica);
          await untilWhole(stage);
          stage.load.resume();
          await stage.load.paidMore(3);
          return undefined;
        },
      ],
    ],
  };
};
