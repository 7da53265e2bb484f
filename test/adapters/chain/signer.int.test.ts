/** Tests settlement with a remote signer such as Web3Signer, including one that signs something else. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSettlement } from '../../../src/adapters/chain/self-settlement.ts';
import { remoteSigner } from '../../../src/adapters/chain/signer.ts';
import { AMPLE, jobOf, SOON_MS } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, sign, transfers } = useSelfSettlement();
const account = privateKeyToAccount(generatePrivateKey());
let url: string;
let answer: (transaction: Asked) => Promise<unknown>;
type Asked = Record<'to' | 'data' | 'gas' | 'nonce' | 'chainId' | 'from', Hex> &
  Record<'maxFeePerGas' | 'maxPriorityFeePerGas', Hex>;

/** Signs as Web3Signer does. */
const signed = ({ to, data, gas, nonce, chainId, ...fees }: Asked, change: object = {}) =>
  account.signTransaction({
    ...{ type: 'eip1559', to, data, gas: BigInt(gas), nonce: Number(nonce) },
    ...{ chainId: Number(chainId), maxFeePerGas: BigInt(fees.maxFeePerGas) },
    maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas),
    ...change,
  });

const server = createServer(async (request, response) => {
  const { id, method, params } = (await json(request)) as {
    id: 1;
    method: string;
    params: Asked[];
  };
  const [asked] = params;
  const result = method === 'eth_signTransaction' && asked ? await answer(asked) : undefined;
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await chain().fundEther(account.address, parseEther('1'));
});
afterAll(() => void server.close());

const settle = async () => {
  const job = jobOf(await sign());
  const signer = remoteSigner({ url, address: account.address });
  const { rpcUrl } = chain();
  const own = selfSettlement({
    ...{ rpcUrl, network: 'eip155:8453', signer, limits: AMPLE },
    clock: Date.now,
  });
  return { ...(await own.settle(job, SOON_MS)), recorded: job.recorded };
};

test.each([
  ['the bytes', (raw: Hex) => raw],
  ['an object with the bytes', (raw: Hex) => ({ raw, tx: {} })],
])('a remote signer settles: it responds with %s', async (_, wrap) => {
  answer = async (asked) => wrap(await signed(asked));
  const { kind, recorded } = await settle();
  expect([kind, recorded[0]?.wallet]).toEqual(['settled', account.address]);
  expect(await transfers()).toBe(1);
});

test.each<[string, typeof answer]>([
  ['another call', (asked) => signed(asked, { to: account.address })],
  ['ether with it', (asked) => signed(asked, { value: 1n })],
  ['higher fees', (asked) => signed(asked, { maxFeePerGas: 10n ** 12n })],
  ['another chain', (asked) => signed(asked, { chainId: 1 })],
  ['garbage', async () => '0x1234'],
  ['nothing', async () => null],
])('a signer that signs %s leads to nothing being recorded or sent', async (_, lie) => {
  answer = lie;
  const refused = { kind: 'unknown', reason: 'wallet_signer_failed' };
  expect(await settle()).toEqual({ ...refused, recorded: [] });
  expect(await transfers()).toBe(0);
});
