import { parseAbi, type TransactionReceipt } from 'viem';
import { FeeError, isAnswer, type Rpc } from './rpc.ts';

/** A block of Base: fees do not change faster. In milliseconds. */
const FEES_MS = 2_000;

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

/** What gas costs now, and what it has cost within the hour. */
export function openFees(rpc: Rpc, limits: GasLimits) {
  const prices = cached(FEES_MS, () => readPrices(rpc));
  const dataFee = cached(DATA_FEE_MS, () => readDataFee(rpc));
  /** By wallet nonce, since only one transaction of a nonce is ever paid for. */
  const spent = new Map<number, { readonly at: number; readonly wei: bigint }>();

  function spentWithinHour(besides?: number): bigint {
    let sum = 0n;
    for (const [nonce, { at, wei }] of spent) {
      if (performance.now() - at > HOUR_MS) spent.delete(nonce);
      else if (nonce !== besides) sum += wei;
    }
    return sum;
  }

  return {
    /** Twice the base fee: enough for five full blocks in a row; what is not needed is not paid. */
    async current(): Promise<Fees & { readonly dataFee: bigint }> {
      const [{ base, tip }, data] = await Promise.all([prices(), dataFee()]);
      const maxFeePerGas = 2n * base + tip;
      return { maxFeePerGas, maxPriorityFeePerGas: tip, dataFee: data };
    },

    /**
     * The fees for so much gas, never more than may be spent.
     *
     * @param fees to be paid at least, for a replacement
     * @param nonce of the transaction that is replaced: it costs nothing then
     * @throws FeeError
     */
    async allowed(gas: bigint, fees?: Fees, nonce?: number): Promise<Fees> {
      const [{ base, tip }, data] = await Promise.all([prices(), dataFee()]);
      const least = fees?.maxFeePerGas ?? base + tip;
      if (gas * least + data > limits.perSettlement)
        throw new FeeError('Gas costs more than X402_MAX_FEE_PER_SETTLEMENT.');
      if (spentWithinHour(nonce) + gas * least + data > limits.perHour)
        throw new FeeError('Gas has cost X402_MAX_SPEND_PER_HOUR within the hour.');
      if (fees) return fees;
      const most = (limits.perSettlement - data) / gas;
      const wanted = 2n * base + tip;
      return { maxFeePerGas: wanted < most ? wanted : most, maxPriorityFeePerGas: tip };
    },

    /** What a signed transaction may cost. */
    reserve(nonce: number, wei: bigint): void {
      spent.set(nonce, { at: performance.now(), wei });
    },

    /** What it has cost. An OP-stack receipt has the fee for publishing apart. */
    settle(nonce: number, mined: TransactionReceipt): void {
      const data = BigInt((mined as { l1Fee?: bigint | null }).l1Fee ?? 0n);
      const wei = mined.gasUsed * mined.effectiveGasPrice + data;
      if (spent.has(nonce)) spent.set(nonce, { at: performance.now(), wei });
    },
  };
}

/** Asked again after so long; a failure is not kept. */
function cached<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > milliseconds) {
      const value = read();
      last = { at: performance.now(), value };
      value.catch(() => {
        last = undefined;
      });
    }
    return last.value;
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
