/** Tests settlement through an x402 facilitator, including one that fails or lies. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { facilitatorSettlement } from '../../../src/adapters/facilitator/facilitator-settlement.ts';
import { settlementContract } from '../../contracts/settlement.ts';
import { type Chain, startChain } from '../../environment/chain.ts';
import { startFacilitator } from '../../support/payments/facilitator.ts';
import {
  jobOf,
  SOON_MS,
  signPayment,
  termsOf,
  walletPayment,
} from '../../support/payments/payment-chain.ts';

let chain: Chain;
let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
let received = 0n;

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator(chain);
});
beforeEach(async () => {
  received = await chain.usdcBalance(chain.payTo);
});
afterEach(() => {
  facilitator.behave({ settle: 'up' });
  facilitator.calls.length = 0;
});
afterAll(async () => {
  await facilitator.stop();
  await chain.stop();
});

type Options = Parameters<typeof facilitatorSettlement>[0];
const settlement = (options: Partial<Options> = {}) =>
  facilitatorSettlement({
    url: facilitator.url,
    clock: Date.now,
    random: (bytes) => new Uint8Array(bytes),
    ...options,
  });

/** Returns the number of payments that reached us since the test began. */
const transfers = async () => Number((await chain.usdcBalance(chain.payTo)) - received) / 50_000;

const hash = `0x${'ab'.repeat(32)}`;
const json = (body: unknown, status = 200) => ({ status, body });

test('of a response of 300 MB, 64 KiB are read', async () => {
  let sent = 0;
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const part = Buffer.alloc(64 * 1024, ' ');
    for (; sent < 300e6 && !response.destroyed; sent += part.length)
      if (!response.write(part)) await once(response, 'drain').catch(() => undefined);
    response.end();
  });
  server.on('clientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const job = jobOf(await signPayment(chain));
  expect(await settlement({ url }).settle(job, SOON_MS)).toMatchObject({ kind: 'unknown' });
  expect(sent).toBeLessThan(30e6);
  server.closeAllConnections();
  server.close();
});

settlementContract({
  chain: () => chain,
  settlement: () => settlement(),
  silence: () => facilitator.behave({ settle: 'slow' }),
  transfers,
  poorPayer: async () => {
    const key = generatePrivateKey();
    return { key, from: privateKeyToAccount(key).address };
  },
  walletPayment: () => walletPayment(chain),
});

describe('settle', () => {
  test.each([true, false])('sends our terms, and our discovery if echoed: %s', async (echoed) => {
    const payment = { ...(await signPayment(chain)), echoed };
    const discovery = { resource: { url: 'https://example.org/v1/report' }, extensions: { a: 1 } };
    await settlement({ discovery }).settle(jobOf(payment), SOON_MS);
    const { requirements, signature, authorization } = payment;
    expect(facilitator.calls[0]?.body).toEqual({
      x402Version: 2,
      paymentPayload: {
        x402Version: 2,
        accepted: requirements,
        payload: { signature, authorization },
        ...(echoed && discovery),
      },
      paymentRequirements: requirements,
    });
    expect(facilitator.calls[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['down', 'down'],
    [
      'a refusal',
      json({ success: false, errorReason: 'no', transaction: '', network: 'eip155:8453' }),
    ],
    ['a refusal with a 400', json({ success: false, errorReason: 'no' }, 400)],
    [
      'an error of any shape',
      json({ success: false, errorReason: { a: 1 }, transaction: [1] }, 500),
    ],
    ['an error without a body', json(null, 500)],
    ['an answer of another kind', json({ ok: true })],
    ['success on another network', success({ network: 'eip155:1' })],
    ['success for another payer', success({ payer: `0x${'22'.repeat(20)}` })],
    ['success for nobody', success({ payer: undefined })],
    ['success without a hash', success({ transaction: '' })],
    ['success with a short hash', success({ transaction: '0xabcd' })],
    ['success with an empty hash', success({ transaction: `0x${'00'.repeat(32)}` })],
    ['success with more than a hash', success({ transaction: `${hash}\n` })],
    ['success in an error', { status: 500, body: success({}).body }],
  ] as const)('%s is unknown: the chain decides', async (_, settle) => {
    // Only the payer's address is filled in, because the bodies are fixed before the chain has a payer.
    const named = typeof settle === 'object' ? withPayer(settle) : settle;
    facilitator.behave({ settle: named });
    const outcome = await settlement().settle(jobOf(await signPayment(chain)), SOON_MS);
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/^\w+$/) });
    expect(await transfers()).toBe(0);
  });

  test('success with network, payer and hash is believed, however the payer is written', async () => {
    const payer = chain.payer.address.toLowerCase();
    facilitator.behave({ settle: success({ payer }) });
    const outcome = await settlement().settle(jobOf(await signPayment(chain)), SOON_MS);
    expect(outcome).toMatchObject({ kind: 'settled', receipt: { transaction: hash } });
  });
});

test.each([401, 402, 429])(
  'after a %i, nothing is sold until a payment is accepted',
  async (status) => {
    const { ready, settle } = settlement();
    await ready();
    facilitator.behave({ settle: json({ errorType: 'no' }, status) });
    const job = jobOf(await signPayment(chain));
    expect(await settle(job, SOON_MS)).toEqual({ kind: 'unknown', reason: 'facilitator_refused' });
    await expect(ready()).rejects.toThrow(`The facilitator refuses to settle (HTTP ${status}).`);
    facilitator.behave({ settle: 'up' });
    expect(await settle(job, SOON_MS)).toMatchObject({ kind: 'settled' });
    await ready();
  },
);

test.each([403, 500])('a %i does not stop sales to others', async (status) => {
  const { ready, settle } = settlement();
  facilitator.behave({ settle: json({}, status) });
  await settle(jobOf(await signPayment(chain)), SOON_MS);
  await ready();
});

test.each([
  [308, {}, 'HTTP 308'],
  [502, { 'content-type': 'text/html' }, 'HTTP 502'],
  [200, { 'content-type': 'text/html' }, 'no JSON object in the response'],
])('a page with status %i instead of its kinds is named', async (status, headers, name) => {
  const server = createServer((_request, response) =>
    response.writeHead(status, { location: '/', ...headers }).end('<html>'),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = settlement({ url }).supports({ scheme: 'exact', network: 'eip155:8453' });
  await expect(asked).rejects.toThrow(`The facilitator did not respond (${name}).`);
  server.closeAllConnections();
  server.close();
});

test('each request carries its own token', async () => {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([d, x].map((part) => Buffer.from(part, 'base64url')));
  let seed = 0;
  const one = settlement({
    cdpKey: { id: 'k', secret: bytes.toString('base64') },
    random: (length) => new Uint8Array(length).fill(seed++),
  });
  const payment = await signPayment(chain);
  await one.settle(jobOf(payment), SOON_MS);
  await one.settle(jobOf(payment), SOON_MS);

  const read = (token = '', part = 0) =>
    JSON.parse(Buffer.from(token.split(/[ .]/)[part + 1] ?? '', 'base64url').toString());
  const tokens = facilitator.calls.map(({ headers }) => headers.authorization ?? '');
  const host = new URL(facilitator.url).host;
  expect(tokens.map((token) => read(token, 1).uris)).toEqual([
    [`POST ${host}/settle`],
    [`POST ${host}/settle`],
  ]);
  expect(tokens[0]).toMatch(/^Bearer /);
  expect(read(tokens[0], 0).nonce).not.toBe(read(tokens[1], 0).nonce);
});

test('it says whether our kind of payment is supported', async () => {
  const terms = termsOf(chain) as Parameters<ReturnType<typeof settlement>['supports']>[0];
  expect(await settlement().supports(terms)).toBe(true);
  expect(await settlement().supports({ ...terms, network: 'eip155:84532' })).toBe(false);
  expect(await settlement().supports({ ...terms, scheme: 'upto' })).toBe(false);
  const nowhere = settlement({ url: 'http://127.0.0.1:1' });
  await expect(nowhere.supports(terms)).rejects.toThrow('The facilitator did not respond');
});

function success(changes: object) {
  const body = {
    success: true,
    transaction: hash,
    network: 'eip155:8453',
    payer: 'ours',
    ...changes,
  };
  return { status: 200, body };
}

function withPayer({ status, body }: { status: number; body: unknown }) {
  const text = JSON.stringify(body).replace('"ours"', JSON.stringify(chain.payer.address));
  return { status, body: JSON.parse(text) };
}
