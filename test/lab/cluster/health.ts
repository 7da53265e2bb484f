/** Runs the health check of docker-compose.yml for nodes without a container. */

import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Node } from './nodes.ts';

const script = fileURLToPath(new URL('../../../docs/deploy/nats-health.sh', import.meta.url));

/** The containers have busybox. On a machine without netcat, this does the same. */
const NETCAT = `#!/usr/bin/env bash
exec 3<>"/dev/tcp/$1/$2" || exit 1
cat >&3
cat <&3
`;

/**
 * Returns the command that docker-compose.yml runs in a node's container, with the node's own pid instead of
 * 1.
 */
export async function healthCheck() {
  const folder = await mkdtemp(join(tmpdir(), 'nats-health-'));
  if (spawnSync('nc', ['-h']).error !== undefined) {
    await writeFile(join(folder, 'nc'), NETCAT);
    await chmod(join(folder, 'nc'), 0o755);
  }
  const env = { PATH: `${process.env.PATH}:${folder}` };
  return {
    run({ monitoring, server, store }: Pick<Node, 'monitoring' | 'server' | 'store'>) {
      const args = [script, String(server.pid()), store, new URL(monitoring).port];
      return new Promise<{ code: unknown; output: string }>((resolve) => {
        execFile('/bin/sh', args, { env }, (error, output) =>
          resolve({ code: error?.code ?? 0, output }),
        );
      });
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}

export type HealthCheck = Awaited<ReturnType<typeof healthCheck>>;
