import { expect, test } from 'vitest';
import { isPaymentPayload } from '../../src/domain/payment-payload.ts';

const address = `0x${'11'.repeat(20)}`;
const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '50000',
  asset: address,
  payTo: address,
  maxTimeoutSeconds: 120,
  extra: { name: 'USD Coin', version: '2' },
};
const authorization = {
  from: address,
  to: address,
  value: '50000',
  validAfter: '0',
  validBefore: '1790000000',
  nonce: `0x${'22'.repeat(32)}`,
};
const signature = `0x${'33'.repeat(65)}`;
const payment = { x402Version: 2, accepted, payload: { signature, authorization } };
const signed = (changes: object) => ({
  ...payment,
  payload: { signature, authorization: { ...authorization, ...changes } },
});

test.each([
  ['a payment', payment],
  ['one with echoed extensions and a resource', { ...payment, extensions: { a: 1 }, resource: 7 }],
  [
    'one of a smart wallet',
    { ...payment, payload: { authorization, signature: `0x${'33'.repeat(2048)}` } },
  ],
  ['the largest numbers', signed({ value: '9'.repeat(78) })],
  ['one without the domain', { ...payment, accepted: { ...accepted, extra: undefined } }],
  ['another version', { x402Version: 1 }],
  ['another way to pay', { ...payment, payload: { permit2Authorization: {}, signature: '0x' } }],
  ['another kind of chain', { ...payment, accepted: { scheme: 'exact', network: 'solana:x' } }],
])('%s has the shape', (_, value) => {
  expect(isPaymentPayload(value)).toBe(true);
});

test.each([
  ['null', null],
  ['a text', 'payment'],
  ['an array', [payment]],
  ['nothing', {}],
  ['a version as text', { ...payment, x402Version: '2' }],
  ['no terms', { ...payment, accepted: undefined }],
  ['terms with a bad address', { ...payment, accepted: { ...accepted, payTo: '0x11' } }],
  ['an amount as a number', { ...payment, accepted: { ...accepted, amount: 50000 } }],
  ['no payload', { ...payment, payload: undefined }],
  ['no signature', { ...payment, payload: { authorization } }],
  [
    'a signature of 64 bytes',
    { ...payment, payload: { authorization, signature: `0x${'33'.repeat(64)}` } },
  ],
  [
    'a signature of 2049 bytes',
    { ...payment, payload: { authorization, signature: `0x${'33'.repeat(2049)}` } },
  ],
  ['half a byte', { ...payment, payload: { authorization, signature: `${signature}3` } }],
  [
    'a signature that is not hex',
    { ...payment, payload: { authorization, signature: `0x${'zz'.repeat(65)}` } },
  ],
  ['a short address', signed({ from: `0x${'11'.repeat(19)}` })],
  ['a long address', signed({ to: `0x${'11'.repeat(21)}` })],
  ['a short nonce', signed({ nonce: `0x${'22'.repeat(31)}` })],
  ['a leading zero', signed({ value: '050000' })],
  ['a sign', signed({ value: '-1' })],
  ['hex where decimal is due', signed({ validAfter: '0x0' })],
  ['a number as a number', signed({ validBefore: 1790000000 })],
  ['79 digits', signed({ value: '9'.repeat(79) })],
  ['a trailing line break', signed({ value: '50000\n' })],
  ['no authorization but its name', { ...payment, payload: { signature, authorization: null } }],
])('%s has not', (_, value) => {
  expect(isPaymentPayload(value)).toBe(false);
});
