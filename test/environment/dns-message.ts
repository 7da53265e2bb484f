/** Encodes and decodes DNS messages for the test DNS server. */

import dnsPacket from 'dns-packet';
import type { ZoneAnswer, ZoneRecord } from './dns-zone.ts';

/** A question as it arrived. `maxBytes` is what the client accepts over UDP. */
export interface Query {
  readonly id: number;
  /** Lower case, without a final dot; the root is `.`. */
  readonly name: string;
  readonly type: string;
  readonly maxBytes: number;
  readonly edns: boolean;
  readonly asked: dnsPacket.Question;
}

/** Limit without EDNS (RFC 1035 §4.2.1). */
const PLAIN_UDP_BYTES = 512;

/** The largest length that can precede a message over TCP (RFC 1035 §4.2.2). */
export const TCP_MAX_BYTES = 65_535;

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

// The types of dns-packet lack these flags, AA and RA.
const FLAGS = (1 << 10) | (1 << 7);

const STRING_BYTES = 255;

/** Says that signatures are invalid (RFC 8914 §4.7). */
const BOGUS = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: 1232,
  options: [{ code: 15, data: Buffer.from([0, 6]) }],
} as unknown as dnsPacket.OptAnswer;

/** Returns `undefined` for anything that is not one plain question. */
export function readQuery(message: Buffer): Query | undefined {
  try {
    const { id = 0, questions, additionals } = dnsPacket.decode(message);
    const asked = questions?.[0];
    if (!asked) return undefined;
    const opt = additionals?.find(({ type }) => type === 'OPT');
    const size = opt && 'udpPayloadSize' in opt ? Number(opt.udpPayloadSize) : 0;
    return {
      id,
      name: asked.name.toLowerCase().replace(/\.$/, '') || '.',
      type: asked.type,
      maxBytes: Math.max(size, PLAIN_UDP_BYTES),
      edns: opt !== undefined,
      asked,
    };
  } catch {
    return undefined;
  }
}

/** Writes the answer as a message of at most `maxBytes`. A longer one is emptied and marked as truncated. */
export function writeAnswer(query: Query, answer: ZoneAnswer, maxBytes: number): Buffer {
  const isBogus = answer.rcode === 'BOGUS';
  const rcode =
    answer.rcode === 'TIMEOUT' || answer.rcode === 'BOGUS' ? RCODES.SERVFAIL : RCODES[answer.rcode];
  const isProved = 'records' in answer && !answer.unsigned;
  const records = 'records' in answer ? answer.records : [];
  const encode = (answers: dnsPacket.Answer[], flags: number) =>
    dnsPacket.encode({
      type: 'response',
      id: query.id,
      flags: flags | rcode,
      questions: [query.asked],
      answers,
      ...(isBogus && { additionals: [BOGUS] }),
    });

  const whole = encode(records.map(toAnswer), isProved ? FLAGS | dnsPacket.AUTHENTIC_DATA : FLAGS);
  return whole.length <= maxBytes ? whole : encode([], FLAGS | dnsPacket.TRUNCATED_RESPONSE);
}

function toAnswer({ name, type, value }: ZoneRecord): dnsPacket.Answer {
  const base = { name, ttl: 0, class: 'IN' as const };
  if (type === 'TXT') return { ...base, type, data: toStrings(value) };
  if (type === 'SPF') {
    // The library's encoder does not know this type, whose octets are those of a TXT.
    const data = Buffer.concat(toStrings(value).flatMap((s) => [Buffer.from([s.length]), s]));
    return { ...base, type: 'SPF' as 'NULL', data };
  }
  const text = String(value);
  if (type === 'TLSA') {
    const [usage, selector, matchingType, hex = ''] = text.split(' ');
    const certificate = Buffer.from(hex, 'hex');
    const data = {
      usage: Number(usage),
      selector: Number(selector),
      matchingType: Number(matchingType),
      certificate,
    };
    return { ...base, type, data };
  }
  if (type !== 'MX') return { ...base, type, data: text };
  const [preference = '0', exchange = '.'] = text.split(' ');
  return { ...base, type, data: { preference: Number(preference), exchange } };
}

function toStrings(value: ZoneRecord['value']): Buffer[] {
  if (typeof value !== 'string') return value.map((part) => Buffer.from(part));
  const bytes = Buffer.from(value);
  const count = Math.max(1, Math.ceil(bytes.length / STRING_BYTES));
  return Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * STRING_BYTES, (i + 1) * STRING_BYTES),
  );
}
