/**
 * Finds out how and in which transaction an authorization was used or cancelled, and computes the range of
 * blocks in which to search.
 */

import { type Hex, isAddressEqual, type TransactionReceipt } from 'viem';
import { MOST_QUERIES, QUESTION_BLOCKS } from '../../domain/node-needs.ts';
import type { SignedPayment } from '../../ports/payment.ts';
import { smaller } from './bigint.ts';
import { MOST_BLOCKS } from './log-range.ts';
import { ContradictionError, type Rpc } from './rpc.ts';
import { isSignedByKey } from './signature.ts';
import {
  type AuthorizationKey,
  addressTopic,
  isOfAuthorization,
  isUsed,
  movedMoney,
  topics,
  transferOf,
} from './token.ts';
import { type Evidence, provenBy } from './verdict.ts';

/** An authorization lives for 65 minutes at most, and is used within its lifetime. */
const BLOCK_SECONDS = 2;
const LIFETIME_BLOCKS = 1_950;

export type End = Pick<Evidence, 'log' | 'receipt'> & { readonly mined?: TransactionReceipt };

/** Returns how someone else ended an authorization that we have shown to nobody. */
export async function ended(
  rpc: Rpc,
  payment: SignedPayment,
  since: number | undefined,
  read: () => Promise<{ readonly head: bigint; readonly now: number }>,
): Promise<'settled' | 'spent' | undefined> {
  // The nonce alone moves no money if the node has not seen the signature. In that case, the state is read
  // before the logs.
  const isNamed = await isSignedByKey(payment);
  if (isNamed && !(await isUsed(rpc, payment))) return undefined;
  if (isNamed && since === undefined) return 'spent';
  const { head, now } = await read();
  const from = firstBlock(BigInt(since ?? firstUse(payment, head, now)), head);
  const last = isNamed ? head : lastBlock(from);
  const search = { from, to: smaller(head, last), isNamed };
  const { log, receipt } = await readEnd(rpc, payment, search);
  if (log === 'none' && !isNamed) return undefined;
  const state = provenBy({ used: true, expired: true, log, receipt });
  if (state === undefined) throw new ContradictionError();
  return state === 'settled' ? state : 'spent';
}

/**
 * Returns the block of `validAfter`, but at least half an hour ago, and no earlier than the first block in
 * which an authorization that is still valid can have been signed.
 */
function firstUse({ authorization }: SignedPayment, head: bigint, now: number): number {
  const blocks = (now / 1000 - Number(authorization.validAfter)) / BLOCK_SECONDS;
  const spare = Number(MOST_BLOCKS);
  return Number(head) - Math.ceil(Math.min(LIFETIME_BLOCKS, Math.max(blocks, spare)));
}

/** Returns the block where a search begins. If that block does not exist yet, it was named by mistake. */
export function firstBlock(from: bigint, head: bigint): bigint {
  const first = from > head ? head - BigInt(LIFETIME_BLOCKS) : from;
  return first < 0n ? 0n : first;
}

/**
 * Returns the last block that the lifetime of an authorization can reach, plus a reserve of the same length
 * for wrong heads and clocks.
 */
export const lastBlock = (from: bigint) => from + BigInt(QUESTION_BLOCKS) - 1n;

/** Returns the end of an authorization, from its event and the receipt of the event's transaction. */
export async function readEnd(rpc: Rpc, payment: SignedPayment, search: Search): Promise<End> {
  const { asset } = payment.requirements;
  const name = { asset, ...payment.authorization };
  const log = await findLog(rpc, name, { ...search, mostQueries: MOST_QUERIES });
  if (!log?.transactionHash) return { log: 'none', receipt: 'not read' };
  const mined = await rpc.getTransactionReceipt({ hash: log.transactionHash });
  return {
    log: log.topics[0] === topics.used ? 'AuthorizationUsed' : 'AuthorizationCanceled',
    receipt: mined.status === 'success' ? contentOf(mined, payment) : 'neither',
    mined,
  };
}

function contentOf({ logs }: TransactionReceipt, payment: SignedPayment): Evidence['receipt'] {
  const { requirements, authorization } = payment;
  const { asset } = requirements;
  if (movedMoney(logs, payment)) return 'our transfer';
  if (transferOf(logs, { asset, ...authorization })) return 'another transfer';
  const cancels = (log: (typeof logs)[number]) =>
    isAddressEqual(log.address, asset as Hex) &&
    isOfAuthorization(log, authorization, topics.cancelled);
  return logs.some(cancels) ? 'cancellation' : 'neither';
}

interface Search {
  readonly from: bigint;
  readonly to: bigint;
  readonly mostQueries?: number;
  /** True if the node may learn the nonce, which makes its response short. */
  readonly isNamed?: boolean;
}

/** Returns the log entry that shows the end of this authorization. The contract writes exactly one. */
export async function findLog(
  rpc: Rpc,
  name: AuthorizationKey,
  { from, to, isNamed = true, mostQueries }: Search,
) {
  const ends = [topics.used, topics.cancelled];
  const nonce = isNamed ? [name.nonce.toLowerCase() as Hex] : [];
  const wanted = [ends, addressTopic(name.from), ...nonce];
  for await (const log of rpc.logRange.read(name.asset as Hex, wanted, from, to, mostQueries))
    if (ends.some((end) => isOfAuthorization(log, name, end))) return log;
  return undefined;
}
