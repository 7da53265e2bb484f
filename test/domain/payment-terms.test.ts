/** Tests the terms of a payment, and how a payment is judged by them. */

import { describe, expect, test } from 'vitest';
import { readPaymentPayload } from '../../src/domain/payment-payload.ts';
import {
  claimKey,
  judgePayment,
  judgeTimes,
  paymentTerms,
} from '../../src/domain/payment-terms.ts';

const settings = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  amount: '50000',
  payTo: `0x${'Ab'.repeat(20)}`,
};
const terms = paymentTerms(settings, 86_400);

/** A time that is not on a whole second, so that rounding shows. */
const NOW = 1_790_000_000_900;
const SECONDS = 1_790_000_000;
const DEADLINE = NOW + 86_400_000;

const authorization = {
  from: `0x${'11'.repeat(20)}`,
  to: settings.payTo,
  value: '50000',
  validAfter: '0',
  validBefore: `${SECONDS + 120}`,
  nonce: `0x${'22'.repeat(32)}`,
};
const signature = `0x${'33'.repeat(65)}`;

const payment = (changes: object = {}, accepted: object = {}) => ({
  x402Version: 2,
  accepted: { ...terms, ...accepted },
  payload: { signature, authorization: { ...authorization, ...changes } },
});

/** Judges a payment that passes the schema, because no other is ever judged. */
function judgeContent(content: unknown) {
  const payload = readPaymentPayload(content);
  if ('fault' in payload) throw new Error(`The fixture is no payment: ${payload.fault}`);
  return judgePayment(payload, terms);
}

function judge(payload: unknown, deadline: number | null = DEADLINE) {
  const judged = judgeContent(payload);
  if (!judged.ok) return judged.error;
  return judgeTimes(judged.authorization, NOW, deadline)?.error ?? 'ok';
}

describe('the terms', () => {
  test('name price, asset and payee', () => {
    expect(terms).toEqual({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '50000',
      asset: settings.asset,
      payTo: settings.payTo,
      maxTimeoutSeconds: 120,
      extra: { name: 'USD Coin', version: '2' },
    });
  });

  test.each([
    [Number.POSITIVE_INFINITY, 120],
    [130, 120],
    [129.9, 119],
    [30, 20],
    [0, 1],
  ])('with %f s of the report left, give %i s', (left, seconds) => {
    expect(paymentTerms(settings, left).maxTimeoutSeconds).toBe(seconds);
  });

  test('an offer accepted three seconds later still ends before the report', () => {
    const { maxTimeoutSeconds } = paymentTerms(settings, 60);
    const validBefore = `${SECONDS + 3 + maxTimeoutSeconds}`;
    const signed = { ...authorization, validBefore };
    expect(judgeTimes(signed, NOW + 3000, NOW + 60_000)).toBeUndefined();
  });

  test('the last offer can be accepted for five seconds, and ends five seconds before the report', () => {
    const { maxTimeoutSeconds } = paymentTerms(settings, 30);
    const deadline = (SECONDS + 30) * 1000;
    const signedAfter = (seconds: number, life = maxTimeoutSeconds) => {
      const validBefore = `${SECONDS + seconds + life}`;
      return judgeTimes({ ...authorization, validBefore }, (SECONDS + seconds) * 1000, deadline);
    };
    expect([signedAfter(0), signedAfter(5)]).toEqual([undefined, undefined]);
    expect(signedAfter(6)?.error).toContain('valid_before');
    expect(signedAfter(0, 25)).toBeUndefined();
    expect(signedAfter(0, 26)?.error).toContain('valid_before');
  });
});

describe('a payment', () => {
  test('that matches is accepted, and nothing else of it', () => {
    const payload = { ...payment(), resource: { url: 'https://example.org' }, extensions: {} };
    expect(judgeContent(payload)).toEqual({
      ok: true,
      signature,
      authorization,
      echoed: false,
    });
  });

  test('shows whether the discovery extension was echoed, and drops its content', () => {
    const payload = { ...payment(), extensions: { bazaar: { info: 'theirs' } } };
    const judged = judgeContent(payload);
    expect(judged).toMatchObject({ ok: true, echoed: true });
    expect(JSON.stringify(judged)).not.toContain('theirs');
  });

  test('may write addresses in upper or lower case', () => {
    const lower = { asset: terms.asset.toLowerCase(), payTo: terms.payTo.toLowerCase() };
    expect(judge(payment({ to: terms.payTo.toLowerCase() }, lower))).toBe('ok');
  });

  test('need not repeat the time that we offered', () => {
    expect(judge(payment({}, { maxTimeoutSeconds: 7 }))).toBe('ok');
  });

  test.each([
    ['invalid_x402_version', { x402Version: 1, scheme: 'exact', network: 'base', payload: {} }],
    ['invalid_x402_version', { ...payment(), x402Version: 3 }],
    ['unsupported_scheme', payment({}, { scheme: 'upto' })],
    ['invalid_network', payment({}, { network: 'eip155:84532' })],
    ['invalid_network', payment({}, { network: 'solana:mainnet', asset: 'So1', payTo: 'x' })],
    ['invalid_payment_requirements', payment({}, { amount: '49999' })],
    ['invalid_payment_requirements', payment({}, { asset: authorization.from })],
    ['invalid_payment_requirements', payment({}, { payTo: authorization.from })],
    ['unsupported_payload_type', { ...payment(), payload: { permit2Authorization: {} } }],
    [
      'unsupported_payload_type',
      { ...payment(), payload: { permit2Authorization: {}, signature } },
    ],
    ['unsupported_payload_type', { ...payment(), payload: {} }],
    ['invalid_exact_evm_recipient_mismatch', payment({ to: authorization.from })],
    ['invalid_exact_evm_payload_authorization_value_mismatch', payment({ value: '50001' })],
    ['invalid_exact_evm_payload_authorization_value_mismatch', payment({ value: '0' })],
  ])('is refused as %s', (error, payload) => {
    expect(judge(payload)).toBe(error);
  });

  test.each([
    [0, 'ok'],
    [SECONDS, 'ok'],
    [SECONDS + 2, 'ok'],
    [SECONDS + 10, 'ok'],
    [SECONDS + 11, 'invalid_exact_evm_payload_authorization_valid_after'],
    ['9'.repeat(78), 'invalid_exact_evm_payload_authorization_valid_after'],
  ])('valid after %s is %s', (validAfter, answer) => {
    expect(judge(payment({ validAfter: `${validAfter}` }))).toBe(answer);
  });

  const outside = 'invalid_exact_evm_payload_authorization_valid_before';
  test.each([
    [SECONDS + 14, DEADLINE, outside],
    [SECONDS + 15, DEADLINE, 'ok'],
    [SECONDS + 3900, DEADLINE, 'ok'],
    [SECONDS + 3901, DEADLINE, outside],
    [SECONDS + 3900, null, 'ok'],
    [SECONDS + 3901, null, outside],
    [SECONDS + 100, (SECONDS + 105) * 1000, 'ok'],
    [SECONDS + 101, (SECONDS + 105) * 1000 + 999, outside],
    ['9'.repeat(78), null, outside],
  ])('valid before %s with a report until %s is %s', (validBefore, deadline, answer) => {
    expect(judge(payment({ validBefore: `${validBefore}` }), deadline)).toBe(answer);
  });
});

test.each([
  [{ ...payment(), x402Version: 1 }, 'x402Version is 1; expected 2.'],
  [payment({}, { scheme: 'upto' }), 'accepted.scheme is "upto"; expected "exact".'],
  [payment({}, { network: 'base' }), 'accepted.network is "base"; expected "eip155:8453".'],
  [payment({}, { amount: '50001' }), 'accepted.amount is "50001"; expected "50000".'],
  [payment({}, { amount: undefined }), 'accepted.amount is missing; expected "50000".'],
  [
    payment({}, { payTo: authorization.from }),
    `accepted.payTo is "${authorization.from}"; expected "${settings.payTo}".`,
  ],
  [
    { ...payment(), payload: {} },
    'payload.authorization is missing; expected an EIP-3009 authorization.',
  ],
  [payment({ value: '49999' }), 'payload.authorization.value is "49999"; expected "50000".'],
  [
    payment({ to: authorization.from }),
    `payload.authorization.to is "${authorization.from}"; expected "${settings.payTo}".`,
  ],
])('a payment on other terms is told which member is wrong: %#', (content, detail) => {
  expect(judgeContent(content)).toMatchObject({ ok: false, detail });
});

test('times out of bounds are reported with the bounds', () => {
  const at = (changes: object) => judgeTimes({ ...authorization, ...changes }, NOW, null)?.detail;
  expect(at({ validAfter: `${SECONDS + 60}` })).toBe(
    `payload.authorization.validAfter is "${SECONDS + 60}"; expected at most ${SECONDS + 10}. The time here is ${SECONDS}.`,
  );
  expect(at({ validBefore: `${SECONDS + 9}` })).toBe(
    `payload.authorization.validBefore is "${SECONDS + 9}"; expected ${SECONDS + 15} to ${SECONDS + 3900}. The time here is ${SECONDS}.`,
  );
});

test('a claim is one key for one authorization, however it is written', () => {
  const key = claimKey(terms, authorization);
  expect(key).toBe(
    `eip155.8453.0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.${authorization.from}.${authorization.nonce}`,
  );
  const upper = { ...authorization, nonce: `0x${'aB'.repeat(32)}` };
  expect(claimKey(terms, upper)).toBe(claimKey(terms, { ...upper, nonce: `0x${'Ab'.repeat(32)}` }));
  expect(claimKey(terms, upper)).not.toBe(key);
});
