/**
 * Makes payments (by keys and by contract wallets) and settlement jobs for tests on a local chain, and
 * controls that chain.
 */

import {
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  parseEther,
  publicActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { paymentTerms } from '../../../src/domain/payment-terms.ts';
import type { SettlementJob, SignedPayment, SignedTx } from '../../../src/ports/payment.ts';
import { type Chain, LIKE_BASE } from '../../environment/chain.ts';
import contracts from '../../environment/token/contracts.json' with { type: 'json' };
import stub from '../../fixtures/token/contracts.json' with { type: 'json' };
import { authorize } from './authorization.ts';

/** Returns the terms of this chain, as the service offers them. */
export const termsOf = ({ asset, payTo }: Chain) =>
  paymentTerms(
    {
      network: 'eip155:8453',
      asset,
      assetName: 'USD Coin',
      assetVersion: '2',
      amount: '50000',
      payTo,
    },
    Number.POSITIVE_INFINITY,
  );

/** Returns a signed payment on this chain's terms. */
export async function signPayment(
  chain: Chain,
  options?: Parameters<typeof authorize>[1],
): Promise<SignedPayment> {
  return { requirements: termsOf(chain), ...(await authorize(chain, options)) };
}

/** Creates a contract wallet with the price of a report, which itself verifies what its owner signed. */
export async function newWallet(
  chain: Chain,
  owner = chain.payer.address,
  bytecode = stub.SmartWallet.runtime_code as Hex,
): Promise<Hex> {
  const { address } = privateKeyToAccount(generatePrivateKey());
  const admin = adminOf(chain);
  await admin.setCode({ address, bytecode });
  await admin.setStorageAt({ address, index: 0, value: pad(owner) });
  await chain.fundToken(address, 50_000n);
  return address;
}

/** Returns what the owner signed, with 100 bytes, in the form that the wallet accepts. */
export const byWallet = <T extends { readonly signature: Hex }>(signed: T) => ({
  ...signed,
  signature: `${signed.signature}${'00'.repeat(35)}` as Hex,
});

/** Returns a payment of a contract wallet. */
export const walletPayment = async (chain: Chain, bytecode?: Hex) =>
  byWallet(await signPayment(chain, { from: await newWallet(chain, undefined, bytecode) }));

/** Takes everything the payer has. */
export async function drain(chain: Chain, key: Hex) {
  const { address } = privateKeyToAccount(key);
  await chain.fundEther(address, parseEther('1'));
  const all = await chain.usdcBalance(address);
  await callToken(chain, key, 'transfer', ['0x00000000000000000000000000000000000000d1', all]);
}

/** Returns a job that keeps its transactions in an array, as the log would. */
export function jobOf(payment: SignedPayment, before: readonly SignedTx[] = []) {
  const recorded: SignedTx[] = [];
  const job: SettlementJob = {
    payment,
    unproven: null,
    signed: before,
    recordSigned: async (tx) => void recorded.push(tx),
  };
  return { ...job, recorded };
}

/**
 * Gas limits that are never reached in practice, because gas on this chain costs a thousand times as much as
 * on Base.
 */
export const AMPLE = { perSettlement: parseEther('1'), perHour: parseEther('1000') };

/** Time limit in milliseconds, ample for a settlement on a chain of our own, even on a busy machine. */
export const SOON_MS = 60_000;

/** Full control of the local chain. */
export const adminOf = ({ rpcUrl }: Pick<Chain, 'rpcUrl'>) =>
  createTestClient({
    mode: 'anvil',
    chain: LIKE_BASE,
    // Ample, because mining two thousand blocks takes seconds on a busy machine.
    transport: http(rpcUrl, { retryCount: 0, timeout: 60_000 }),
    pollingInterval: 20,
  }).extend(publicActions);

/** Calls a contract from an account of its own and waits for the block. */
export async function send(chain: Chain, key: Hex, call: { readonly to: Hex; readonly data: Hex }) {
  const account = privateKeyToAccount(key);
  const wallet = createWalletClient({ account, chain: LIKE_BASE, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction(call);
  return adminOf(chain).waitForTransactionReceipt({ hash });
}

/** Calls a function of the token contract in a transaction, and waits for the receipt. */
export const callToken = (
  chain: Chain,
  key: Hex,
  functionName: string,
  args: readonly unknown[],
) => {
  const { abi } = contracts.UsdToken;
  return send(chain, key, {
    to: chain.asset,
    data: encodeFunctionData({ abi, functionName, args: [...args] }),
  });
};
