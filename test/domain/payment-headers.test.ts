/** Tests that payment headers are read as the official x402 code reads them. */

import { decodePaymentSignatureHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentPayloadV2Schema } from '@x402/core/schemas';
import { ExactEvmScheme } from '@x402/evm';
import { isAddress, isHex, size } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { readPayment, readSigned } from '../../src/actors/settler/sent-payment.ts';
import { paymentTerms } from '../../src/domain/payment-terms.ts';

/** A payment that the official client signed for our terms, as its encoder sends it. */
const terms = paymentTerms(
  {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    assetName: 'USD Coin',
    assetVersion: '2',
    amount: '50000',
    payTo: `0x${'4'.repeat(40)}`,
  },
  86_400,
);
const scheme = new ExactEvmScheme(privateKeyToAccount(generatePrivateKey()));
const { payload } = await scheme.createPaymentPayload(2, terms as never);
const resource = {
  url: 'https://mailtest.example/v1/report',
  description: 'Ein Bericht: ü',
  mimeType: 'application/json',
};
const payment = { x402Version: 2, resource, accepted: terms, payload };
const { authorization, signature } = payload as unknown as {
  authorization: Record<string, string>;
  signature: string;
};

const json = (content: unknown) => encodePaymentSignatureHeader(content as never);
const accepted = (changes: object) => json({ ...payment, accepted: { ...terms, ...changes } });
const signed = (changes: object) =>
  json({ ...payment, payload: { signature, authorization: { ...authorization, ...changes } } });
const whole = json(payment);
const { from = '', to = '', nonce = '' } = authorization;

/** Values that a client could send for any member. */
const ODD = [
  null,
  undefined,
  '',
  0,
  -1,
  1.5,
  true,
  [],
  {},
  'x',
  '0x',
  '0x12',
  ' ',
  '50000',
  50000,
  '0050000',
  '0xC350',
  '-50000',
  '5e4',
  '50000.0',
  '9'.repeat(78),
  '9'.repeat(79),
];

const headers: readonly (readonly [string, string])[] = [
  ['as it is', whole],
  ['without padding', whole.replace(/=+$/, '')],
  ['with too much padding', `${whole.replace(/=+$/, '')}==`],
  [
    'URL-safe',
    Buffer.from(
      JSON.stringify({ ...payment, resource: { ...resource, description: '<<>>??~~ÿÿÿ' } }),
    ).toString('base64url'),
  ],
  ['cut off', whole.slice(0, -9)],
  ['twice', whole + whole],
  ['with a space', ` ${whole}`],
  ['in hex', Buffer.from(JSON.stringify(payment)).toString('hex')],
  ['as plain JSON', JSON.stringify(payment)],
  ['empty', ''],
  ['with spaces in its JSON', Buffer.from(JSON.stringify(payment, null, 2)).toString('base64')],
  ['with a BOM', Buffer.from(`\uFEFF${JSON.stringify(payment)}`).toString('base64')],
  [
    'with bytes that are not UTF-8',
    Buffer.from(JSON.stringify(payment).replace('ü', '\xff'), 'latin1').toString('base64'),
  ],
  [
    'with a member twice',
    Buffer.from(
      JSON.stringify(payment).replace('"x402Version":2', '"x402Version":1,"x402Version":2'),
    ).toString('base64'),
  ],
  ...[null, 'payment', 7, true, [], {}, [payment]].map(
    (content) => [`of ${JSON.stringify(content)?.slice(0, 20)}`, json(content)] as const,
  ),
  ['with extensions null', json({ ...payment, extensions: null })],
  ['with extensions', json({ ...payment, extensions: { bazaar: { info: {} } } })],
  ['with extensions as a list', json({ ...payment, extensions: [] })],
  ['with a resource null', json({ ...payment, resource: null })],
  ['without a resource', json({ ...payment, resource: undefined })],
  ['with members of its own', json({ ...payment, note: 'x', payload: { ...payload, note: 'x' } })],
  ['with a payload null', json({ ...payment, payload: null })],
  ['without a payload', json({ ...payment, payload: undefined })],
  ['with accepted null', json({ ...payment, accepted: null })],
  ['without accepted', json({ ...payment, accepted: undefined })],
  ['with its options as a list', json({ ...payment, accepted: [terms] })],
  ...[undefined, null, '2', 2.5].map(
    (x402Version) =>
      [`with the version ${x402Version}`, json({ ...payment, x402Version })] as const,
  ),
  ['with extra null', accepted({ extra: null })],
  ['without extra', accepted({ extra: undefined })],
  ['with extra as text', accepted({ extra: 'USDC' })],
  ['with the asset in lower case', accepted({ asset: terms.asset.toLowerCase() })],
  ['with the payee in upper case', accepted({ payTo: `0x${terms.payTo.slice(2).toUpperCase()}` })],
  ['with another network', accepted({ network: 'eip155:1' })],
  [
    'with a network of another kind',
    accepted({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
  ],
  ['with another timeout', accepted({ maxTimeoutSeconds: 300 })],
  ['with the payer in lower case', signed({ from: from.toLowerCase() })],
  ['with the payer in upper case', signed({ from: `0x${from.slice(2).toUpperCase()}` })],
  [
    'with the payee of the transfer in upper case',
    signed({ to: `0x${to.slice(2).toUpperCase()}` }),
  ],
  ['with the nonce in upper case', signed({ nonce: `0x${nonce.slice(2).toUpperCase()}` })],
  ['with a short nonce', signed({ nonce: nonce.slice(0, -2) })],
  ['with a short payer', signed({ from: from.slice(0, -1) })],
  ...['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds'].flatMap((member) =>
    ODD.slice(0, 9).map(
      (odd) =>
        [`with accepted.${member} as ${JSON.stringify(odd)}`, accepted({ [member]: odd })] as const,
    ),
  ),
  ...['value', 'validAfter', 'validBefore'].flatMap((member) =>
    ODD.map(
      (odd) =>
        [
          `with ${member} as ${JSON.stringify(odd)?.slice(0, 20)}`,
          signed({ [member]: odd }),
        ] as const,
    ),
  ),
  ...['from', 'to', 'nonce'].flatMap((member) =>
    ODD.slice(0, 12).map(
      (odd) => [`with ${member} as ${JSON.stringify(odd)}`, signed({ [member]: odd })] as const,
    ),
  ),
  ...ODD.slice(0, 12).map(
    (odd) =>
      [
        `with the signature ${JSON.stringify(odd)}`,
        json({ ...payment, payload: { authorization, signature: odd } }),
      ] as const,
  ),
];

/** Returns whether the official facilitator can convert a member, with `BigInt` and with viem's encoder. */
const isNumber = (value: unknown) => {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  try {
    return (
      BigInt(value) >= 0n &&
      BigInt(value) < 10n ** 78n &&
      value !== '' &&
      `${value}`.trim() === `${value}`
    );
  } catch {
    return false;
  }
};
const isHash = (value: unknown) => isHex(value) && size(value) === 32;
const isAnAddress = (value: unknown) =>
  typeof value === 'string' && isAddress(value, { strict: false });

/** Returns whether the official code can read and encode a header. */
function isReadable(header: string): boolean {
  try {
    const parsed = PaymentPayloadV2Schema.safeParse(decodePaymentSignatureHeader(header));
    if (!parsed.success) return false;
    const { authorization: one, signature: by } = parsed.data.payload as {
      authorization: Record<string, unknown>;
      signature: unknown;
    };
    return (
      isHex(by) &&
      size(by) >= 65 &&
      isAnAddress(one.from) &&
      isAnAddress(one.to) &&
      isHash(one.nonce) &&
      isNumber(one.value) &&
      isNumber(one.validAfter) &&
      isNumber(one.validBefore)
    );
  } catch {
    return false;
  }
}

/**
 * Headers that we read although the official schema rejects them. The member that is missing is then reported
 * as a wrong term.
 */
const FORGIVEN =
  /accepted\.(?:scheme|network|amount|asset|payTo) as (?:""|undefined|"x"|"0x"|"0x12")|accepted\.maxTimeoutSeconds as undefined|accepted\.\w+ as "x"|the version 2\.5/;

test('there are more than a hundred', () => {
  expect(headers.length).toBeGreaterThan(200);
});

test.each(headers)(
  'a header %s is read as the official code reads it, or says why not',
  (name, header) => {
    const read = readPayment(header);
    const secrets = [signature, nonce, signature.slice(2, 60), nonce.slice(2, 40)];
    if ('fault' in read) {
      expect(isReadable(header), read.fault).toBe(false);
      expect(read.fault).toMatch(/^(?:PAYMENT-SIGNATURE is |The payment is |[\w.]+ is ).+\.$/);
      for (const secret of secrets)
        expect(read.fault.toLowerCase()).not.toContain(secret.toLowerCase());
    } else if (!isReadable(header)) expect(name).toMatch(FORGIVEN);
    else
      expect(readSigned(header)?.authorization).toMatchObject({
        from: expect.stringMatching(/^0x/),
        value: expect.stringMatching(/^(?:0|[1-9]\d*)$/),
      });
  },
);
