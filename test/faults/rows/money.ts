/** Lists the faults about buyers, our own wallet and the blocks of the chain. */

import { parseEther } from 'viem';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import { SALE } from '../client/plan.ts';
import { type Fault, nothing, type Seen } from '../fault.ts';
import { killReplica, type Replica, waitFor } from '../world/parts.ts';
import { hostilePayers } from './hostile-payers.ts';

const many = (count: number, plan: typeof SALE) => Array.from({ length: count }, () => plan);

const countOf = (payments: Seen['payments'], type: PaymentEvent['type']) =>
  payments.filter(({ event }) => event.type === type).length;

/** Many buyers at once, and those who have too little. */
export const crowds: readonly Fault[] = [
  { name: 'nothing breaks', kind: 'crowd', apply: nothing },
  hostilePayers(),
];

/** Our own wallet, and the blocks for which it waits. */
export const wallets: readonly Fault[] = [
  {
    name: 'an empty wallet',
    kind: 'lie',
    plans: [SALE],
    attempts: 3,
    shows: [/502 facilitator_unavailable/],
    async apply({ replicas, environment: { chain } }) {
      const set = (ether: string) =>
        Promise.all(
          replicas.map(({ wallet }) => wallet && chain.fundEther(wallet, parseEther(ether))),
        );
      await set('0');
      return () => set('1');
    },
  },
  {
    name: 'a wallet that two replicas share',
    kind: 'outage',
    plans: many(8, SALE),
    attempts: Number.POSITIVE_INFINITY,
    async apply({ replicas }) {
      const [one, two] = replicas as [Replica, Replica];
      const use = ({ walletFile = '' }: Replica) =>
        two.replace({ env: { X402_WALLET_KEY_FILE: walletFile } });
      await use(one);
      return () => use(two);
    },
  },
  {
    name: 'no block',
    kind: 'lie',
    plans: [SALE],
    attempts: 3,
    shows: [/503 settlement_pending/],
    apply: ({ environment }) => environment.chain.holdBlocks(),
  },
  {
    name: 'no block, and every replica is killed',
    kind: 'outage',
    plans: [SALE],
    attempts: 1,
    // After the restart, the payment still has the same transaction.
    holds: ({ payments }) => {
      const signed = countOf(payments, 'TransactionSigned');
      return signed === 1 ? [] : [`${signed} transactions`];
    },
    async apply({ environment, replicas, broadcasts }) {
      const before = broadcasts.length;
      const release = await environment.chain.holdBlocks();
      await waitFor('a broadcast', async () => broadcasts.length > before);
      await Promise.all(replicas.map(killReplica));
      return release;
    },
  },
];
