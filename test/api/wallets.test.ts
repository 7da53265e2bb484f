/** Tests the endpoint that tells whether a wallet can pay for a report. */

import { expect, test, vi } from 'vitest';
import { anApi } from './harness.ts';

const ADDRESS = `0x${'aB'.repeat(20)}`;

const withBalance = (balanceOf: (address: string) => Promise<bigint>) =>
  anApi({ options: { balanceOf } });

test.each([
  [0n, false],
  [49_999n, false],
  [50_000n, true],
  [10n ** 30n, true],
])('a wallet with %i units: can pay is %s', async (balance, can_pay) => {
  const { app } = await withBalance(async () => balance);
  const answer = await app.inject(`/v1/wallets/${ADDRESS}`);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      address: ADDRESS,
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      balance: String(balance),
      price: '50000',
      can_pay,
    },
  ]);
  expect(answer.headers['cache-control']).toBe('no-store');
});

test.each(['0x12', 'shop.eth', `${ADDRESS}00`, ADDRESS.slice(2), '0x'])(
  '%s is not an address, and the node is not asked',
  async (address) => {
    const balanceOf = vi.fn(async () => 0n);
    const { app } = await withBalance(balanceOf);
    const answer = await app.inject(`/v1/wallets/${address}`);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    expect(balanceOf).not.toHaveBeenCalled();
  },
);

test('an unavailable node is not an empty wallet', async () => {
  const { app, lines } = await withBalance(async () => {
    throw new Error('https://node.example/secret-key');
  });
  const answer = await app.inject(`/v1/wallets/${ADDRESS}`);
  expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
    502,
    'facilitator_unavailable',
    '5',
  ]);
  expect(lines.join('') + answer.body).not.toContain('secret-key');
});

test('one client, and all together, may cause a limited number of node calls per minute', async () => {
  const balanceOf = vi.fn(async () => 0n);
  const { app } = await withBalance(balanceOf);
  const ask = (remoteAddress: string) =>
    app.inject({ url: `/v1/wallets/${ADDRESS}`, remoteAddress });
  for (let n = 0; n < 25; n++) await ask('192.0.2.1');
  expect(balanceOf).toHaveBeenCalledTimes(20);
  const refused = await ask('192.0.2.1');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
  for (let n = 0; n < 500; n++) await ask(`10.${n % 250}.${n % 7}.1`);
  expect(balanceOf.mock.calls.length).toBeLessThanOrEqual(300);
});

test('if nothing is sold, nobody asks about wallets', async () => {
  const { app } = await anApi({ settings: { payment: null } });
  expect((await app.inject(`/v1/wallets/${ADDRESS}`)).statusCode).toBe(404);
});
