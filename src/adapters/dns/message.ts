/** Encodes DNS queries and decodes the replies, with what they say about DNSSEC (RFC 1035, RFC 8914). */

import type { DnsAnswer, MxRecord, RecordType, TlsaRecord } from '../../ports/dns.ts';
import { decodeName, encodeName, type KnownNames } from './name.ts';

/**
 * Numbers of record types (RFC 1035 §3.2.2, RFC 3596 §2.1, RFC 6698 §7.1; RFC 7208 §3.1 for the obsolete
 * SPF).
 */
const TYPES: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  TLSA: 52,
  SPF: 99,
};

const CLASS_IN = 1;
const TYPE_OPT = 41;
const HEADER_BYTES = 12;
const RECURSION_DESIRED = 0x0100;
const IS_RESPONSE = 0x8000;
const TRUNCATED = 0x0200;

/**
 * The flag of a query that asks whether DNSSEC proves the answer, without asking for the signatures (RFC 6840
 * §5.7).
 */
const AUTHENTIC_DATA = 0x0020;

/**
 * The flag of a query that asks for the answer whether or not its signatures are valid (RFC 4035 §3.2.2).
 */
const CHECKING_DISABLED = 0x0010;

/**
 * The EDNS option in which a server says why it has no answer. Codes 6 to 12 are about its check of the
 * signatures (RFC 8914 §4.7 to §4.13).
 */
const OPTION_EDE = 15;
const isBogus = (code: number) => code >= 6 && code <= 12;

/** Maximum size of an answer over UDP, in bytes. It avoids fragments on common paths (DNS flag day 2020). */
const UDP_BYTES = 1232;

/** Maximum number of CNAMEs that are followed for one query. */
const MAX_CNAMES = 8;

const RCODES: Readonly<Record<number, string>> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  4: 'NOTIMP',
  5: 'REFUSED',
};

/** A record's data: text for names and addresses, strings for TXT. */
export type RecordData = string | readonly string[] | MxRecord | TlsaRecord;

/** A reply to a query. `truncated` means that the query must be repeated over TCP (RFC 2181 §9). */
export type Reply = DnsAnswer<RecordData> | { readonly status: 'truncated' };

/** The OPT record: the root, the type, the size that we accept, and nothing else (RFC 6891 §6.1.2). */
const OPT = Buffer.from([0, 0, TYPE_OPT, UDP_BYTES >> 8, UDP_BYTES & 0xff, 0, 0, 0, 0, 0, 0]);

/**
 * Encodes a query, with EDNS (RFC 6891) by default. Returns null if no such name can exist. `unchecked` asks
 * the server not to check DNSSEC signatures.
 */
export function encodeQuery(
  id: number,
  name: string,
  type: RecordType,
  { edns = true, unchecked = false } = {},
): Buffer | null {
  const wire = encodeName(name);
  if (!wire) return null;
  const head = Buffer.from([id >> 8, id & 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, edns ? 1 : 0]);
  head.writeUInt16BE(RECURSION_DESIRED | (unchecked ? CHECKING_DISABLED : AUTHENTIC_DATA), 2);
  const question = Buffer.from([0, TYPES[type], 0, CLASS_IN]);
  return Buffer.concat(edns ? [head, wire, question, OPT] : [head, wire, question]);
}

/**
 * Returns the reply to `query`, or `undefined` if the message is not a reply to it. An id alone is too easy
 * to guess, so the question must come back as well (RFC 5452 §9.1).
 */
export function decodeReply(query: Buffer, message: Buffer, type: RecordType): Reply | undefined {
  try {
    if (message.readUInt16BE(0) !== query.readUInt16BE(0)) return undefined;
    const flags = message.readUInt16BE(2);
    if ((flags & IS_RESPONSE) === 0) return undefined;
    const failure = RCODES[flags & 0xf];
    // A server that cannot parse the question may omit it.
    if (message.readUInt16BE(4) !== 1)
      return failure ? { status: 'failed', error: failure } : undefined;
    const names: KnownNames = new Map();
    const { name, end } = decodeName(message, HEADER_BYTES, names);
    const asked = name.toLowerCase();
    const isSame = message.subarray(HEADER_BYTES, end).equals(query.subarray(HEADER_BYTES, end));
    // Letters of the name may come back in the other case.
    if (!isSame && decodeName(query, HEADER_BYTES, new Map()).name.toLowerCase() !== asked)
      return undefined;
    if (message.readUInt16BE(end) !== TYPES[type]) return undefined;
    if ((flags & TRUNCATED) !== 0) return { status: 'truncated' };
    if (failure === 'SERVFAIL' && saysBogus(message, end + 4))
      return { status: 'failed', error: 'BOGUS' };
    if (failure) return { status: 'failed', error: failure };
    const answer = toAnswer(asked, type, flags & 0xf, readRecords(message, end + 4, names));
    return (flags & AUTHENTIC_DATA) !== 0 && answer.status !== 'failed'
      ? { ...answer, secure: true }
      : answer;
  } catch (error) {
    if (error instanceof RangeError) return { status: 'failed', error: 'MALFORMED' };
    throw error;
  }
}

interface Answered {
  readonly name: string;
  readonly type: number;
  readonly data: RecordData;
}

function toAnswer(
  asked: string,
  type: RecordType,
  rcode: number,
  records: readonly Answered[],
): DnsAnswer<RecordData> {
  const cnames: string[] = [];
  let owner = asked;
  for (;;) {
    const alias = type === 'CNAME' ? undefined : records.find(isAt(owner, TYPES.CNAME));
    if (!alias) break;
    if (cnames.length === MAX_CNAMES) return { status: 'failed', error: 'CNAME_CHAIN' };
    owner = String(alias.data).toLowerCase();
    cnames.push(owner);
  }
  const isText = cnames.length > 0 && type === 'TXT';
  const texts = isText
    ? records.filter(isAt(asked, TYPES.TXT)).map(({ data }) => textOf(data))
    : [];
  const way = { cnames, ...(texts.length > 0 && { beside: texts }) };
  if (rcode === 3) return { status: 'nxdomain', ...way };
  if (rcode !== 0) return { status: 'failed', error: `RCODE_${rcode}` };
  const wanted = records.filter(
    (record) => record.type === TYPES[type] && (texts.length === 0 || record.name !== asked),
  );
  const found = wanted.filter(({ name }) => name === owner).map(({ data }) => data);
  if (found.length > 0) return { status: 'found', records: found, ...way };
  // Records of another name alone do not show that this name has no records.
  return wanted.length > 0
    ? { status: 'failed', error: 'MALFORMED' }
    : { status: 'nodata', ...way };
}

const textOf = (data: RecordData): string => (Array.isArray(data) ? data.join('') : '');

const isAt = (owner: string, type: number) => (record: Answered) =>
  record.type === type && record.name === owner;

function readRecords(message: Buffer, start: number, known: KnownNames): Answered[] {
  const records: Answered[] = [];
  for (const { name, type, from, length } of recordsIn(
    message,
    start,
    message.readUInt16BE(6),
    known,
  )) {
    const data = readData({ message, known }, type, from, length);
    if (data !== undefined) records.push({ name: name.toLowerCase(), type, data });
  }
  return records;
}

/** Yields the position of each record's data. */
function* recordsIn(message: Buffer, start: number, count: number, known: KnownNames) {
  let at = start;
  for (let i = 0; i < count; i += 1) {
    const { name, end } = decodeName(message, at, known);
    const type = message.readUInt16BE(end);
    const length = message.readUInt16BE(end + 8);
    const from = end + 10;
    at = from + length;
    if (at > message.length) throw new RangeError('record out of bounds');
    yield { name, type, from, length };
  }
}

/** Returns whether the server says in its OPT record that signatures are invalid. */
function saysBogus(message: Buffer, start: number): boolean {
  const count = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
  for (const { type, from, length } of recordsIn(message, start, count, new Map())) {
    if (type !== TYPE_OPT) continue;
    for (let at = from; at + 4 <= from + length; at += 4 + message.readUInt16BE(at + 2))
      if (message.readUInt16BE(at) === OPTION_EDE && isBogus(message.readUInt16BE(at + 4)))
        return true;
  }
  return false;
}

interface Read {
  readonly message: Buffer;
  readonly known: KnownNames;
}

function readData({ message, known }: Read, type: number, from: number, length: number) {
  switch (type) {
    case TYPES.A:
      return length === 4 ? message.subarray(from, from + 4).join('.') : undefined;
    case TYPES.AAAA:
      return length === 16 ? toIpv6(message.subarray(from, from + 16)) : undefined;
    case TYPES.NS:
    case TYPES.CNAME:
    case TYPES.PTR:
      return decodeName(message, from, known).name;
    case TYPES.MX:
      return {
        preference: message.readUInt16BE(from),
        exchange: decodeName(message, from + 2, known).name,
      };
    case TYPES.TLSA:
      return length < 3 ? undefined : toTlsa(message.subarray(from, from + length));
    case TYPES.TXT:
    case TYPES.SPF:
      return readStrings(message.subarray(from, from + length));
    default:
      return undefined;
  }
}

const toTlsa = (data: Buffer): TlsaRecord => ({
  usage: data.readUInt8(0),
  selector: data.readUInt8(1),
  matching: data.readUInt8(2),
  data: data.toString('hex', 3),
});

/** Reads bytes as UTF-8. They should be ASCII, but typographic quotes are a fault that has to be shown. */
function readStrings(data: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at < data.length; ) {
    const end = at + 1 + data.readUInt8(at);
    if (end > data.length) throw new RangeError('string out of bounds');
    strings.push(data.toString('utf8', at + 1, end));
    at = end;
  }
  return strings;
}

/** Writes the address as in RFC 5952 §4, using the URL parser. */
function toIpv6(octets: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => octets.readUInt16BE(2 * i).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
