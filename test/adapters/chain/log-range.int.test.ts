/**
 * Tests how the range of blocks that a node allows per log query is measured and used, and that a
 * node without the last two hours is recognized.
 */

import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { paymentChain } from '../../../src/adapters/chain/payment-chain.ts';
import { openRpc } from '../../../src/adapters/chain/rpc.ts';
import { topics } from '../../../src/adapters/chain/token.ts';
import type { SignedPayment } from '../../../src/ports/payment.ts';
import { type Chain, startChain } from '../../environment/chain.ts';
import { splitSignature, transferArguments } from '../../support/payments/authorization.ts';
import { callToken, signPayment } from '../../support/payments/payment-chain.ts';
import { type Fate, grantsOnly, startRpcProxy } from '../../support/payments/rpc-proxy.ts';

const network = 'eip155:8453';
/** Number of the chain's first block. A search goes further back than one query may span. */
const FIRST_BLOCK = 5_000;

let chain: Chain;
let paid: { readonly payment: SignedPayment; readonly block: number };
let proxy: Awaited<ReturnType<typeof startRpcProxy>>;
beforeAll(async () => {
  chain = await startChain({ firstBlock: FIRST_BLOCK });
  proxy = await startRpcProxy(chain.rpcUrl);
  await chain.fundEther(chain.payer.address, 10n ** 18n);
  paid = await pay();
});
afterEach(() => proxy.fail());
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
});

const open = () => openRpc({ rpcUrl: proxy.url, network });
const rangeOf = async () => (await paymentChain({ rpcUrl: proxy.url, network }).look()).range;
const queries = () => proxy.calls.filter((method) => method === 'eth_getLogs').length;

/** Has the payer send its transfer itself, and returns the payment and its block. */
async function pay() {
  const payment = await signPayment(chain, { validBefore: 4_000_000_000 });
  const args = [
    ...transferArguments(payment as never),
    ...splitSignature(payment.signature as Hex),
  ] as const;
  const sent = await callToken(
    ...([chain, chain.payer.privateKey, 'transferWithAuthorization', args] as const),
  );
  return { payment, block: Number(sent.blockNumber) };
}

test.each([1, 5, 10, 128, 179, 180, 499, 500, 899, 900])(
  'a node that allows %i blocks is found to allow them, in at most 11 queries',
  async (blocks) => {
    proxy.fail(grantsOnly(blocks));
    const before = queries();
    expect(await rangeOf()).toBe(blocks);
    // In addition, there is one query for the history.
    expect(queries() - before).toBeLessThanOrEqual(11 + 1);
  },
);

test.each([1_000, 10_000])('of %i allowed blocks, 900 are used, with one query', async (blocks) => {
  proxy.fail(grantsOnly(blocks));
  const before = queries();
  expect(await rangeOf()).toBe(900);
  expect(queries() - before).toBe(2);
});

test('a node that allows no logs allows no blocks', async () => {
  proxy.fail(grantsOnly(0));
  expect(await rangeOf()).toBe(0);
});

test('a node that allows other blocks than before is measured again', async () => {
  const node = paymentChain({ rpcUrl: proxy.url, network });
  const seen: number[] = [];
  for (const blocks of [900, 10, 10, 500, 200]) {
    proxy.fail(grantsOnly(blocks));
    seen.push((await node.look()).range);
  }
  expect(seen).toEqual([900, 10, 10, 500, 200]);
});

test.each<[Fate, string | number]>([
  ['cut', 'UND_ERR_SOCKET'],
  [{ result: null }, 'no list of logs'],
  [{ error: { code: -32016, message: 'over rate limit' } }, 'rate limit: code -32016'],
  [{ error: { code: -32603, message: 'internal error' } }, 0],
])(
  'a node whose logs end with %j: a response that is no answer is no range',
  async (fate, expected) => {
    proxy.fail((method) => (method === 'eth_getLogs' ? fate : 'pass'));
    expect(await rangeOf().catch((error: { readonly code?: string }) => error.code)).toBe(expected);
  },
);

test('a node that has named another chain is asked again', async () => {
  const node = paymentChain({ rpcUrl: proxy.url, network });
  proxy.fail((method) => (method === 'eth_chainId' ? { result: '0x1' } : 'pass'));
  expect((await node.look()).network).toBe('eip155:1');
  proxy.fail();
  expect((await node.look()).network).toBe(network);
});

describe('the outcome of a payment', () => {
  test.each([180, 200, 500, 900])('is found with a node that allows %i blocks', async (blocks) => {
    const { payment, block } = paid;
    proxy.fail(grantsOnly(blocks));
    const { ended, outcome } = paymentChain({ rpcUrl: proxy.url, network });
    // The search begins as far back as for an old claim.
    expect(await ended(payment, block - 1_250)).toBe('settled');
    const before = queries();
    expect(await outcome(payment, block - 1_250)).toMatchObject({ state: 'settled', block });
    expect(queries() - before).toBeLessThanOrEqual(20);
  });

  test('is found in at most 20 queries', async () => {
    const { payment, block } = paid;
    proxy.fail(grantsOnly(10));
    const { outcome } = paymentChain({ rpcUrl: proxy.url, network });
    expect(await outcome(payment, block - 150)).toMatchObject({ state: 'settled' });
    const before = queries();
    await expect(outcome(payment, block - 1_250)).rejects.toMatchObject({
      code: 'log range too small',
    });
    expect(queries() - before).toBe(20);
  });

  test('is found with a node that allows fewer blocks from now on', async () => {
    const { payment, block } = paid;
    const { outcome } = paymentChain({ rpcUrl: proxy.url, network });
    expect(await outcome(payment, block - 1_000)).toMatchObject({ state: 'settled' });
    proxy.fail(grantsOnly(300));
    expect(await outcome(payment, block - 1_000)).toMatchObject({ state: 'settled', block });
  });
});

test('a node without the blocks of the last two hours has no history', async () => {
  const look = () => paymentChain({ rpcUrl: proxy.url, network }).look();
  expect(await look()).toMatchObject({ hasHistory: false });
  const isOlder = (method: string, body: string) =>
    method === 'eth_getBlockByNumber' && !body.includes('latest');
  const hasAll = (method: string, body: string): Fate =>
    isOlder(method, body) ? { ask: ['latest', false] } : 'pass';
  proxy.fail(hasAll);
  expect(await look()).toMatchObject({ hasHistory: true });
  const head = Number(await open().getBlockNumber());
  proxy.fail((method, body) => {
    const isOld =
      method === 'eth_getLogs' && Number(JSON.parse(body).params[0].fromBlock) < head - 1_000;
    return isOld ? { error: { code: -32000, message: 'pruned' } } : hasAll(method, body);
  });
  expect(await look()).toMatchObject({ hasHistory: false });
});

test('the operator’s commands read the books in as many queries as it takes', async () => {
  proxy.fail(grantsOnly(50));
  const head = await open().getBlockNumber();
  let logs = 0;
  for await (const _ of open().logRange.read(chain.asset, [topics.transfer], 0n, head)) logs += 1;
  expect(logs).toBeGreaterThan(0);
});
