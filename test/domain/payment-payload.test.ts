/** Tests the errors for malformed payments. */

import { expect, test } from 'vitest';
import { readPaymentPayload } from '../../src/domain/payment-payload.ts';

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

const faultOf = (content: unknown) => {
  const read = readPaymentPayload(content);
  return 'fault' in read ? read.fault : undefined;
};

test.each([
  ['a payment', payment],
  ['one with echoed extensions and a resource', { ...payment, extensions: { a: 1 }, resource: 7 }],
  [
    'one of a smart wallet',
    { ...payment, payload: { authorization, signature: `0x${'33'.repeat(2048)}` } },
  ],
  ['the largest numbers', signed({ value: '9'.repeat(78) })],
  ['one without the domain', { ...payment, accepted: { ...accepted, extra: undefined } }],
  [
    'null for what may be missing',
    { ...payment, accepted: { ...accepted, extra: null }, extensions: null, resource: null },
  ],
  [
    'addresses in another case',
    signed({ from: `0x${'aB'.repeat(20)}`, to: `0x${'AB'.repeat(20)}` }),
  ],
  ['a number as JSON', signed({ validBefore: 1790000000 })],
  ['a leading zero', signed({ value: '050000' })],
  ['a number in hex', signed({ value: '0xC350' })],
  ['another version', { x402Version: 1 }],
  ['another way to pay', { ...payment, payload: { permit2Authorization: {}, signature: '0x' } }],
  ['another kind of chain', { ...payment, accepted: { scheme: 'exact', network: 'solana:x' } }],
])('%s has the right shape', (_, value) => {
  expect(faultOf(value)).toBeUndefined();
});

test.each(['50000', '050000', 50000, '0xC350', '0xc350'])(
  '%j is one number in one notation',
  (value) => {
    expect(readPaymentPayload(signed({ value }))).toMatchObject({
      signed: { authorization: { ...authorization, value: '50000' } },
    });
  },
);

const bytes = '0x and 65 to 2048 bytes in hex';
const digits = '0x and 40 hex digits';
const number = 'a whole number in decimal digits, as text';
const withSignature = (value: unknown) => ({
  ...payment,
  payload: { authorization, signature: value },
});

test.each([
  [null, 'The payment is null; expected a JSON object.'],
  ['payment', 'The payment is "payment"; expected a JSON object.'],
  [[payment], 'The payment is an array; expected a JSON object.'],
  [{}, 'x402Version is missing; expected 2.'],
  [{ ...payment, x402Version: '2' }, 'x402Version is "2"; expected 2.'],
  [
    { ...payment, accepted: undefined },
    'accepted is missing; expected one of the `accepts` options of PAYMENT-REQUIRED.',
  ],
  [
    { ...payment, accepted: { ...accepted, amount: 50000 } },
    `accepted.amount is 50000; expected ${number}.`,
  ],
  [
    { ...payment, accepted: { ...accepted, maxTimeoutSeconds: '120' } },
    'accepted.maxTimeoutSeconds is "120"; expected a number of seconds above 0.',
  ],
  [
    { ...payment, accepted: { ...accepted, extra: 'USDC' } },
    'accepted.extra is "USDC"; expected an object.',
  ],
  [{ ...payment, extensions: [] }, 'extensions is an array; expected an object.'],
  [
    { ...payment, payload: undefined },
    'payload is missing; expected an object with `signature` and `authorization`.',
  ],
  [withSignature(undefined), `payload.signature is missing; expected ${bytes}.`],
  [
    withSignature(`0x${'33'.repeat(64)}`),
    `payload.signature is a text of 130 characters; expected ${bytes}.`,
  ],
  [
    withSignature(`0x${'33'.repeat(2049)}`),
    `payload.signature is a text of 4100 characters; expected ${bytes}.`,
  ],
  [
    withSignature(`${signature}3`),
    `payload.signature is a text of 133 characters; expected ${bytes}.`,
  ],
  [withSignature('0x12'), `payload.signature is a text of 4 characters; expected ${bytes}.`],
  [
    signed({ from: `0x${'11'.repeat(19)}` }),
    `payload.authorization.from is "0x${'11'.repeat(19)}"; expected ${digits}.`,
  ],
  [
    signed({ to: `0x${'11'.repeat(21)}` }),
    `payload.authorization.to is a text of 44 characters; expected ${digits}.`,
  ],
  [
    signed({ nonce: `0x${'22'.repeat(10)}` }),
    'payload.authorization.nonce is a text of 22 characters; expected 0x and 64 hex digits.',
  ],
  [
    signed({ nonce: undefined }),
    'payload.authorization.nonce is missing; expected 0x and 64 hex digits.',
  ],
  [signed({ value: '-1' }), `payload.authorization.value is "-1"; expected ${number}.`],
  [signed({ value: 1.5 }), `payload.authorization.value is 1.5; expected ${number}.`],
  [
    signed({ value: '9'.repeat(79) }),
    `payload.authorization.value is a text of 79 characters; expected ${number}.`,
  ],
  [
    signed({ value: '50000\n' }),
    `payload.authorization.value is a text of 6 characters; expected ${number}.`,
  ],
  [
    { ...payment, payload: { signature, authorization: null } },
    'payload.authorization is null; expected the signed EIP-3009 authorization.',
  ],
])('%# names the member', (value, fault) => {
  expect(faultOf(value)).toBe(fault);
});

test('no fault repeats a secret, wherever it was put', () => {
  const secrets = [signature, authorization.nonce, 'dG9rZW4tb2YtdGhlLWZpeHR1cmUtdGVzdC0yNTZiaXQ'];
  const places = ['x402Version', 'accepted', 'payload', 'extensions'];
  for (const secret of secrets) {
    for (const place of places)
      expect(faultOf({ ...payment, [place]: secret })).not.toContain(secret);
    for (const place of Object.keys(accepted))
      expect(faultOf({ ...payment, accepted: { ...accepted, [place]: [secret] } })).not.toContain(
        secret,
      );
    for (const place of Object.keys(authorization))
      expect(faultOf(signed({ [place]: `${secret}!` }))).not.toContain(secret);
  }
});
