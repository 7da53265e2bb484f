/**
 * Tests how the outcome of a payment is read from a local chain: settled, open, cancelled, spent or expired.
 * One or two nodes are asked, which may disagree, lag behind, lie or fail, and logs are searched in ranges.
 */

import { encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agreeingChain } from '../../../src/adapters/chain/agreeing-chain.ts';
import { readAssetFault } from '../../../src/adapters/chain/asset.ts';
import { paymentChain } from '../../../src/adapters/chain/payment-chain.ts';
import type { SignedPayment } from '../../../src/ports/payment.ts';
import { type Chain, startChain } from '../../environment/chain.ts';
import contracts from '../../environment/token/contracts.json' with { type: 'json' };
import {
  authorize,
  cancellation,
  splitSignature,
  transferArguments,
} from '../../support/payments/authorization.ts';
import { adminOf, callToken, send, signPayment } from '../../support/payments/payment-chain.ts';
import { startRpcProxy } from '../../support/payments/rpc-proxy.ts';

const network = 'eip155:8453';
let chain: Chain;
let proxy: Awaited<ReturnType<typeof startRpcProxy>>;
const judge = () => paymentChain({ rpcUrl: proxy.url, network });

beforeAll(async () => {
  chain = await startChain();
  proxy = await startRpcProxy(chain.rpcUrl);
  await chain.fundEther(chain.payer.address, parseEther('1'));
});
afterEach(() => proxy.fail());
afterAll(async () => {
  await proxy.stop();
  await chain.stop();
});

const transferOf = (signed: Awaited<ReturnType<typeof authorize>>) =>
  [...transferArguments(signed), ...splitSignature(signed.signature)] as const;

/** The payer sends the transaction itself. */
const pay = (payment: SignedPayment) =>
  callToken(
    chain,
    chain.payer.privateKey,
    'transferWithAuthorization',
    transferOf(payment as never),
  );

/** Returns the time of the newest block, in seconds. */
const timeOfHead = async () => Number((await adminOf(chain).getBlock()).timestamp);

test('the head is the newest block', async () => {
  const { number } = await adminOf(chain).getBlock();
  expect(await judge().head()).toBe(Number(number));
});

test('an unused authorization is open until the block at validBefore, then dead', async () => {
  const timestamp = await timeOfHead();
  const before = (seconds: number) => signPayment(chain, { validBefore: timestamp + seconds });
  expect(await judge().outcome(await before(1), 0)).toEqual({ state: 'open' });
  expect(await judge().outcome(await before(0), 0)).toEqual({ state: 'dead' });
});

test('a transfer to us counts as settled, no matter who sent it', async () => {
  const payment = await signPayment(chain);
  const { transactionHash, blockNumber } = await pay(payment);
  expect(await judge().outcome(payment, 0)).toEqual({
    state: 'settled',
    receipt: { success: true, transaction: transactionHash, network, payer: chain.payer.address },
    block: Number(blockNumber),
  });
});

test('addresses and nonce may be written in upper or lower case', async () => {
  const payment = await signPayment(chain);
  await pay(payment);
  const shout = (text: string) => `0x${text.slice(2).toUpperCase()}`;
  const { authorization, requirements, signature } = payment;
  const spelled = {
    signature,
    requirements: { ...requirements, payTo: shout(requirements.payTo) },
    authorization: {
      ...authorization,
      from: authorization.from.toLowerCase(),
      nonce: shout(authorization.nonce),
    },
  };
  expect(await judge().outcome(spelled, 0)).toMatchObject({ state: 'settled' });
});

test('a balance is known however the address is written', async () => {
  const { address } = chain.payer;
  const requirements = { asset: chain.asset } as SignedPayment['requirements'];
  const balanceOf = (from: string) => judge().balance({ requirements, authorization: { from } });
  const balance = await balanceOf(address);
  expect(balance).toBeGreaterThan(0n);
  const digits = address.slice(2);
  const swapped = [...digits].map((digit) =>
    digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
  );
  for (const other of [digits.toUpperCase(), digits.toLowerCase(), swapped.join('')])
    expect(await balanceOf(`0x${other}`)).toBe(balance);
});

test('a cancelled authorization is reported as cancelled', async () => {
  const payment = await signPayment(chain);
  const args = await cancellation(chain, payment.authorization.nonce as Hex);
  await callToken(chain, chain.payer.privateKey, 'cancelAuthorization', args);
  expect(await judge().outcome(payment, 0)).toEqual({ state: 'cancelled' });
});

test.each([
  ['for another payee', { to: '0x00000000000000000000000000000000000000b1' }],
  ['for another sum', { value: 1n }],
] as const)(
  'a nonce used %s proves nothing until our authorization has expired',
  async (_, options) => {
    const timestamp = await timeOfHead();
    const payment = await signPayment(chain, { validBefore: timestamp + 30 });
    const nonce = payment.authorization.nonce as Hex;
    const validBefore = timestamp + 3_600;
    const { transactionHash } = await pay({
      ...payment,
      ...(await authorize(chain, { ...options, nonce, validBefore })),
    });
    await expect(judge().outcome(payment, 0)).rejects.toThrow('contradictory');
    await adminOf(chain).increaseTime({ seconds: 60 });
    await adminOf(chain).mine({ blocks: 1 });
    expect(await judge().outcome(payment, 0)).toEqual({ state: 'spent' });
    await expect(judge().outcome(payment, 0, [transactionHash])).rejects.toThrow('contradictory');
  },
);

test('a search from a block that does not exist yet begins earlier', async () => {
  const payment = await signNow();
  await pay(payment);
  expect(await judge().ended(payment, 99_999_999)).toBe('settled');
  expect(await judge().outcome(payment, 99_999_999)).toMatchObject({ state: 'settled' });
});

/** The payment is valid by the chain's own clock, which tests above have set ahead. */
const signNow = async () => signPayment(chain, { validBefore: (await timeOfHead()) + 3_600 });

test('one transfer does not settle two authorizations in one transaction', async () => {
  const paid = await signNow();
  const unpaid = await signNow();
  const to = '0x00000000000000000000000000000000000000b2';
  const instead = await authorize(chain, {
    to,
    nonce: unpaid.authorization.nonce as Hex,
    validBefore: Number(unpaid.authorization.validBefore),
  });
  const { abi } = contracts.UsdToken;
  const calls = [instead, paid].map((one) => ({
    target: chain.asset,
    allowFailure: false,
    callData: encodeFunctionData({
      abi,
      functionName: 'transferWithAuthorization',
      args: [...transferOf(one as never)],
    }),
  }));
  const batch = parseAbi([
    'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable',
  ]);
  const data = encodeFunctionData({ abi: batch, functionName: 'aggregate3', args: [calls] });
  const batcher = '0xcA11bde05977b3631167028862bE2a173976CA11';
  const { status } = await send(chain, chain.payer.privateKey, { to: batcher, data });
  expect(status).toBe('success');

  expect(await judge().outcome(paid, 0)).toMatchObject({ state: 'settled' });
  await expect(judge().outcome(unpaid, 0)).rejects.toThrow('contradictory');
});

test('an authorization that was used before the range began is spent once it has expired', async () => {
  const payment = await signPayment(chain, { validBefore: (await timeOfHead()) + 30 });
  const { blockNumber } = await pay(payment);
  await adminOf(chain).mine({ blocks: 2 });
  const asked = () => judge().outcome(payment, Number(blockNumber) + 1);
  await expect(asked()).rejects.toThrow('contradictory');
  await adminOf(chain).increaseTime({ seconds: 60 });
  await adminOf(chain).mine({ blocks: 1 });
  expect(await asked()).toEqual({ state: 'spent' });
  // A node that is not an archive no longer has the state of that block.
  proxy.fail((method, body) =>
    method === 'eth_call' && !body.includes('blockHash')
      ? { error: { code: -32000, message: 'missing trie node' } }
      : 'pass',
  );
  await expect(asked()).rejects.toThrow('RPC');
  await adminOf(chain).increaseTime({ seconds: 3_600 });
  await adminOf(chain).mine({ blocks: 1 });
  expect(await asked()).toEqual({ state: 'spent' });
});

test('its end is seen: by the transfer to us, or otherwise', async () => {
  const [paid, cancelled, unused] = [await signNow(), await signNow(), await signNow()];
  const { blockNumber } = await pay(paid);
  const args = await cancellation(chain, cancelled.authorization.nonce as Hex);
  await callToken(chain, chain.payer.privateKey, 'cancelAuthorization', args);
  const ends = (since?: number) =>
    Promise.all([paid, cancelled, unused].map((payment) => judge().ended(payment, since)));
  // A payment that is shown only after its end opens nothing, however it ended.
  expect(await ends()).toEqual(['spent', 'spent', undefined]);
  expect(await ends(Number(blockNumber))).toEqual(['settled', 'spent', undefined]);
  await expect(judge().ended(paid, Number(blockNumber) + 1)).rejects.toThrow('contradictory');
  proxy.fail((method) => (method === 'eth_getLogs' ? { result: [] } : 'pass'));
  await expect(judge().ended(paid, 0)).rejects.toThrow('contradictory');
  expect(await judge().ended(paid)).toBe('spent');
});

test('with two nodes, the search begins at the lower head, and nowhere if they are far apart', async () => {
  const direct = paymentChain({ rpcUrl: chain.rpcUrl, network });
  const head = await direct.head();
  const ahead = (blocks: number) =>
    proxy.fail((method) =>
      method === 'eth_blockNumber' ? { result: `0x${(head + blocks).toString(16)}` } : 'pass',
    );
  ahead(3);
  expect(await agreeingChain(judge(), direct).head()).toBe(head);
  ahead(9_000);
  await expect(agreeingChain(judge(), direct).head()).rejects.toMatchObject({
    name: 'contradictory evidence',
  });
});

test('two nodes must agree on the outcome', async () => {
  const payment = await signNow();
  await pay(payment);
  const direct = paymentChain({ rpcUrl: chain.rpcUrl, network });
  expect(await agreeingChain(judge(), direct).ended(payment)).toBe('spent');
  proxy.fail((method) => (method === 'eth_call' ? { result: `0x${'0'.repeat(64)}` } : 'pass'));
  for (const nodes of [
    [judge(), direct],
    [direct, judge()],
  ] as const)
    await expect(agreeingChain(...nodes).ended(payment)).rejects.toMatchObject({
      name: 'contradictory evidence',
    });
});

describe('the query rejects if the answer cannot be found out', () => {
  test.each([
    ['no RPC', () => 'cut'],
    ['an RPC that is rate limited', () => ({ error: { code: -32005, message: 'limit' } })],
    ['no logs', (method) => (method === 'eth_getLogs' ? { result: [] } : 'pass')],
    ['logs refused', (method) => (method === 'eth_getLogs' ? 'cut' : 'pass')],
    [
      'no receipt',
      (method) => (method === 'eth_getTransactionReceipt' ? { result: null } : 'pass'),
    ],
    ['no state', (method) => (method === 'eth_call' ? 'cut' : 'pass')],
    [
      'a failing node',
      (method) =>
        method === 'eth_call' ? { error: { code: -32603, message: 'internal error' } } : 'pass',
    ],
  ] as [string, Parameters<typeof proxy.fail>[0]][])('%s', async (_, rule) => {
    const payment = await signNow();
    await pay(payment);
    proxy.fail(rule);
    const failure = await judge()
      .outcome(payment, 0)
      .catch((error) => error);
    expect(failure).toMatchObject({ name: 'RpcError' });
    // The URL of an RPC node often contains a key, and an error is logged with its cause.
    expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toContain(
      proxy.url,
    );
  });
});

const rewriteReceipt =
  (change: object): Parameters<typeof proxy.fail>[0] =>
  (method) =>
    method === 'eth_getTransactionReceipt'
      ? { edit: (receipt: object) => ({ ...receipt, ...change }) }
      : 'pass';

/** Responses that load-balanced nodes can give about a payment that has gone through. */
test.each<[string, Parameters<typeof proxy.fail>[0]]>([
  [
    'a receipt that failed beside the log of its success',
    rewriteReceipt({ status: '0x0', logs: [] }),
  ],
  ['a receipt without logs', rewriteReceipt({ logs: [] })],
  [
    'a state that lags behind',
    (method) => (method === 'eth_call' ? { result: `0x${'0'.repeat(64)}` } : 'pass'),
  ],
  ['no logs yet', (method) => (method === 'eth_getLogs' ? { result: [] } : 'pass')],
])('%s is neither a failure nor a payment', async (_, lie) => {
  const timestamp = await timeOfHead();
  const payment = await signPayment(chain, { validBefore: timestamp + 30 });
  await pay(payment);
  await adminOf(chain).increaseTime({ seconds: 60 });
  await adminOf(chain).mine({ blocks: 1 });
  proxy.fail(lie);
  await expect(judge().outcome(payment, 0)).rejects.toThrow('contradictory');
  proxy.fail();
  expect(await judge().outcome(payment, 0)).toMatchObject({ state: 'settled' });
});

test('a block that is far ahead of our clock ends no authorization', async () => {
  const timestamp = await timeOfHead();
  const payment = await signPayment(chain, { validBefore: timestamp });
  const at = (secondsAway: number) =>
    paymentChain({ rpcUrl: proxy.url, network, clock: () => (timestamp + secondsAway) * 1000 });
  await expect(at(-3_600).outcome(payment, 0)).rejects.toThrow('contradictory');
  for (const near of [-60, 0, 3_600])
    expect(await at(near).outcome(payment, 0)).toEqual({ state: 'dead' });
});

test('nothing is over while one of our transactions shows that it paid', async () => {
  const timestamp = await timeOfHead();
  const payment = await signPayment(chain, { validBefore: timestamp + 30 });
  const { transactionHash } = await pay(payment);
  await adminOf(chain).increaseTime({ seconds: 60 });
  await adminOf(chain).mine({ blocks: 1 });
  proxy.fail((method) => {
    if (method === 'eth_getLogs') return { result: [] };
    return method === 'eth_call' ? { result: `0x${'0'.repeat(64)}` } : 'pass';
  });
  expect(await judge().outcome(payment, 0)).toEqual({ state: 'dead' });
  const asked = judge().outcome(payment, 0, [transactionHash]);
  await expect(asked).rejects.toThrow('contradictory');
});

test('a transaction that is said to have paid is confirmed by its receipt and the nonce', async () => {
  const validBefore = 4_000_000_000;
  const payment = await signPayment(chain, { validBefore });
  const other = await signPayment(chain, { validBefore });
  const { transactionHash, blockNumber } = await pay(payment);
  expect(await judge().confirm(payment, transactionHash)).toBe(Number(blockNumber));
  expect(await judge().confirm(other, transactionHash)).toBeUndefined();
  proxy.fail((method) => (method === 'eth_call' ? { result: `0x${'0'.repeat(64)}` } : 'pass'));
  const quick = paymentChain({ rpcUrl: proxy.url, network, blockMs: 100 });
  expect(await quick.confirm(payment, transactionHash)).toBeUndefined();
});

test('the logs are searched 900 blocks per query, up to the last block', async () => {
  const long = await startChain({ firstBlock: 10_000 });
  const between = await startRpcProxy(long.rpcUrl);
  try {
    await long.fundEther(long.payer.address, parseEther('1'));
    const payment = await signPayment(long, { validBefore: 4_000_000_000 });
    const args = transferOf(payment as never);
    const sent = await callToken(long, long.payer.privateKey, 'transferWithAuthorization', args);
    const block = Number(sent.blockNumber);
    await adminOf(long).mine({ blocks: 10 });

    const { ended, outcome } = paymentChain({ rpcUrl: between.url, network });
    const queries = () => between.calls.splice(0).filter((one) => one === 'eth_getLogs').length;
    // The block of the payment is the first of the third query.
    expect(await outcome(payment, block - 1800)).toMatchObject({ state: 'settled', block });
    // One query before these shows how many blocks are allowed.
    expect(queries()).toBe(1 + 3);
    expect(await outcome(payment, block)).toMatchObject({ state: 'settled' });
    expect(queries()).toBe(1);
    // As if it was claimed when the node was far behind.
    expect(await ended(payment, block - 3_810)).toBe('settled');
    expect(queries()).toBe(5);
  } finally {
    await between.stop();
    await long.stop();
  }
});

test('a node of another chain is reported as one', async () => {
  const { rpcUrl, asset, payTo } = chain;
  const faultAt = (network: string) => readAssetFault({ rpcUrl, network }, { asset, payTo });
  expect(await faultAt(network)).toBeUndefined();
  expect(await faultAt('eip155:84532')).toMatch(/is on eip155:8453, not on X402_NETWORK/);
});
