import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHeader, encodeHeader } from '../../src/domain/x402-headers.ts';

test('what is encoded is decoded to the same', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (content) => {
      const plain = JSON.parse(JSON.stringify(content));
      expect(decodeHeader(encodeHeader(content))).toEqual(plain);
    }),
  );
});

test('the official codecs read ours, and we read theirs', () => {
  // "<>" gives "+" and "/" in base64, "é" two bytes in UTF-8.
  const content = { x402Version: 2, accepts: [], resource: { url: 'u', description: '<<>>??é' } };
  expect(decodePaymentRequiredHeader(encodeHeader(content))).toEqual(content);
  const theirs = encodePaymentSignatureHeader(content as never);
  expect(decodeHeader(theirs)).toEqual(content);
});

const encode = (bytes: string | Uint8Array) => Buffer.from(bytes as string).toString('base64');

test.each([
  ['nothing', ''],
  ['no base64', 'payment!'],
  ['the URL-safe alphabet', Buffer.from('{"a":"<<>>??~~"}').toString('base64url')],
  ['missing padding', encode('{"a":1}').replaceAll('=', '')],
  ['padding in the middle', `${encode('{"a":')}${encode('1}')}`],
  ['two headers joined', `${encode('{}')}, ${encode('{}')}`],
  ['white space', ` ${encode('{}')}`],
  ['no JSON', encode('payment')],
  ['bytes that are not UTF-8', encode(Uint8Array.of(0x22, 0xff, 0x22))],
])('%s is no header', (_, value) => {
  expect(decodeHeader(value)).toBeUndefined();
});

test('JSON null is JSON', () => {
  expect(decodeHeader(encode('null'))).toBeNull();
});
