import { parseAbi, type TransactionReceipt } from 'viem';
import { createRates } from '../../domain/fairness/rates.ts';
import type { Unproven } from '../../ports/payment.ts';
import { BLOCK_MS, cached } from './cached.ts';
import { FeeError, isAnswer, type Rpc } from './rpc.ts';

/** The fee for publishing follows Ethereum's. In milliseconds. */
const DATA_FEE_MS = 30_000;

const HOUR_MS = 3_600_000;

/** The same predeploy on every OP-stack chain (specs.optimism.io, "Predeploys"). */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
]);

/** Of one settlement without its signature, rounded up: a plain payer's call has 292 of data. */
const TRANSACTION_BYTES = 400n;

/** The highest that may be spent on gas, in wei. */
export interface GasLimits {
  readonly perSettlement: bigint;
  readonly perHour: bigint;
}

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

interface Spent {
  /** By `performance.now()`. */
  readonly at: number;
  readonly wei: bigint;
  readonly unproven: Unproven;
}

/** What gas costs now, and what it has cost within the hour. */
export function openFees(rpc: Rpc, limits: GasLimits) {
  const prices = cached(BLOCK_MS, () => readPrices(rpc));
  const publishing = cached(DATA_FEE_MS, () => readDataFee(rpc));
  /** By wallet nonce, since only one transaction of a nonce is ever paid for. */
  const spent = new Map<number, Spent>();
  /** What payers that never paid have cost, in wei. */
  const wasted = createRates({ windowMs: HOUR_MS, capacity: Number(limits.perHour / 2n) });

  function spentWithinHour(except: number | undefined): bigint {
    let sum = 0n;
    for (const [nonce, one] of spent) {
      if (performance.now() - one.at > HOUR_MS) spent.delete(nonce);
      else if (nonce !== except) sum += one.wei;
    }
    return sum;
  }

  /** What a transaction may cost, or has cost, in place of what was known of it. */
  function reserve(nonce: number, wei: bigint, unproven: Unproven): void {
    const before = spent.get(nonce);
    const at = performance.now();
    if (before?.unproven) wasted.giveBack(before.unproven, at, Number(before.wei));
    if (unproven) wasted.count(unproven, at, Number(wei));
    spent.set(nonce, { at, wei, unproven });
  }

  /** Twice the base fee: enough for five full blocks in a row; what is not needed is not paid. */
  async function current() {
    const [{ base, tip }, dataFee] = await Promise.all([prices(), publishing()]);
    const wanted: Fees = { maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
    return { ...wanted, least: base + tip, dataFee };
  }

  return {
    current,

    /**
     * The fees for so much gas, never more than may be spent.
     *
     * @param fees to be paid at least, for a replacement
     * @param nonce of the transaction that is replaced: it costs nothing then
     * @throws FeeError
     */
    async allowed(gas: bigint, unproven: Unproven, fees?: Fees, nonce?: number): Promise<Fees> {
      const { least, dataFee, ...wanted } = await current();
      const cost = gas * (fees?.maxFeePerGas ?? least) + dataFee;
      if (cost > limits.perSettlement)
        throw new FeeError('Gas costs more than a hundredth of X402_MAX_SPEND_PER_HOUR.');
      if (spentWithinHour(nonce) + cost > limits.perHour)
        throw new FeeError('Gas has cost X402_MAX_SPEND_PER_HOUR within the hour.');
      const replaced = nonce === undefined ? 0 : Number(spent.get(nonce)?.wei ?? 0);
      if (unproven && wasted.room(unproven, performance.now()) + replaced < Number(cost))
        throw new FeeError(
          'Payers that never paid have cost their part of X402_MAX_SPEND_PER_HOUR within the hour.',
        );
      if (fees) return fees;
      const most = (limits.perSettlement - dataFee) / gas;
      return wanted.maxFeePerGas < most ? wanted : { ...wanted, maxFeePerGas: most };
    },

    reserve,

    /** What it has cost, and whether its payer has paid. An OP-stack receipt has the fee for publishing apart. */
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

/** What an OP-stack chain takes on top for publishing, in wei; nothing where there is no oracle. */
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
