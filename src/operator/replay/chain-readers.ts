/**
 * Opens what some commands of `replay` need to query the chain, as the settings require: a reader for damaged
 * payments, and the account that reports are paid to.
 */

import { transferFinder } from '../../adapters/chain/find-transfer.ts';
import { paymentChain } from '../../adapters/chain/payment-chain.ts';
import { loadLogConfig } from '../../config/config.ts';
import { claimKey } from '../../domain/payment-terms.ts';
import type { ChainReader } from './ask-chain.ts';

/**
 * Returns a reader of what the chain shows about damaged payments, or `undefined` if the settings lack what
 * it needs.
 */
export function moneyReader(): ChainReader | undefined {
  const { rpcUrl, payTo, amount, network: ours, asset } = loadLogConfig();
  if (rpcUrl === null || payTo === null) return undefined;
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return {
    outcome: (network) => paymentChain({ rpcUrl, network }).outcome,
    find: (network, name, fromBlock) => transferFinder({ rpcUrl, network }).find(name, fromBlock),
    async findIn(transaction) {
      const found = await transferFinder({ rpcUrl, network: ours }).findIn(transaction, asset);
      const terms = { network: ours, asset };
      return found.map((one) => ({ ...one, claim: claimKey(terms, one) }));
    },
    isPrice: ({ to, value }) => same(to, payTo) && value === amount,
  };
}

export function selling() {
  const { rpcUrl, ...rest } = loadLogConfig();
  if (rpcUrl === null) throw new Error('X402_RPC_URL is needed to ask the chain.');
  return { rpcUrl, ...rest };
}
