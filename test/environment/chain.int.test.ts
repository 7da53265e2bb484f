/** Tests that the local chain behaves like Base with USDC. */

import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { domainSeparator, pad, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import stub from '../fixtures/token/contracts.json' with { type: 'json' };
import {
  authorize,
  cancellation,
  newNonce,
  nowSeconds,
  splitSignature,
  transferArguments,
} from '../support/payments/authorization.ts';
import {
  adminOf,
  byWallet,
  callToken,
  newWallet,
  SOON_MS,
} from '../support/payments/payment-chain.ts';
import { startRpcProxy } from '../support/payments/rpc-proxy.ts';
import { type Chain, startChain } from './chain.ts';
import contracts from './token/contracts.json' with { type: 'json' };

let chain: Chain;
const { abi } = contracts.UsdToken;

beforeAll(async () => {
  chain = await startChain();
  await chain.fundEther(chain.payer.address, parseEther('1'));
});
afterAll(() => chain.stop());

/** Calls the token as the payer and waits for the block. */
const send = (functionName: string, args: readonly unknown[]) =>
  callToken(chain, chain.payer.privateKey, functionName, args);

const read = (functionName: string, args: readonly unknown[] = []) =>
  adminOf(chain).readContract({ address: chain.asset, abi, functionName, args });

const transfer = async (options: Parameters<typeof authorize>[1]) => {
  const signed = await authorize(chain, options);
  return send('transferWithAuthorization', [
    ...transferArguments(signed),
    ...splitSignature(signed.signature),
  ]);
};

test('it looks like Base with USDC', async () => {
  expect(await adminOf(chain).getChainId()).toBe(8453);
  const facts = await Promise.all(
    ['name', 'version', 'decimals', 'symbol'].map((one) => read(one)),
  );
  expect(facts).toEqual(['USD Coin', '2', 6, 'USDC']);
  expect(await chain.usdcBalance(chain.payer.address)).toBe(1_000_000_000_000n);
  expect(chain.asset).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
});

test('the domain separator is the one that wallets compute', async () => {
  const verifyingContract = chain.asset;
  const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract };
  expect(await read('DOMAIN_SEPARATOR')).toBe(domainSeparator({ domain }));
});

test('an authorization moves money once, with both events', async () => {
  const signed = await authorize(chain, { to: '0x00000000000000000000000000000000000000aa' });
  const { to, from, nonce } = signed.authorization;
  const args = [...transferArguments(signed), ...splitSignature(signed.signature)];
  const { logs } = await send('transferWithAuthorization', args);

  expect(logs.map(({ topics }) => topics.slice(1))).toEqual([
    [pad(from).toLowerCase(), nonce],
    [pad(from).toLowerCase(), pad(to).toLowerCase()],
  ]);
  expect(await chain.usdcBalance(to)).toBe(50_000n);
  expect(await read('authorizationState', [from, nonce])).toBe(true);
  await expect(send('transferWithAuthorization', args)).rejects.toThrow(
    'FiatTokenV2: authorization is used or canceled',
  );
});

test('the overload for signatures of any length moves money too', async () => {
  const signed = await authorize(chain, { to: '0x00000000000000000000000000000000000000ab' });
  await send('transferWithAuthorization', [...transferArguments(signed), signed.signature]);
  expect(await chain.usdcBalance(signed.authorization.to)).toBe(50_000n);
});

test.each([
  ['FiatTokenV2: authorization is expired', () => ({ validBefore: nowSeconds() - 1 })],
  ['FiatTokenV2: authorization is not yet valid', () => ({ validAfter: nowSeconds() + 1000 })],
  ['FiatTokenV2: invalid signature', () => ({ key: chain.hotWallet.privateKey })],
  ['FiatTokenV2: invalid signature', () => ({ name: 'USDC' })],
  ['ERC20: transfer amount exceeds balance', () => ({ value: 10n ** 12n })],
])('it refuses with "%s"', async (reason, options) => {
  await expect(transfer(options())).rejects.toThrow(reason);
});

test('a cancelled authorization is used', async () => {
  const nonce = newNonce();
  await send('cancelAuthorization', await cancellation(chain, nonce));
  expect(await read('authorizationState', [chain.payer.address, nonce])).toBe(true);
  await expect(transfer({ nonce })).rejects.toThrow('authorization is used or canceled');
});

test('a smart wallet pays with a signature of 100 bytes that it accepts itself', async () => {
  const wallet = await newWallet(chain);
  const signed = await authorize(chain, { from: wallet });
  const args = transferArguments(signed);
  const wrong = send('transferWithAuthorization', [...args, signed.signature]);
  await expect(wrong).rejects.toThrow('FiatTokenV2: invalid signature');
  await send('transferWithAuthorization', [...args, byWallet(signed).signature]);
  expect(await chain.usdcBalance(wallet)).toBe(0n);
});

test('several calls can be made in one, even if one of them fails', async () => {
  const call = { address: chain.asset, abi } as const;
  const results = await adminOf(chain).multicall({
    contracts: [
      { ...call, functionName: 'name' },
      { ...call, functionName: 'transfer', args: [chain.payTo, 1n] },
    ],
  });
  expect(results.map(({ status }) => status)).toEqual(['success', 'failure']);
});

test('several callers can add money at once', async () => {
  const address = '0x00000000000000000000000000000000000000ad';
  await Promise.all([1n, 2n, 4n].map((amount) => chain.fundToken(address, amount)));
  expect(await chain.usdcBalance(address)).toBe(7n);
});

test('with a block time, blocks come by the clock, and money can still be added at once', async () => {
  const timed = await startChain({ blockTimeSeconds: 1 });
  try {
    const client = adminOf(timed);
    const first = await client.getBlockNumber();
    await expect.poll(() => client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThan(first);
    await timed.fundToken(timed.payTo, 7n);
    expect(await timed.usdcBalance(timed.payTo)).toBe(7n);
  } finally {
    await timed.stop();
  }
});

test('a transaction is seen in the block that comes while its sender looks at the previous one', async () => {
  const node = await startRpcProxy(chain.rpcUrl);
  const asked = (method: string) => node.calls.filter((one) => one === method).length;
  const before = Promise.withResolvers<void>();
  node.fail((method) => {
    if (method === 'eth_getTransactionReceipt' && asked(method) < 3) return { result: null };
    const isLook = method === 'eth_getBlockByNumber' && asked('eth_getTransactionReceipt') > 0;
    return isLook ? { meanwhile: () => before.promise } : 'pass';
  });
  const admin = adminOf(chain);
  await admin.setAutomine(false);
  try {
    const sent = callToken({ ...chain, rpcUrl: node.url }, chain.payer.privateKey, 'transfer', [
      chain.payTo,
      1n,
    ]);
    await vi.waitFor(() => expect(asked('eth_getTransactionReceipt')).toBe(2), SOON_MS);
    await admin.mine({ blocks: 1 });
    // Once for the new block, and once more after the response to that.
    const polls = asked('eth_blockNumber') + 2;
    await Promise.race([
      sent,
      vi.waitFor(() => expect(asked('eth_blockNumber')).toBeGreaterThanOrEqual(polls), SOON_MS),
    ]);
    before.resolve();
    expect((await sent).status).toBe('success');
  } finally {
    await admin.setAutomine(true);
    await node.stop();
  }
});

test('a port that is already in use is an error that says so', async () => {
  const port = Number(new URL(chain.rpcUrl).port);
  await expect(startChain({ port })).rejects.toThrow(/in use/);
});

test('the chain dies with its parent, even by SIGKILL', async () => {
  const script = `const { startChain } = await import('./test/environment/chain.ts');
    console.log((await startChain()).pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(createInterface(parent.stdout), 'line');
  expect(await isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test.each([
  ['test/environment/token', contracts.UsdToken],
  ['test/environment/token', contracts.UsdProxy],
  ['test/environment/token', contracts.Multicall],
  ['test/fixtures/token', stub.SmartWallet],
  ['test/fixtures/token', stub.FickleWallet],
  ['test/fixtures/token', stub.WalletFactory],
])('the compiled contract in %s belongs to $source', (folder, { source, source_sha256 }) => {
  const bytes = readFileSync(`${folder}/${source}`);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(source_sha256);
});

const isRunning = async (pid: string) =>
  promisify(execFile)('kill', ['-0', pid]).then(
    () => true,
    () => false,
  );
