/** Plays the replacement of the TLS certificates while the service is in use. */

import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';
import { shownCertificate } from '../../support/mail/shown-certificate.ts';
import { type ClusterWorld, untilRestarted } from '../world/cluster.ts';
import { waitFor } from '../world/parts.ts';
import { type Operation, replaceEach, sells } from './operation.ts';

const makeSecrets = fileURLToPath(new URL('../../../docs/deploy/make-secrets.sh', import.meta.url));

const reload = ({ cluster: { nodes } }: ClusterWorld) => {
  for (const { server } of nodes) process.kill(server.pid(), 'SIGHUP');
};

/**
 * Replaces the certificate for STARTTLS without a restart, then that of the nodes, whose authority also
 * changes.
 */
export function rotatedCertificate(): Operation {
  let folder = '';
  const write = async (name: string) => {
    const { cert, key } = await selfSigned(name, Date.now());
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  };
  return {
    async prepare() {
      folder = await mkdtemp(join(tmpdir(), 'rotated-certificate-'));
      await write('old.example');
      return {
        SMTP_TLS_CERT_FILE: join(folder, 'cert.pem'),
        SMTP_TLS_KEY_FILE: join(folder, 'key.pem'),
      };
    },
    end: () => void rm(folder, { recursive: true, force: true }),
    steps: [
      [
        'Replace the files of `SMTP_TLS_CERT_FILE` and `SMTP_TLS_KEY_FILE`: within a minute, new connections use them, without a restart.',
        async ({ replicas }) => {
          const pids = replicas.map(({ pid }) => pid());
          await write('renewed.example');
          for (const { id, smtp } of replicas)
            await waitFor(
              `${id} shows the new certificate`,
              async () => (await shownCertificate(smtp().port)) === 'renewed.example',
            );
          if (replicas.some(({ pid }, index) => pid() !== pids[index]))
            throw new Error('A replica was restarted.');
        },
      ],
      [
        'Make the next certificate for the nodes with `sh docs/deploy/make-secrets.sh --renew secrets`, give each node the new `nats_ca.pem`, and send it SIGHUP to load the file.',
        async (world) => {
          await promisify(execFile)('/bin/sh', [makeSecrets, '--renew', world.cluster.secrets]);
          reload(world);
        },
      ],
      [
        'Replace one replica after the other, with the new `nats_ca.pem`.',
        async (world) => {
          await replaceEach(world, async () => ({}));
        },
      ],
      [
        'Copy `next/nats_cert.pem` and `next/nats_key.pem` over those in use, and send each node SIGHUP to load them.',
        async (world) => {
          const { secrets } = world.cluster;
          for (const name of ['nats_cert.pem', 'nats_key.pem'])
            await copyFile(join(secrets, 'next', name), join(secrets, name));
          reload(world);
        },
      ],
      [
        'Restart a node: it joins the others with the new certificate.',
        async (world) => {
          const [node] = world.cluster.nodes;
          if (!node) throw new Error('There is no node.');
          const pid = node.server.pid();
          process.kill(pid, 'SIGUSR2');
          await untilRestarted(node, pid);
          await world.whole();
          await sells(world, 3);
        },
      ],
    ],
  };
}
