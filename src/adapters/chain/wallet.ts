import { type Address, type Hex, keccak256, parseAbi, parseTransaction } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { SignedTx } from '../../ports/payment.ts';
import { findReceipt, isAnswer, nodeMessage, type Rpc } from './rpc.ts';

/** Our own count of wallet nonces outranks a node that lags, but not for longer than this. */
const COUNT_TRUSTED_MS = 30_000;

/** Transactions signed for one call before we leave it to the chain. */
const MAX_COLLISIONS = 5;

/** Gas of one settlement, rounded up: measured 68,000 to 85,000. */
const SETTLEMENT_GAS = 100_000n;

/** The same predeploy on every OP-stack chain (specs.optimism.io, "Predeploys"). */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
]);

/** Of one settlement without its signature, rounded up: a plain payer's call has 292 of data. */
const TRANSACTION_BYTES = 400n;

export interface ContractCall {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** How the work on one payment is recorded, and until when it may go on. */
export interface Work {
  /** By `performance.now()`: nothing is signed after it. */
  readonly until: number;
  record(tx: SignedTx): Promise<void>;
}

export type Wallet = ReturnType<typeof openWallet>;

/**
 * The hot wallet that pays for gas. One transaction at a time is signed, made durable and sent, in
 * this order: whatever is on its way to the chain is in the log.
 */
export function openWallet(rpc: Rpc, key: Hex) {
  const account = privateKeyToAccount(key);
  let queue: Promise<unknown> = Promise.resolve();
  let sent: { readonly nonce: number; readonly at: number } | undefined;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = queue.then(work);
    queue = mine.catch(() => {});
    return mine;
  };

  /** The chain's count and our own, the larger. */
  async function nextNonce(): Promise<number> {
    const { address } = account;
    const pending = await rpc.getTransactionCount({ address, blockTag: 'pending' });
    if (!sent || performance.now() - sent.at > COUNT_TRUSTED_MS) return pending;
    return Math.max(pending, sent.nonce + 1);
  }

  async function commit(tx: SignedTx, { until, record }: Work): Promise<'sent' | 'collided'> {
    if (performance.now() > until) throw new Error('too late to sign');
    await record(tx);
    const outcome = await broadcast(rpc, tx);
    if (outcome === 'sent') sent = { nonce: tx.wallet_nonce, at: performance.now() };
    if (outcome !== 'collided') return 'sent';
    // A request repeated after a lost answer finds its own transaction in the way.
    return (await findReceipt(rpc, tx.transaction as Hex)) ? 'sent' : 'collided';
  }

  return {
    address: account.address,
    fees: () => currentFees(rpc),

    /**
     * Signs, records and sends. A wallet nonce that somebody else took is answered by another
     * transaction: the authorization itself works only once.
     *
     * @throws when the record was not made; then nothing was sent
     */
    send: (call: ContractCall, work: Work): Promise<SignedTx> =>
      inTurn(async () => {
        for (let collisions = 0; ; collisions += 1) {
          const [nonce, fees] = await Promise.all([nextNonce(), currentFees(rpc)]);
          const tx = await sign(rpc, account, call, nonce, fees);
          if ((await commit(tx, work)) === 'sent' || collisions === MAX_COLLISIONS) return tx;
          sent = undefined;
        }
      }),

    /** Sends one of ours again with at least 12.5 % more, so that nodes take it in place of the first. */
    replace: (tx: SignedTx, work: Work): Promise<SignedTx> =>
      inTurn(async () => {
        const { to, data = '0x' } = parseTransaction(tx.raw as Hex);
        if (!to) throw new Error('not a call');
        const fees = raise(tx, await currentFees(rpc));
        const call = { to, data, gas: BigInt(tx.gas) };
        const replacement = await sign(rpc, account, call, tx.wallet_nonce, fees, tx.transaction);
        await commit(replacement, work);
        return replacement;
      }),

    /** What is left, in wei and in settlements at today's fees. */
    async funds() {
      const { address } = account;
      const [wei, fees, dataFee] = await Promise.all([
        rpc.getBalance({ address }),
        currentFees(rpc),
        currentDataFee(rpc),
      ]);
      const each = SETTLEMENT_GAS * fees.maxFeePerGas + dataFee;
      return { wei, settlements: Number(wei / (each || 1n)) };
    },
  };
}

async function sign(
  { chain }: Rpc,
  account: PrivateKeyAccount,
  call: ContractCall,
  nonce: number,
  fees: Fees,
  replaces?: string,
): Promise<SignedTx> {
  const signed = { ...call, ...fees, nonce, chainId: chain.id, type: 'eip1559' } as const;
  const raw = await account.signTransaction(signed);
  return {
    transaction: keccak256(raw),
    raw,
    wallet: account.address,
    wallet_nonce: nonce,
    gas: `${call.gas}`,
    max_fee_per_gas: `${fees.maxFeePerGas}`,
    max_priority_fee_per_gas: `${fees.maxPriorityFeePerGas}`,
    ...(replaces === undefined ? {} : { replaces }),
  };
}

interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Twice the base fee: enough for five full blocks in a row, and what is not needed is not paid. */
async function currentFees(rpc: Rpc): Promise<Fees> {
  const [{ baseFeePerGas }, maxPriorityFeePerGas] = await Promise.all([
    rpc.getBlock(),
    rpc.estimateMaxPriorityFeePerGas(),
  ]);
  return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/**
 * What an OP-stack chain such as Base takes on top for publishing the transaction, in wei; nothing
 * on a chain that has no such oracle.
 */
async function currentDataFee(rpc: Rpc): Promise<bigint> {
  try {
    return await rpc.readContract({
      address: GAS_PRICE_ORACLE,
      abi: oracleAbi,
      functionName: 'getL1FeeUpperBound',
      args: [TRANSACTION_BYTES],
    });
  } catch (error) {
    if (isAnswer(error)) return 0n;
    throw error;
  }
}

/** At least 12.5 % more, or nodes refuse it as a replacement. */
const raise = (tx: SignedTx, now: Fees): Fees => ({
  maxFeePerGas: larger(raised(tx.max_fee_per_gas), now.maxFeePerGas),
  maxPriorityFeePerGas: larger(raised(tx.max_priority_fee_per_gas), now.maxPriorityFeePerGas),
});

const raised = (fee: string) => (BigInt(fee) * 9n + 7n) / 8n + 1n;
const larger = (one: bigint, other: bigint) => (one > other ? one : other);

/**
 * Sends a signed transaction, once or again. `collided`: its wallet nonce belongs to another one;
 * `unclear`: it may be on its way.
 */
export async function broadcast(
  rpc: Rpc,
  { raw }: Pick<SignedTx, 'raw'>,
): Promise<'sent' | 'collided' | 'unclear'> {
  try {
    await rpc.sendRawTransaction({ serializedTransaction: raw as Hex });
    return 'sent';
  } catch (error) {
    const message = nodeMessage(error);
    if (/already known|already imported|known transaction|already exists/.test(message))
      return 'sent';
    if (/nonce (is )?too low|replacement.*underpriced/.test(message)) return 'collided';
    return 'unclear';
  }
}
