/**
 * Tests the encoding and decoding of x402 headers against the official code, and the text that says what is
 * wrong with an unreadable header.
 */

import {
  decodePaymentRequiredHeader,
  decodePaymentSignatureHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHeader, encodeHeader, readHeader } from '../../src/domain/x402-headers.ts';

test('everything encoded is decoded to the same', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (content) => {
      const plain = JSON.parse(JSON.stringify(content));
      expect(decodeHeader(encodeHeader(content))).toEqual(plain);
    }),
  );
});

test('the official codecs read ours, and we read theirs', () => {
  // "<>" contains "+" and "/" in base64, and "é" has two bytes in UTF-8.
  const content = { x402Version: 2, accepts: [], resource: { url: 'u', description: '<<>>??é' } };
  expect(decodePaymentRequiredHeader(encodeHeader(content))).toEqual(content);
  const theirs = encodePaymentSignatureHeader(content as never);
  expect(decodeHeader(theirs)).toEqual(content);
});

const encode = (bytes: string | Uint8Array) => Buffer.from(bytes as string).toString('base64');

test.each([
  ['nothing', '', 'is empty'],
  ['no base64', 'payment!', 'is not standard base64: character 8 does not belong to it'],
  [
    'the URL-safe alphabet',
    Buffer.from('{"a":"<<>>??~~"}').toString('base64url'),
    'It uses the URL-safe alphabet',
  ],
  ['padding in the middle', `${encode('{"a":')}${encode('1}')}`, 'is not standard base64'],
  ['two headers joined', `${encode('{}')}, ${encode('{}')}`, 'character 4 does not'],
  ['white space', ` ${encode('{}')}`, 'character 1 does not'],
  ['a character too many', `${encode('{"a":123}')}A`, 'its length, 13 characters, is not possible'],
  ['no JSON', encode('payment'), 'is base64, but does not contain JSON'],
])('%s is not a header', (_, value, fault) => {
  expect(decodeHeader(value)).toBeUndefined();
  expect(readHeader(value)).toEqual({ fault: expect.stringContaining(fault) });
});

test.each([
  ['missing padding', encode('{"a":1}').replaceAll('=', ''), { a: 1 }],
  ['bytes that are not UTF-8', encode(Uint8Array.of(0x22, 0xff, 0x22)), '\ufffd'],
  ['null', encode('null'), null],
])('%s is read as the official decoders read it', (_, value, content) => {
  expect(decodeHeader(value)).toEqual(content);
  expect(decodePaymentSignatureHeader(value)).toEqual(content);
});
