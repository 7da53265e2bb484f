import { setTimeout as delay } from 'node:timers/promises';
import { type Hex, isAddressEqual, type TransactionReceipt } from 'viem';
import type { Clock } from '../../ports/ambient.ts';
import type { ChainOutcome, PaymentChain, SignedPayment } from '../../ports/payment.ts';
import { cached } from './cached.ts';
import {
  answered,
  BLOCKS_A_QUERY,
  ContradictionError,
  findReceipt,
  openRpc,
  type Rpc,
  type RpcOptions,
  readLogs,
} from './rpc.ts';
import { judgeSignature } from './signature.ts';
import {
  type AuthorizationKey,
  addressTopic,
  isOfAuthorization,
  isUsed,
  movedMoney,
  tokenAbi,
  topics,
  toReceipt,
  transferOf,
} from './token.ts';
import { type Evidence, provenBy } from './verdict.ts';

/** An authorization lives for 65 minutes at most: 1,950 blocks of 2 s. */
const LIFETIME_QUERIES = 4n;

/** The head that a search begins at may be so old: 30 blocks. In milliseconds. */
const HEAD_AGE_MS = 60_000;

/** Half an hour, in which one that is shown for the first time may have been used: wallets sign from ten minutes ago. */
const RECENT_BLOCKS = BLOCKS_A_QUERY;

/** For one outcome, however many queries it takes: about five days of blocks. */
const OUTCOME_MS = 30_000;
const HEAD_MS = 10_000;

/** A node may be a few blocks behind the one that settled. */
const CONFIRM_MS = 8_000;
const CONFIRM_PAUSE_MS = 300;

/** A block's time may be ahead of our clock by this, in seconds; further ahead it proves nothing. */
const MOST_AHEAD = 90;

/** Contracts that may deploy a payer's wallet with its first payment (ERC-6492): the same on every chain. */
const FACTORIES = [
  // Coinbase Smart Wallet 1 and 1.1.
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  // Safe 1.3.0, at both of its addresses, and 1.4.1.
  '0xa6B71E26C5e0845f74c812102Ca7114b6a896AB2',
  '0xC22834581EbC8527d974F8a1c97E1bEA4EF910BC',
  '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
];

interface Options extends RpcOptions {
  /** Held against the time of blocks; without it, they are believed. */
  readonly clock?: Clock;
  /** In place of `FACTORIES`. */
  readonly factories?: readonly string[];
}

/** The chain as the judge: see `PaymentChain`. Every rejection is an `RpcError`. */
export function paymentChain({ clock, factories = FACTORIES, ...options }: Options): PaymentChain {
  const rpc = openRpc(options);
  const head = cached(HEAD_AGE_MS, () => rpc.getBlockNumber());
  const latest = () => (clock ? clock() / 1000 + MOST_AHEAD : Number.POSITIVE_INFINITY);
  return {
    head: async () => Number(await answered(head(), HEAD_MS)),
    checkSignature: (payment) => answered(judgeSignature(rpc, payment, factories), HEAD_MS),
    ended: (payment, since) =>
      answered(
        head().then((newest) => ended(rpc, payment, newest, since)),
        OUTCOME_MS,
      ),
    balance: ({ requirements, authorization }) =>
      answered(
        rpc.readContract({
          address: requirements.asset as Hex,
          abi: tokenAbi,
          functionName: 'balanceOf',
          args: [authorization.from as Hex],
        }),
        HEAD_MS,
      ),
    confirm: (payment, transaction) =>
      answered(confirm(rpc, payment, transaction as Hex), CONFIRM_MS),
    outcome: (payment, fromBlock, ours = []) =>
      answered(
        outcome(rpc, { payment, from: BigInt(fromBlock), ours, latest: latest() }),
        OUTCOME_MS,
      ),
  };
}

/** What anybody has sent of a payment that we have shown to nobody. */
async function ended(
  rpc: Rpc,
  payment: SignedPayment,
  head: bigint,
  since = Number(head - RECENT_BLOCKS),
): Promise<'settled' | 'spent' | undefined> {
  const from = BigInt(Math.max(0, since));
  const last = lastBlock(from);
  const to = head < from ? from : head;
  const range = to < last ? { from, to, end: 'latest' as const } : { from, to: last };
  const { log, receipt } = await readEnd(rpc, payment, { ...range, isNamed: false });
  if (log === 'none') return undefined;
  const state = provenBy({ used: true, expired: true, log, receipt });
  if (state === undefined) throw new ContradictionError();
  return state === 'settled' ? state : 'spent';
}

/** What the life of an authorization can span. */
const lastBlock = (from: bigint) => from + BLOCKS_A_QUERY * LIFETIME_QUERIES - 1n;

interface Question {
  readonly payment: SignedPayment;
  readonly from: bigint;
  /** Transactions of ours for it. */
  readonly ours: readonly string[];
  /** The newest time that a block can have, in seconds. */
  readonly latest: number;
}

async function outcome(rpc: Rpc, question: Question): Promise<ChainOutcome> {
  const { payment, from, ours, latest } = question;
  // One block for time and state: with two, a payment mined in between would look dead. By its hash,
  // since a node that lags has not got it, and may answer a number with what it has.
  const block = await rpc.getBlock();
  const used = await isUsed(rpc, payment, { blockHash: block.hash, requireCanonical: true });
  const isAhead = Number(block.timestamp) > latest;
  const isPast = block.timestamp >= BigInt(payment.authorization.validBefore);
  if (isPast && isAhead && !used) throw new ContradictionError();
  const expired = isPast && !isAhead;
  const end =
    used || expired ? await findEnd(rpc, payment, from, block.number, { used, expired }) : UNREAD;
  const state = provenBy({ used, expired, log: end.log, receipt: end.receipt });
  if (state === undefined) throw new ContradictionError();
  // A transaction of ours transfers to us, and never cancels.
  if (state === 'dead' || state === 'cancelled' || state === 'spent')
    for (const hash of ours)
      if (hash === end.mined?.transactionHash || (await showsTransfer(rpc, payment, hash as Hex)))
        throw new ContradictionError();
  if (state !== 'settled') return { state };
  if (!end.mined) throw new ContradictionError();
  return {
    state,
    receipt: toReceipt(payment, end.mined.transactionHash),
    block: Number(end.mined.blockNumber),
  };
}

/** The block of a transaction that somebody says has paid: its receipt must show it. */
async function confirm(rpc: Rpc, payment: SignedPayment, hash: Hex): Promise<number | undefined> {
  const until = performance.now() + CONFIRM_MS - 1_000;
  for (;;) {
    const [mined, used] = await Promise.all([findReceipt(rpc, hash), isUsed(rpc, payment)]);
    if (mined && !paidBy(mined, payment)) return undefined;
    // A receipt of a block that is no more, or a node that lags: both have to show it.
    if (mined && used) return Number(mined.blockNumber);
    if (performance.now() > until) return undefined;
    await delay(CONFIRM_PAUSE_MS);
  }
}

const paidBy = ({ status, logs }: TransactionReceipt, payment: SignedPayment) =>
  status === 'success' && movedMoney(logs, payment);

async function showsTransfer(rpc: Rpc, payment: SignedPayment, hash: Hex): Promise<boolean> {
  const mined = await findReceipt(rpc, hash);
  return mined !== undefined && paidBy(mined, payment);
}

type End = Pick<Evidence, 'log' | 'receipt'> & { readonly mined?: TransactionReceipt };
const UNREAD: End = { log: 'not read', receipt: 'not read' };

/** How the authorization ended, by its event and that transaction's receipt. */
async function findEnd(
  rpc: Rpc,
  payment: SignedPayment,
  from: bigint,
  to: bigint,
  { used, expired }: Pick<Evidence, 'used' | 'expired'>,
): Promise<End> {
  // One that is not used has no event: what its life can span is searched to be sure.
  const last = lastBlock(from);
  const end = await readEnd(rpc, payment, { from, to: used || to < last ? to : last });
  const isOlder =
    end.log === 'none' && used && expired && (await isUsed(rpc, payment, { blockNumber: from }));
  return isOlder ? { ...end, log: 'older' } : end;
}

async function readEnd(rpc: Rpc, payment: SignedPayment, search: Search): Promise<End> {
  const { asset } = payment.requirements;
  const log = await findLog(rpc, { asset, ...payment.authorization }, search);
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
  readonly end?: 'latest';
  /** The node may learn the nonce, which makes its answer short. */
  readonly isNamed?: boolean;
}

/** The log of this authorization's end. The contract writes one, and never a second. */
export async function findLog(
  rpc: Rpc,
  name: AuthorizationKey,
  { from, to, end, isNamed = true }: Search,
) {
  const ends = [topics.used, topics.cancelled];
  const nonce = isNamed ? [name.nonce.toLowerCase() as Hex] : [];
  const wanted = [ends, addressTopic(name.from), ...nonce];
  for await (const log of readLogs(rpc, name.asset as Hex, wanted, from, to, end))
    if (ends.some((end) => isOfAuthorization(log, name, end))) return log;
  return undefined;
}
