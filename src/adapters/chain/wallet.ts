/**
 * Sends the transactions of the hot wallet, one wallet nonce after another, and records each call before it
 * is sent. Raises fees, fills gaps between nonces, and reads the wallet's funds.
 */

import { type Address, type Hex, keccak256, parseTransaction } from 'viem';
import { setNewest } from '../../domain/set-newest.ts';
import type { SignedTx, Unproven } from '../../ports/payment.ts';
import { larger } from './bigint.ts';
import { type Fees, type GasLimits, openFees } from './fees.ts';
import { findReceipt, nodeMessage, type Rpc } from './rpc.ts';
import type { Signer } from './signer.ts';

/**
 * Number of blocks for which our own count of wallet nonces outranks a node that lags: half a minute on Base.
 */
const COUNT_TRUSTED_BLOCKS = 15;

/** Number of transactions that are signed for one call before the outcome is left to the chain. */
const MAX_COLLISIONS = 5;

/**
 * Maximum gas that an ordinary settlement is given (its estimate and about a third more), from which the
 * funds and the limits are computed. Measured use is 68,000 to 85,000.
 */
const SETTLEMENT_GAS = 150_000n;

export interface ContractCall {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** How the work on one payment is recorded, and how long it may continue. */
export interface Work {
  /** Time after which nothing is signed, in `performance.now()` time. */
  readonly until: number;
  readonly unproven: Unproven;
  record(tx: SignedTx): Promise<void>;
}

export type Wallet = ReturnType<typeof openWallet>;

/**
 * Number of transactions that are remembered, so that they can be sent again if a reorganization or a node
 * lost them.
 */
const MOST_REMEMBERED = 256;

/** Gas for a transfer of zero to ourselves. */
const FILLER_GAS = 21_000n;

/**
 * Opens the hot wallet that pays for gas. One transaction at a time is signed and made durable, in the order
 * of nonces, and then sent. Every transaction on its way to the chain is in the log.
 */
export function openWallet(rpc: Rpc, signer: Signer, limits: GasLimits, blockMs: number) {
  const { address } = signer;
  const fees = openFees(rpc, limits);
  const remembered = new Map<number, Pick<SignedTx, 'raw'>>();
  let queue: Promise<unknown> = Promise.resolve();
  let last: { readonly nonce: number; readonly at: number } | undefined;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = queue.then(work);
    queue = mine.catch(() => {});
    return mine;
  };
  const pendingCount = () => rpc.getTransactionCount({ address, blockTag: 'pending' });

  /** Returns our own count, or the chain's count if ours is old. */
  const nextNonce = async () =>
    last && performance.now() - last.at < COUNT_TRUSTED_BLOCKS * blockMs
      ? last.nonce + 1
      : pendingCount();

  async function record(tx: SignedTx, work: Work): Promise<SignedTx> {
    if (performance.now() > work.until) throw new Error('too late to sign');
    await work.record(tx);
    const most = BigInt(tx.gas) * BigInt(tx.max_fee_per_gas);
    fees.reserve(tx.wallet_nonce, most, work.unproven);
    setNewest(remembered, tx.wallet_nonce, tx, MOST_REMEMBERED);
    return tx;
  }

  /**
   * Returns whether another transaction is in the way. A request that is repeated after a lost answer
   * collides with its own transaction, whose receipt shows that.
   */
  const isInTheWay = async (tx: SignedTx) =>
    (await broadcast(rpc, tx)) === 'collided' && !(await findReceipt(rpc, tx.transaction as Hex));

  return {
    address,
    fees,

    /**
     * Signs, records and sends. If another transaction took the wallet nonce, a new transaction is signed:
     * the authorization itself works only once.
     *
     * @throws if the record was not made, or FeeError; in both cases nothing was sent
     */
    async send(call: ContractCall, work: Work): Promise<SignedTx> {
      for (let collisions = 0; ; collisions += 1) {
        const tx = await inTurn(async () => {
          const allowed = fees.allowed(call.gas, work.unproven);
          const [nonce, price] = await Promise.all([nextNonce(), allowed]);
          const signed = await record(await sign(rpc, signer, call, nonce, price), work);
          last = { nonce, at: performance.now() };
          return signed;
        });
        if (!(await isInTheWay(tx)) || collisions === MAX_COLLISIONS) return tx;
        last = undefined;
      }
    },

    /**
     * Sends one of our transactions again with fees that are at least 12.5 % higher, so that nodes accept it
     * as a replacement.
     *
     * @throws FeeError if that is more than may be spent
     */
    async replace(tx: SignedTx, work: Work): Promise<SignedTx> {
      const { to, data = '0x' } = parseTransaction(tx.raw as Hex);
      if (!to) throw new Error('not a call');
      const call = { to, data, gas: BigInt(tx.gas) };
      const nonce = tx.wallet_nonce;
      const raisedTo = raise(tx, await fees.current());
      const price = await fees.allowed(call.gas, work.unproven, raisedTo, nonce);
      const raised = await sign(rpc, signer, call, nonce, price, tx.transaction);
      await inTurn(() => record(raised, work));
      await broadcast(rpc, raised);
      return raised;
    },

    /**
     * Fills the nonces before this transaction that the chain is waiting for. A transaction that we sent with
     * such a nonce is sent again, because a reorganization or a node may have lost it. If we sent none,
     * or it is not accepted, an empty transfer fills the nonce.
     */
    async fillGap({ wallet, wallet_nonce }: SignedTx): Promise<void> {
      if (wallet !== address) return;
      for (let nonce = await pendingCount(); nonce < wallet_nonce; nonce += 1) {
        const known = remembered.get(nonce);
        if (known && (await broadcast(rpc, known)) === 'sent') continue;
        const price = await fees.allowed(FILLER_GAS, null);
        const filler = { to: address, data: '0x', gas: FILLER_GAS } as const;
        await broadcast(rpc, await sign(rpc, signer, filler, nonce, price));
      }
    },

    /** Returns the remaining funds, in wei and in settlements at today's fees. */
    async funds() {
      const [wei, now] = await Promise.all([rpc.getBalance({ address }), fees.current()]);
      const each = SETTLEMENT_GAS * now.maxFeePerGas + now.dataFee;
      return { wei, settlements: Number(wei / (each || 1n)) };
    },

    /** @throws FeeError if a settlement costs more than may be spent */
    allowsSettlement: async (unproven: Unproven) =>
      void (await fees.allowed(SETTLEMENT_GAS, unproven)),
  };
}

async function sign(
  { chain }: Rpc,
  signer: Signer,
  call: ContractCall,
  nonce: number,
  fees: Fees,
  replaces?: string,
): Promise<SignedTx> {
  const raw = await signer.sign({ ...call, ...fees, nonce, chainId: chain.id });
  return {
    transaction: keccak256(raw),
    raw,
    wallet: signer.address,
    wallet_nonce: nonce,
    gas: `${call.gas}`,
    max_fee_per_gas: `${fees.maxFeePerGas}`,
    max_priority_fee_per_gas: `${fees.maxPriorityFeePerGas}`,
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** Raises the fees by at least 12.5 %, because nodes refuse the replacement otherwise. */
const raise = (tx: SignedTx, now: Fees): Fees => ({
  maxFeePerGas: larger(raised(tx.max_fee_per_gas), now.maxFeePerGas),
  maxPriorityFeePerGas: larger(raised(tx.max_priority_fee_per_gas), now.maxPriorityFeePerGas),
});

const raised = (fee: string) => (BigInt(fee) * 9n + 7n) / 8n + 1n;

/**
 * Sends a signed transaction, for the first time or again. `collided`: its wallet nonce belongs to another
 * transaction; `unclear`: it may be on its way.
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
    if (/already ?known|already imported|known transaction|already exists/.test(message))
      return 'sent';
    if (/nonce (is )?too low|oldnonce|replacement.*(underpriced|notallowed)/.test(message))
      return 'collided';
    return 'unclear';
  }
}
