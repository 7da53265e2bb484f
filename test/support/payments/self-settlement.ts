/**
 * Provides, for one test file, a local chain, our own wallet's settlement behind an RPC that can fail, and
 * payments by keys, smart wallets and accounts with borrowed code.
 */

import { encodeFunctionData, type Hex, parseEther, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { paymentChain } from '../../../src/adapters/chain/payment-chain.ts';
import { selfSettlement } from '../../../src/adapters/chain/self-settlement.ts';
import { keySigner } from '../../../src/adapters/chain/signer.ts';
import type { Settlement } from '../../../src/ports/payment.ts';
import { type Chain, startChain } from '../../environment/chain.ts';
import stub from '../../fixtures/token/contracts.json' with { type: 'json' };
import {
  AMPLE,
  adminOf,
  byWallet,
  drain,
  jobOf,
  newWallet,
  SOON_MS,
  signPayment,
  walletPayment,
} from './payment-chain.ts';
import { startRpcProxy } from './rpc-proxy.ts';

/** Address of Coinbase's own factory. */
const FACTORY = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a';

/** Settles in so little time that the outcome is unknown. Repeats if the time was too short even to sign. */
export async function settleInVain(
  { settle }: Pick<Settlement, 'settle'>,
  job: ReturnType<typeof jobOf>,
  withinMs: number,
): Promise<void> {
  do expect(await settle(job, withinMs)).toMatchObject({ kind: 'unknown' });
  while (job.recorded.length === 0);
}

/** Provides a chain for one test file, and our own wallet's settlement behind an RPC that can fail. */
export function useSelfSettlement() {
  let chain: Chain;
  let proxy: Awaited<ReturnType<typeof startRpcProxy>>;
  let received = 0n;

  beforeAll(async () => {
    chain = await startChain();
    proxy = await startRpcProxy(chain.rpcUrl);
    await chain.fundEther(chain.payer.address, parseEther('1'));
  });
  beforeEach(async () => {
    received = await chain.usdcBalance(chain.payTo);
  });
  afterEach(() => proxy.fail());
  afterAll(async () => {
    await proxy.stop();
    await chain.stop();
  });

  const settlement = (key: Hex = chain.hotWallet.privateKey, blockMs = 2_000, limits = AMPLE) =>
    selfSettlement({
      rpcUrl: proxy.url,
      network: 'eip155:8453',
      signer: keySigner(key),
      limits,
      clock: Date.now,
      blockMs,
    });

  return {
    chain: () => chain,
    judge: () => paymentChain({ rpcUrl: proxy.url, network: 'eip155:8453' }),
    proxy: () => proxy,
    settlement,

    sign: (options?: Parameters<typeof signPayment>[1]) => signPayment(chain, options),

    /** Returns payments that reached us since the test began. */
    transfers: async () => Number((await chain.usdcBalance(chain.payTo)) - received) / 50_000,

    /** Returns a separate payer with some money. */
    async newPayer(amount = 50_000n) {
      const key = generatePrivateKey();
      const { address } = privateKeyToAccount(key);
      await chain.fundToken(address, amount);
      return { key, from: address };
    },

    drain: (key: Hex) => drain(chain, key),

    /** Returns transactions that are in the log but were never sent. */
    async signedOnly(payment: Awaited<ReturnType<typeof signPayment>>, key?: Hex) {
      const job = jobOf(payment);
      const recordSigned: typeof job.recordSigned = async (tx) => {
        await job.recordSigned(tx);
        throw new Error('no answer from the log');
      };
      const outcome = await settlement(key).settle({ ...job, recordSigned }, SOON_MS);
      expect(outcome).toMatchObject({ kind: 'unknown' });
      return job.recorded;
    },

    smartWalletPayment: () => walletPayment(chain),

    /** Returns a payment of a wallet that does not exist yet. Its factory deploys it (ERC-6492). */
    async futureWalletPayment(salt: bigint, factory: Hex = FACTORY) {
      const admin = adminOf(chain);
      const { abi, runtime_code } = stub.WalletFactory;
      await admin.setCode({ address: factory, bytecode: runtime_code as Hex });
      const args = [chain.payer.address, salt];
      const from = (await admin.readContract({
        address: factory,
        abi,
        functionName: 'getAddress',
        args,
      })) as Hex;
      await chain.fundToken(from, 50_000n);
      const payment = byWallet(await signPayment(chain, { from }));
      const signature = serializeErc6492Signature({
        address: factory,
        data: encodeFunctionData({ abi, functionName: 'createAccount', args }),
        signature: payment.signature,
      });
      return { ...payment, signature };
    },

    /** Returns a payment of an account that borrows a smart wallet's code (EIP-7702). */
    async delegatedPayment() {
      const wallet = await newWallet(chain);
      return walletPayment(chain, `0xef0100${wallet.slice(2)}`);
    },

    /** Returns a payment that an account's key signs, but the code that it borrows refuses. */
    async refusedPayment() {
      const [wallet, key] = [await newWallet(chain), generatePrivateKey()];
      const { address } = privateKeyToAccount(key);
      await chain.fundToken(address, 50_000n);
      const bytecode: Hex = `0xef0100${wallet.slice(2)}`;
      const admin = adminOf(chain);
      return {
        payment: await signPayment(chain, { key, from: address }),
        lend: () => admin.setCode({ address, bytecode }),
        takeBack: () => admin.setCode({ address, bytecode: '0x' }),
      };
    },
  };
}
