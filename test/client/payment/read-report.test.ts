/** Tests how the command pays for a report within the user's limits. */

import { verifyTypedData } from 'viem';
import { expect, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import { type PaymentLimits, toAtomic } from '../../../src/client/payment/limits.ts';
import { assertCanPay, readReport } from '../../../src/client/payment/read-report.ts';
import { decodeHeader, encodeHeader } from '../../../src/domain/x402-headers.ts';
import type { ServiceCall } from '../../../src/mcp/service-call.ts';

const KEY = `0x${'7'.repeat(64)}` as const;
const PAYEE = `0x${'ab'.repeat(20)}`;
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

const limits: PaymentLimits = {
  maxAmount: toAtomic('--max-price', '0.05'),
  network: 'eip155:8453',
  payTo: null,
};

const offer = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '50000',
  asset: USDC,
  payTo: PAYEE,
  maxTimeoutSeconds: 120,
  extra: { name: 'Not the coin', version: '9' },
};

const challenge = (accepts: readonly object[] = [offer]) => ({ x402Version: 2, accepts });

type Reply =
  | readonly [status: number, body: unknown, headers?: Record<string, string>]
  | 'no answer';

/**
 * Starts a service that responds to unpaid requests with the challenge, and to payments with one reply after
 * the other.
 */
function playService(replies: Reply[], asked: object = challenge()) {
  const payments: string[] = [];
  const pauses: number[] = [];
  const call: ServiceCall = async (_method, _path, headers = {}) => {
    const payment = headers['payment-signature'];
    if (payment === undefined)
      return {
        status: 402,
        headers: new Headers({ 'payment-required': encodeHeader(asked) }),
        body: asked,
      };
    payments.push(payment);
    const reply = replies.shift() ?? 'no answer';
    if (reply === 'no answer') throw new TypeError('fetch failed');
    const [status, body, more] = reply;
    return { status, headers: new Headers(more), body };
  };
  const pause = async (milliseconds: number) => pauses.push(milliseconds);
  const service = { call, retryFor: 0, note: () => {}, pause };
  const read = (purse = {}) =>
    readReport(
      service,
      { testId: 'abcdefgh2345', readToken: 'token' },
      { key: KEY, limits, ...purse },
    );
  return { payments, pauses, read };
}

const paid: Reply = [200, sampleReport, {}];

test('the offer is signed once, for its own amount and payee, with the known asset', async () => {
  const { payments, read } = playService([paid]);
  expect((await read()).report).toEqual(sampleReport);
  expect(payments).toHaveLength(1);
  const { accepted, payload } = decodeHeader(payments[0] ?? '') as {
    accepted: object;
    payload: { signature: `0x${string}`; authorization: Record<string, `0x${string}`> };
  };
  expect(accepted).toEqual(offer);
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  expect([to, value]).toEqual([PAYEE, '50000']);
  expect(Number(validBefore) - Date.now() / 1000).toBeLessThanOrEqual(120);
  const field = (name: string, type: string) => ({ name, type });
  expect(
    await verifyTypedData({
      address: from as `0x${string}`,
      signature: payload.signature,
      primaryType: 'TransferWithAuthorization',
      // These values are known to the command, and not taken from the service.
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
      types: {
        TransferWithAuthorization: [
          field('from', 'address'),
          field('to', 'address'),
          field('value', 'uint256'),
          field('validAfter', 'uint256'),
          field('validBefore', 'uint256'),
          field('nonce', 'bytes32'),
        ],
      },
      message: { from, to, value: 50_000n, validAfter, validBefore, nonce },
    }),
  ).toBe(true);
});

const inSeconds = (text: string) => ({ 'retry-after': text });

test.each<[string, Reply, number]>([
  ['a settlement that is pending', [503, { code: 'settlement_pending' }, inSeconds('7')], 7],
  ['a check that failed', [502, { code: 'facilitator_unavailable' }], 5],
  ['a busy service', [429, { code: 'rate_limited' }, inSeconds('12')], 12],
  ['a service that is busy for an hour', [429, { code: 'rate_limited' }, inSeconds('3600')], 30],
  ['a pause that is no number', [503, {}, inSeconds('Sat, 28 Nov 2026 19:00:00 GMT')], 5],
  ['an answer that is lost', 'no answer', 5],
  ['a page of a proxy instead of the report', [200, undefined], 5],
  ['a refusal by a firewall', [403, undefined], 5],
  ['a refusal without a code', [402, {}], 5],
  ['a redirect to a login page', [302, undefined], 5],
  ['a time limit of a proxy', [408, undefined], 5],
  ['a fault of the service', [500, { code: 'internal_error' }], 5],
])('after %s, the very same payment is sent again after a pause', async (_, reply, seconds) => {
  const { payments, pauses, read } = playService([reply, reply, paid]);
  await read();
  expect(payments).toHaveLength(3);
  expect(new Set(payments).size).toBe(1);
  expect(pauses).toEqual([1000 * seconds, 1000 * seconds]);
});

test('a payment that is refused is not signed again', async () => {
  const refusal = { title: 'Not accepted.', code: 'payment_invalid', error: 'expired' };
  const { payments, read } = playService([[402, refusal], paid]);
  await expect(read()).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/Not accepted.*expired/),
  });
  expect(payments).toHaveLength(1);
});

test.each(['insufficient_funds', 'invalid_exact_evm_insufficient_balance'])(
  '%s is reported in words',
  async (error) => {
    const { read } = playService([
      [402, { title: 'Not accepted.', code: 'payment_invalid', error }],
    ]);
    await expect(read()).rejects.toMatchObject({
      code: 'payment_invalid',
      message: expect.stringMatching(/^Nothing was paid: the wallet has less USDC/),
    });
  },
);

const wallet = {
  address: PAYEE,
  network: 'eip155:8453',
  asset: USDC,
  price: '50000',
};

test.each<[string, number, object | string]>([
  ['the wallet has enough', 200, { ...wallet, balance: '50000', can_pay: true }],
  ['the service does not know wallets', 404, { title: 'No.', code: 'not_found' }],
  ['the chain cannot be asked', 502, { title: 'No.', code: 'facilitator_unavailable' }],
  ['too much was asked', 429, { title: 'No.', code: 'rate_limited' }],
  ['the answer cannot be read', 200, { can_pay: false }],
  ['the answer is none', 200, 'x'],
])('if %s, nothing prevents a test', async (_, status, body) => {
  const { service, asked } = playWallets(status, body);
  await assertCanPay(service, { key: KEY, limits });
  expect(asked).toEqual([
    '/v1/report?test_id=samplereport',
    expect.stringMatching(/^\/v1\/wallets\/0x[0-9a-fA-F]{40}$/),
  ]);
});

test('an empty wallet is reported with its balance and the amount needed', async () => {
  const { service } = playWallets(200, { ...wallet, balance: '49999', can_pay: false });
  await expect(assertCanPay(service, { key: KEY, limits })).rejects.toMatchObject({
    code: 'wallet_empty',
    exitCode: 4,
    message: expect.stringMatching(/costs USD 0\.05, and the wallet 0x\w{40} has USD 0\.049999\./),
  });
});

test('the sample is never paid for, however often it is read', async () => {
  const asked: string[] = [];
  const call: ServiceCall = async (_method, path) => {
    asked.push(path);
    return { status: 200, headers: new Headers(), body: sampleReport };
  };
  const sample = { testId: 'samplereport', readToken: 'token' };
  const service = { call, retryFor: 0, note: () => {} };
  for (let n = 0; n < 3; n++)
    expect(await readReport(service, sample, { key: KEY, limits })).toEqual({
      report: sampleReport,
      receipt: undefined,
    });
  expect(new Set(asked)).toEqual(new Set(['/sample-report.json']));
});

/** Starts a service that sells, and gives this response about every wallet. */
function playWallets(status: number, body: unknown) {
  const asked: string[] = [];
  const call: ServiceCall = async (_method, path) => {
    asked.push(path);
    return path.startsWith('/v1/wallets/')
      ? { status, headers: new Headers(), body }
      : { status: 402, headers: new Headers(), body: challenge() };
  };
  return { asked, service: { call, retryFor: 0, note: () => {} } };
}

test.each([
  [
    'an amount above the limit',
    { amount: '50001' },
    {},
    /costs USD 0.050001.*allow only USD 0.05 /,
  ],
  ['another asset', { asset: PAYEE }, {}, /asks for exact on eip155:8453/],
  ['another scheme', { scheme: 'upto' }, {}, /asks for upto/],
  ['another network', { network: 'eip155:1' }, {}, /pays USDC on eip155:8453/],
  ['another payee', {}, { limits: { ...limits, payTo: USDC } }, /you allow only 0x8335/],
])('%s is not signed', async (_, change, purse, reason) => {
  const { payments, read } = playService([paid], challenge([{ ...offer, ...change }]));
  await expect(read(purse)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(reason),
  });
  expect(payments).toEqual([]);
});

test.each([
  ...['-50000', '49999.5', '5e9', '0x10', ' 1', '', null, true, 50_000, ['1']].map((amount) => ({
    amount,
  })),
  ...['0x12', 7, null].map((payTo) => ({ payTo })),
  ...[-5, 0, 'soon', null].map((maxTimeoutSeconds) => ({ maxTimeoutSeconds })),
  { asset: undefined },
])('an offer with %j is not valid, and nothing is signed', async (change) => {
  for (const accepts of [[{ ...offer, ...change }], [null], 'exact', {}]) {
    const { payments, read } = playService([paid], { ...challenge(), accepts });
    await expect(read()).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringContaining('nothing readable'),
    });
    expect(payments).toEqual([]);
  }
});

test.each<object | null>([
  {},
  [],
  null,
  { ...sampleReport, findings: 'none' },
  { ...sampleReport, grade: '\u001b[2J' },
  { ...sampleReport, score: '100' },
])('a report that cannot be read is a fault of the service: %#', async (body) => {
  const { read } = playService([[200, body as object, {}]]);
  await expect(read()).rejects.toMatchObject({ exitCode: 5 });
});

test('a report of a later service is read, with its unknown members and ids', async () => {
  const [first] = sampleReport.findings;
  const later = { ...sampleReport, findings: [{ ...first, id: 'of_tomorrow', more: 1 }], more: {} };
  const { read } = playService([[200, later, { 'payment-response': encodeHeader([1]) }]]);
  expect(await read()).toEqual({ report: later, receipt: undefined });
});

test('of several offers, the allowed one is signed', async () => {
  const offers = [{ ...offer, network: 'eip155:1' }, { ...offer, scheme: 'upto' }, offer];
  const { payments, read } = playService([paid], challenge(offers));
  await read();
  expect(decodeHeader(payments[0] ?? '')).toMatchObject({ accepted: offer });
});

test('the amount is reserved before anything is signed', async () => {
  const { payments, read } = playService([paid]);
  const spent = new Error('spent');
  const spend = () => {
    throw spent;
  };
  const budget = { assertLeft: () => {}, spend };
  await expect(read({ budget })).rejects.toBe(spent);
  expect(payments).toEqual([]);
});

test('without a key, nothing is signed', async () => {
  const { payments, read } = playService([paid]);
  await expect(read({ key: null })).rejects.toMatchObject({ exitCode: 4 });
  expect(payments).toEqual([]);
});

test.each([
  ['0.05', 50_000n],
  ['$1', 1_000_000n],
  ['0.000001', 1n],
  ['12.5', 12_500_000n],
])('%s is %d atomic units', (text, amount) => {
  expect(toAtomic('--max-price', text)).toBe(amount);
});

test.each(['', '-1', '0.0000001', '1e3', '0,05', 'free'])('%j is not an amount', (text) => {
  expect(() => toAtomic('--max-price', text)).toThrow('must be an amount');
});

test('a free report is read without a key', async () => {
  const answer = { status: 200, headers: new Headers(), body: sampleReport };
  const service = { call: async () => answer, retryFor: 0, note: () => {} };
  const access = { testId: 'abcdefgh2345', readToken: 'token' };
  expect(await readReport(service, access, { key: null, limits })).toEqual({
    report: sampleReport,
    receipt: undefined,
  });
});
