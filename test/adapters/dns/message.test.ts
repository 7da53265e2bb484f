/**
 * Tests the encoding and decoding of DNS messages: hostile and truncated ones, the
 * authenticated-data flag (AD) of DNSSEC, extended errors and TLSA records.
 */

import dnsPacket from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeReply, encodeQuery } from '../../../src/adapters/dns/message.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';

const NAME = 'mail.example.com';
const query = encodeQuery(4711, NAME, 'A') as Buffer;

const TRUNCATED = 0x0200;

interface Options {
  readonly id?: number;
  readonly flags?: number;
  readonly questions?: dnsPacket.Question[];
  readonly answers?: dnsPacket.Answer[];
}

const question = { type: 'A', name: NAME } as const;

const reply = (overrides: Options = {}): Buffer =>
  dnsPacket.encode({
    type: 'response',
    id: 4711,
    flags: 0,
    questions: [question],
    answers: [{ type: 'A', name: NAME, ttl: 60, data: '192.0.2.25' }],
    ...overrides,
  });

const found = { status: 'found', records: ['192.0.2.25'], cnames: [] };

test('an answer to the question is accepted', () => {
  expect(decodeReply(query, reply(), 'A')).toEqual(found);
});

describe('a message that is no answer is skipped, because the real one can still come', () => {
  test.each<[string, Buffer]>([
    ['another id', reply({ id: 4712 })],
    ['another name', reply({ questions: [{ type: 'A', name: 'mail.example.net' }] })],
    ['another type', reply({ questions: [{ type: 'AAAA', name: NAME }] })],
    ['two questions', reply({ questions: [question, question] })],
    ['the query itself', query],
  ])('%s', (_, message) => {
    expect(decodeReply(query, message, 'A')).toBeUndefined();
  });
});

test.each<[string, dnsPacket.Answer[], object]>([
  [
    'records of other names are left out',
    [
      { type: 'A', name: 'www.example.com', data: '192.0.2.66' },
      { type: 'A', name: NAME, data: '192.0.2.25' },
    ],
    found,
  ],
  [
    'a record of another type is no answer',
    [{ type: 'TXT', name: NAME, data: 'x' }],
    { status: 'nodata', cnames: [] },
  ],
  [
    'the record behind an alias needs the alias',
    [{ type: 'A', name: 'other.example.com', data: '192.0.2.66' }],
    { status: 'failed', error: 'MALFORMED' },
  ],
  [
    'an alias that leads to itself ends',
    [{ type: 'CNAME', name: NAME, data: NAME }],
    { status: 'failed', error: 'CNAME_CHAIN' },
  ],
  [
    'aliases that lead in a circle end',
    [
      { type: 'CNAME', name: NAME, data: 'b.example.com' },
      { type: 'CNAME', name: 'b.example.com', data: NAME },
    ],
    { status: 'failed', error: 'CNAME_CHAIN' },
  ],
])('%s', (_, answers, expected) => {
  expect(decodeReply(query, reply({ answers }), 'A')).toEqual(expected);
});

test.each([
  [253, 'found'],
  [254, 'failed'],
])('a name of %i characters is %s (RFC 1035 §2.3.4)', (length, status) => {
  const name = `${'a.'.repeat(100)}${'b'.repeat(length - 200)}`;
  const answers: dnsPacket.Answer[] = [{ type: 'PTR', name: NAME, ttl: 60, data: name }];
  const about = { questions: [{ type: 'PTR', name: NAME } as const], answers };
  const asked = encodeQuery(4711, NAME, 'PTR') as Buffer;
  expect(decodeReply(asked, reply(about), 'PTR')).toMatchObject({ status });
});

test('a truncated answer is requested again', () => {
  expect(decodeReply(query, reply({ flags: TRUNCATED }), 'A')).toEqual({ status: 'truncated' });
});

/** Offset of the first record, after the header and the question. */
const FIRST_RECORD = 12 + NAME.length + 2 + 4;

test.each<[string, (message: Buffer) => void]>([
  ['more records than there are', (message) => message.writeUInt16BE(9, 6)],
  ['a record longer than the message', (message) => message.writeUInt16BE(500, message.length - 6)],
  [
    'a name that points at itself',
    (message) => message.writeUInt16BE(0xc000 | FIRST_RECORD, FIRST_RECORD),
  ],
  ['a name that points behind the end', (message) => message.writeUInt16BE(0xffff, FIRST_RECORD)],
  ['a label of a kind that does not exist', (message) => message.writeUInt8(0x80, FIRST_RECORD)],
])('%s is a failure, and none of it is used', (_, spoil) => {
  const message = Buffer.from(reply());
  spoil(message);
  expect(decodeReply(query, message, 'A')).toEqual({ status: 'failed', error: 'MALFORMED' });
});

test('anything that a server sends is an answer, a failure or nothing', () => {
  const whole = reply({
    answers: [
      { type: 'CNAME', name: NAME, data: 'a.example.com' },
      { type: 'A', name: 'a.example.com', data: '192.0.2.25' },
      { type: 'TXT', name: 'a.example.com', data: ['one', 'two'] },
      { type: 'MX', name: 'a.example.com', data: { preference: 10, exchange: 'm.example.com' } },
      { type: 'AAAA', name: 'a.example.com', data: '2001:db8::25' },
    ],
  });
  const change = fc.record({ at: fc.nat(whole.length - 1), octet: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), fc.nat(whole.length), (changes, cut) => {
      const message = Buffer.from(whole);
      for (const { at, octet } of changes) message.writeUInt8(octet, at);
      const got = decodeReply(query, message.subarray(0, whole.length - cut), 'A');
      expect(['found', 'nodata', 'nxdomain', 'failed', 'truncated', undefined]).toContain(
        got?.status,
      );
      if (got?.status === 'found')
        for (const record of got.records) expect(record).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    }),
    { numRuns: 5000 },
  );
});

/**
 * 64 KiB of PTR records whose owner and data each point to some label of long names that have to be escaped.
 */
function hostileNames(): { query: Buffer; message: Buffer } {
  const asked = encodeQuery(4711, '25.2.0.192.in-addr.arpa', 'PTR', { edns: false }) as Buffer;
  const name = Buffer.concat([...Array(126).fill(Buffer.from([1, 0x2e])), Buffer.from([0])]);
  const names = Buffer.concat(Array(60).fill(name));
  const holder = Buffer.alloc(11 + names.length);
  holder.writeUInt16BE(255, 1);
  holder.writeUInt16BE(names.length, 9);
  names.copy(holder, 11);
  const begin = asked.length + 11;
  const count = Math.floor((65_535 - begin - names.length) / 14);
  const pointers = Array.from({ length: count }, (_, index) => {
    const record = Buffer.alloc(14);
    const place = (offset: number) => 0xc000 | (begin + 253 * (offset % 60) + 2 * (offset % 126));
    record.writeUInt16BE(place(index), 0);
    record.writeUInt16BE(12, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(2, 10);
    record.writeUInt16BE(place(index * 7), 12);
    return record;
  });
  const message = Buffer.concat([asked, holder, ...pointers]);
  message.writeUInt16BE(0x8000, 2);
  message.writeUInt16BE(count + 1, 6);
  return { query: asked, message };
}

test('a label that thousands of records point at is read once', () => {
  const { query: asked, message } = hostileNames();
  decodeReply(asked, message, 'PTR');
  const { result, ms } = cpuTime(() => decodeReply(asked, message, 'PTR'));
  expect(result).toEqual({ status: 'failed', error: 'MALFORMED' });
  expect(ms).toBeLessThan(150);
});

/** A validating resolver answers like this: AD is bit 5 (RFC 4035 §3.2.3). */
describe('the server’s statement about signatures', () => {
  const AUTHENTIC = 0x0020;
  const NXDOMAIN = 3;
  const SERVFAIL = 2;

  test('makes an answer that it calls proved secure, even “no such name”', () => {
    expect(decodeReply(query, reply({ flags: AUTHENTIC }), 'A')).toEqual({
      ...found,
      secure: true,
    });
    const absent = reply({ flags: AUTHENTIC | NXDOMAIN, answers: [] });
    expect(decodeReply(query, absent, 'A')).toMatchObject({ status: 'nxdomain', secure: true });
  });

  test('is requested by a query, but not the signatures', () => {
    expect(query.readUInt16BE(2) & AUTHENTIC).toBe(AUTHENTIC);
    // The flags of EDNS, whose first bit is DO (RFC 3225).
    expect(query.readUInt16BE(query.length - 4)).toBe(0);
  });

  const failure = (...codes: number[]): Buffer => {
    const options = codes.map((code) => ({ code: 15, data: Buffer.from([0, code]) }));
    const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, options };
    return dnsPacket.encode({
      ...{ type: 'response', id: 4711, flags: SERVFAIL, questions: [question] },
      authorities: [{ type: 'NS', name: 'example.com', data: 'ns.example.com' }],
      additionals: [opt as unknown as dnsPacket.Answer],
    });
  };

  test.each([
    [[], 'SERVFAIL'],
    [[5], 'SERVFAIL'],
    [[6], 'BOGUS'],
    [[12], 'BOGUS'],
    [[13], 'SERVFAIL'],
    [[22, 7], 'BOGUS'],
  ])('a failure with the extended errors %j is %s (RFC 8914)', (codes, error) => {
    expect(decodeReply(query, failure(...codes), 'A')).toEqual({ status: 'failed', error });
  });
});

test('a TLSA record is read (RFC 6698 §2.1)', () => {
  const name = `_25._tcp.${NAME}`;
  const asked = encodeQuery(4711, name, 'TLSA') as Buffer;
  const data = { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('0aff', 'hex') };
  const answers: dnsPacket.Answer[] = [{ type: 'TLSA', name, data }];
  const message = reply({ questions: [{ type: 'TLSA', name }], answers });
  expect(decodeReply(asked, message, 'TLSA')).toMatchObject({
    records: [{ usage: 3, selector: 1, matching: 1, data: '0aff' }],
  });
});
