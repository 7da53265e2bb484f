/** Plays a rolling upgrade and its reversal, and the replacement of the wallets' keys. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { PROGRAM_ENV } from '../../environment/compile-cache.ts';
import { makeStreams } from '../../lab/cluster/streams.ts';
import { adminOf } from '../../support/payments/payment-chain.ts';
import { untilRestarted, untilWhole } from '../world/cluster.ts';
import { killReplica, untilReady, type World } from '../world/parts.ts';
import { mainOf } from '../world/release-before.ts';
import { type Operation, replaceEach, sells } from './operation.ts';

const main = mainOf(fileURLToPath(new URL('../../..', import.meta.url)));

/**
 * Replaces everything while it is in use, with the previous release, and back again. nats-server's lame duck
 * mode is SIGUSR2.
 */
export const rollingUpgrade = (before = main): Operation => ({
  steps: [
    [
      'Replace one replica after the other: send SIGTERM, start the new one, and wait until its `/readyz` is 200.',
      async (world) => {
        await replaceEach(world, async () => ({ main }));
        await sells(world, 3);
      },
    ],
    [
      'Replace one node after the other: send SIGUSR2 (lame duck mode), start the new one, and wait until every stream has all of its copies.',
      async (world) => {
        for (const node of world.cluster.nodes) {
          const pid = node.server.pid();
          process.kill(pid, 'SIGUSR2');
          await untilRestarted(node, pid);
          await untilWhole(world.cluster);
        }
        await sells(world, 3);
      },
    ],
    [
      'Roll back in the same way, and then forward again: a replica of either release that dies in the meantime can restart.',
      async (world) => {
        const [first, second] = world.replicas;
        if (!first || !second) throw new Error('There are no two replicas.');
        await first.replace({ main: before });
        await untilReady(first);
        for (const one of [first, second]) {
          await killReplica(one);
          await untilReady(one);
        }
        for (const release of [before, main]) {
          await replaceEach(world, async () => ({ main: release }));
          await sells(world, 3);
        }
      },
    ],
    [
      'Once no replica will be rolled back, finish the upgrade: run `npm run -s operate -- streams --final`, as the operator.',
      async (world) => {
        const lines = await makeStreams({ ...PROGRAM_ENV, ...world.cluster.operator }, ['--final']);
        if (lines.some((line) => line.endsWith('not final'))) throw new Error(lines.join('\n'));
        await replaceEach(world, async () => ({ main }));
        await sells(world, 3);
      },
    ],
  ],
});

/** The wallets that pay for gas get new keys. The buyers' money never touches them. */
export function rotatedWallet(): Operation {
  const files = new Map<string, string>();
  const accounts: Hex[] = [];
  return {
    steps: [
      [
        'Make a new key for each replica, and send ether to its address.',
        async ({ cluster, replicas }) => {
          for (const { id } of replicas) {
            const { X402_WALLET_KEY_FILE: file = '' } = await cluster.newWallet(`${id}-new`);
            files.set(id, file);
            const key = (await readFile(file, 'utf8')).trim() as Hex;
            accounts.push(privateKeyToAccount(key).address);
          }
        },
      ],
      [
        'Replace one replica after the other, setting `X402_WALLET_KEY_FILE` to the new key.',
        (world) =>
          replaceEach(world, async ({ id }) => ({
            env: { X402_WALLET_KEY_FILE: files.get(id) ?? '' },
          })),
      ],
      [
        'Check that the new wallets settle payments, then move the ether that is left in the old ones.',
        async (world) => {
          await sells(world, 9);
          const counts = await Promise.all(accounts.map((one) => transactionsOf(world, one)));
          if (counts.includes(0)) throw new Error(`A new wallet has sent nothing: ${counts}.`);
        },
      ],
    ],
  };
}

const transactionsOf = ({ environment }: World, address: Hex) =>
  adminOf(environment.chain).getTransactionCount({ address });
