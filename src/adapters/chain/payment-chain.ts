import type { Hex } from 'viem';
import type { ChainOutcome, PaymentChain, SignedPayment } from '../../ports/payment.ts';
import { answered, openRpc, type Rpc, type RpcOptions } from './rpc.ts';
import { addressTopic, concerns, movedMoney, tokenAbi, topics, toReceipt } from './token.ts';

/** Public RPCs refuse wider ranges. */
const BLOCKS_A_QUERY = 1_000;

/** For one outcome, however many queries it takes: about five days of blocks. */
const OUTCOME_MS = 30_000;
const HEAD_MS = 10_000;

/** The chain as the judge: see `PaymentChain`. Every rejection is an `RpcError`. */
export function paymentChain(options: RpcOptions): PaymentChain {
  const rpc = openRpc(options);
  return {
    async head() {
      const { number, timestamp } = await answered(rpc.getBlock(), HEAD_MS);
      return { number: Number(number), timestamp: Number(timestamp) };
    },
    async finalized() {
      const { number } = await answered(rpc.getBlock({ blockTag: 'finalized' }), HEAD_MS);
      return Number(number);
    },
    outcome: (payment, fromBlock) => answered(outcome(rpc, payment, BigInt(fromBlock)), OUTCOME_MS),
  };
}

async function outcome(rpc: Rpc, payment: SignedPayment, from: bigint): Promise<ChainOutcome> {
  // One block for time and state: with two, a payment mined in between would look dead.
  const block = await rpc.getBlock();
  if (!(await isUsed(rpc, payment, block.number))) {
    const { validBefore } = payment.authorization;
    return { state: block.timestamp >= BigInt(validBefore) ? 'dead' : 'open' };
  }

  const log = await findLog(rpc, payment, from, block.number);
  if (log?.topics[0] === topics.used && log.transactionHash) {
    const receipt = await rpc.getTransactionReceipt({ hash: log.transactionHash });
    if (!movedMoney(receipt.logs, payment)) return { state: 'cancelled' };
    return {
      state: 'settled',
      receipt: toReceipt(payment, receipt.transactionHash),
      block: Number(receipt.blockNumber),
    };
  }
  if (log) return { state: 'cancelled' };

  // Used, and no log says how: spent before our range began, or the node's logs are behind.
  if (from > 0n && (await isUsed(rpc, payment, from - 1n))) return { state: 'cancelled' };
  throw new Error('the logs of the chain are incomplete');
}

const isUsed = (rpc: Rpc, { requirements, authorization }: SignedPayment, blockNumber: bigint) =>
  rpc.readContract({
    address: requirements.asset as Hex,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [authorization.from as Hex, authorization.nonce as Hex],
    blockNumber,
  });

/** The log of this authorization's end. The contract writes one, and never a second. */
async function findLog(
  rpc: Rpc,
  { requirements, authorization }: SignedPayment,
  from: bigint,
  to: bigint,
) {
  for (let first = from; first <= to; first += BigInt(BLOCKS_A_QUERY)) {
    const last = first + BigInt(BLOCKS_A_QUERY - 1);
    const logs = await rpc.request({
      method: 'eth_getLogs',
      params: [
        {
          address: requirements.asset as Hex,
          topics: [
            [topics.used, topics.cancelled],
            addressTopic(authorization.from),
            authorization.nonce.toLowerCase() as Hex,
          ],
          fromBlock: `0x${first.toString(16)}`,
          toBlock: `0x${(last < to ? last : to).toString(16)}`,
        },
      ],
    });
    const ends = [topics.used, topics.cancelled];
    const found = logs.find((log) => ends.some((end) => concerns(log, authorization, end)));
    if (found) return found;
  }
  return undefined;
}
