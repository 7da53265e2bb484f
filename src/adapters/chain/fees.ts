/**
 * Tracks the price of gas and what was spent on it within the hour, and returns fees within the operator's
 * limits, of which payers who have never paid may use only a share.
 */

import { parseAbi, type TransactionReceipt } from 'viem';
import { createRates } from '../../domain/fairness/rates.ts';
import type { Unproven } from '../../ports/payment.ts';
import { BLOCK_MS, cached } from './cached.ts';
import { FeeError, isAnswer, type Rpc } from './rpc.ts';

/**
 * How long the fee for publishing a transaction on Ethereum is cached, in milliseconds. It follows Ethereum's
 * own fees.
 */
const DATA_FEE_MS = 30_000;

const HOUR_MS = 3_600_000;

/**
 * The address of the fee oracle, which is the same on every OP-stack chain (specs.optimism.io, "Predeploys").
 */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
]);

/**
 * Size of one settlement without its signature, rounded up: an ordinary payer's call has 292 bytes of data.
 */
const TRANSACTION_BYTES = 400n;

/** The most that may be spent on gas, in wei. */
export interface GasLimits {
  readonly perSettlement: bigint;
  readonly perHour: bigint;
}

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

interface Spent {
  /** When the amount was recorded, in `performance.now()` time. */
  readonly at: number;
  readonly wei: bigint;
  readonly unproven: Unproven;
}

/** Tracks what gas costs now, and what it has cost within the hour. */
export function openFees(rpc: Rpc, limits: GasLimits) {
  const prices = cached(BLOCK_MS, () => readPrices(rpc));
  const publishing = cached(DATA_FEE_MS, () => readDataFee(rpc));
  /** Amounts by wallet nonce, because only one transaction per nonce is ever paid for. */
  const spent = new Map<number, Spent>();
  /** The gas costs of payers who have never paid, in wei. */
  const wasted = createRates({ windowMs: HOUR_MS, capacity: Number(limits.perHour / 2n) });

  function spentWithinHour(except: number | undefined): bigint {
    let sum = 0n;
    for (const [nonce, one] of spent) {
      if (performance.now() - one.at > HOUR_MS) spent.delete(nonce);
      else if (nonce !== except) sum += one.wei;
    }
    return sum;
  }

  /** Records what a transaction may cost or has cost, replacing what was recorded before. */
  function reserve(nonce: number, wei: bigint, unproven: Unproven): void {
    const before = spent.get(nonce);
    const at = performance.now();
    if (before?.unproven) wasted.giveBack(before.unproven, at, Number(before.wei));
    if (unproven) wasted.count(unproven, at, Number(wei));
    spent.set(nonce, { at, wei, unproven });
  }

  /**
   * Returns the current fees. Twice the base fee is enough for five full blocks in a row, and any part that
   * is not needed is not charged.
   */
  async function current() {
    const [{ base, tip }, dataFee] = await Promise.all([prices(), publishing()]);
    const wanted: Fees = { maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
    return { ...wanted, least: base + tip, dataFee };
  }

  return {
    current,

    /**
     * Returns the fees for this much gas, never more than may be spent.
     *
     * @param fees fees of a transaction that replaces another one, which are checked and returned unchanged
     * @param nonce wallet nonce of the replaced transaction, which then costs nothing
     * @throws FeeError
     */
    async allowed(gas: bigint, unproven: Unproven, fees?: Fees, nonce?: number): Promise<Fees> {
      const { least, dataFee, ...wanted } = await current();
      const cost = gas * (fees?.maxFeePerGas ?? least) + dataFee;
      if (cost > limits.perSettlement)
        throw new FeeError('Gas costs more than a hundredth of X402_MAX_SPEND_PER_HOUR.');
      if (spentWithinHour(nonce) + cost > limits.perHour)
        throw new FeeError('The gas spent in the past hour has reached X402_MAX_SPEND_PER_HOUR.');
      const replaced = nonce === undefined ? 0 : Number(spent.get(nonce)?.wei ?? 0);
      if (unproven && wasted.room(unproven, performance.now()) + replaced < Number(cost))
        throw new FeeError(
          'Payers who have never paid have used up their share of X402_MAX_SPEND_PER_HOUR within the past hour.',
        );
      if (fees) return fees;
      const most = (limits.perSettlement - dataFee) / gas;
      return wanted.maxFeePerGas < most ? wanted : { ...wanted, maxFeePerGas: most };
    },

    reserve,

    /**
     * Records what a transaction has cost, and whether its payer has paid. An OP-stack receipt lists the fee
     * for publishing separately.
     */
    settle(nonce: number, mined: TransactionReceipt): void {
      const data = BigInt((mined as { l1Fee?: bigint | null }).l1Fee ?? 0n);
      const wei = mined.gasUsed * mined.effectiveGasPrice + data;
      const known = spent.get(nonce);
      if (!known) return;
      reserve(nonce, wei, mined.status === 'success' ? null : known.unproven);
    },
  };
}

async function readPrices(rpc: Rpc) {
  const [{ baseFeePerGas }, tip] = await Promise.all([
    rpc.getBlock(),
    rpc.estimateMaxPriorityFeePerGas(),
  ]);
  return { base: baseFeePerGas ?? 0n, tip };
}

/**
 * Returns what an OP-stack chain charges in addition for publishing a transaction, in wei, or 0 if there is
 * no oracle.
 */
async function readDataFee(rpc: Rpc): Promise<bigint> {
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
