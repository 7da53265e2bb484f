/**
 * Opens the JSON-RPC client of a node, tells the chain's answers from failures to answer, limits the time for
 * an answer to several requests, and declares the errors of requests to the chain.
 */

import {
  BaseError,
  createPublicClient,
  defineChain,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { outageKind } from '../../domain/describe-error.ts';
import { openLogRange } from './log-range.ts';
import { isRateLimit, nodeErrorOf, nodeTransport } from './transport.ts';

export interface RpcOptions {
  readonly rpcUrl: string;
  /** CAIP-2 id of an EVM chain, for example `eip155:8453`. */
  readonly network: string;
}

/** Opens a client for the JSON-RPC of one chain's node. */
export function openRpc({ rpcUrl, network }: RpcOptions) {
  const chain = defineChain({
    id: Number(network.slice('eip155:'.length)),
    name: network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createPublicClient({
    chain,
    // Decisions about money depend on these answers, so none of them may come from a cache.
    cacheTime: 0,
    // A contract must not choose what we fetch.
    ccipRead: false,
    transport: nodeTransport(rpcUrl),
  }).extend((client) => ({ logRange: openLogRange(client) }));
}

export type Rpc = ReturnType<typeof openRpc>;

/**
 * The error for an RPC that gave no answer. Its text names only the kind of failure: viem's own texts contain
 * the URL, and an RPC's URL often contains its key.
 */
class RpcError extends Error {
  override readonly name = 'RpcError';

  /** The kind of failure that appears in the log: refused, timed out, forbidden or limited. */
  readonly code: string;

  constructor(cause: unknown) {
    const kind = kindOf(cause);
    super(`The chain's RPC did not respond (${kind}).`);
    this.code = kind;
  }
}

/**
 * The error for answers of a node that contradict each other or are incomplete. The node is asked again
 * later.
 */
export class ContradictionError extends Error {
  override readonly name = 'contradictory evidence';
}

/** The error if gas would cost more than the operator allows. In that case, nothing was signed. */
export class FeeError extends Error {
  override readonly name = 'FeeError';
}

/**
 * The error if the signer did not sign, or signed something else. In that case, nothing is recorded or sent.
 */
export class SignerError extends Error {
  override readonly name = 'SignerError';
}

function kindOf(error: unknown): string {
  const refusal = nodeErrorOf(error);
  const kind = refusal instanceof RpcRequestError ? `code ${refusal.code}` : outageKind(error);
  return isRateLimit(error) ? `rate limit: ${kind}` : kind;
}

/** The words with which geth, erigon, nethermind and anvil report a call that ran and failed. */
const FAILED_CALL = /revert|vm execution error|out of ?gas|invalid opcode|gas required exceeds/i;

/**
 * Returns whether the chain itself answered: the call ran and failed, or returned something unreadable.
 * Anything else means that the answer is unknown. viem's own classes do not help, because it takes an
 * internal error of the node (-32603) for a revert.
 */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const refusal = nodeErrorOf(error);
  if (refusal instanceof RpcRequestError)
    return refusal.code === 3 || FAILED_CALL.test(refusal.details);
  return error.walk((one) => /^AbiDecoding|ZeroData/.test((one as Error).name)) !== null;
}

/** Returns the node's own words in lower case, or an empty string if it gave none. */
export function nodeMessage(error: unknown): string {
  const refusal = nodeErrorOf(error);
  return refusal instanceof RpcRequestError ? refusal.details.toLowerCase() : '';
}

/** Returns the receipt of a transaction, or `undefined` if the transaction is not in a block. */
export async function findReceipt(rpc: Rpc, hash: `0x${string}`) {
  try {
    return await rpc.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** Returns whether the fault is ours, so that neither a payment nor the chain is to blame. */
const isOurs = (error: unknown) => error instanceof FeeError || error instanceof SignerError;

class LateError extends Error {
  override readonly name = 'TimeoutError';
}

/** Returns the result, or rejects with `RpcError` if anything goes wrong. */
export const named = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof RpcError || isOurs(error) ? error : new RpcError(error);
  });

/** Does the same as `named`, and also rejects if the work takes too long. */
export async function answered<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new LateError()), Math.max(0, milliseconds));
  try {
    return await named(Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}
