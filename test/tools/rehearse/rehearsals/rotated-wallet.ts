import { readFile } from 'node:fs/promises';
import { createPublicClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { Rehearse } from '../rehearsal.ts';
import { replaceEach, type Stage } from '../stage.ts';

/** The wallets that pay the gas get new keys. Money of buyers never touches them. */
export const rotatedWallet: Rehearse = () => {
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
            accounts.push(
              privateKeyToAccount((await readFile(file, 'utf8')).trim() as Hex).address,
            );
          }
          return `${accounts.length} new wallets`;
        },
      ],
      [
        'Replace one replica after the other, with `X402_WALLET_KEY_FILE` naming the new key.',
        async (stage) => {
          await stage.load.paidMore(3);
          await replaceEach(stage, async ({ id }) => ({
            env: { X402_WALLET_KEY_FILE: files.get(id) ?? '' },
          }));
          return undefined;
        },
      ],
      [
        'See that the new wallets settle, then move what the old ones have left.',
        async (stage) => {
          await stage.load.paidMore(9);
          const counts = await Promise.all(accounts.map((one) => transactionsOf(stage, one)));
          if (counts.some((count) => count === 0))
            throw new Error(`A new wallet has sent nothing: ${counts.join(', ')} transactions.`);
          return `${counts.join(', ')} transactions`;
        },
      ],
    ],
  };
};

const transactionsOf = ({ cluster: { environment } }: Stage, address: Hex) =>
  createPublicClient({
    chain: base,
    transport: http(environment.chain.rpcUrl),
  }).getTransactionCount({ address });
