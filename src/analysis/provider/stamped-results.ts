/**
 * Splits the beginning of an email into header fields, and reads the results in an `Authentication-Results`
 * field that a provider added.
 */

import type { Provider } from '../../domain/report/connection.ts';
import { withoutComments } from '../syntax/words.ts';

/** A header field at the beginning of an email. */
export interface LeadingField {
  /** Name of the field in lower case. */
  readonly name: string;
  /** Value of the field, unfolded and without surrounding space. Its characters are bytes (Latin-1). */
  readonly value: string;
  /** Offset at which the next field begins. */
  readonly end: number;
}

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const COLON = 0x3a;

// Matches printable ASCII except the colon (RFC 5322 §3.6.8).
const FIELD_NAME = /^[!-9;-~]+$/;

/**
 * Yields the header fields from the top, each with its position, up to a line that is not a field. If the
 * bytes end with a field, that field is left out, because it may continue.
 */
export function* leadingFields(bytes: Uint8Array): Generator<LeadingField, void, void> {
  for (let begin = 0; ; ) {
    const end = endOfField(bytes, begin);
    if (end === null) return;
    const field = toField(bytes.subarray(begin, end));
    if (!field) return;
    yield { ...field, end };
    begin = end;
  }
}

/** Returns where the last line of a field ends, or null if the end is beyond these bytes. */
function endOfField(bytes: Uint8Array, begin: number): number | null {
  for (let at = begin; ; ) {
    const newline = bytes.indexOf(LF, at);
    const next = bytes[newline + 1];
    if (newline === -1 || next === undefined) return null;
    at = newline + 1;
    if (next !== SPACE && next !== TAB) return at;
  }
}

function toField(bytes: Uint8Array): Omit<LeadingField, 'end'> | null {
  const first = bytes[0];
  const colon = bytes.indexOf(COLON);
  if (colon < 1 || first === LF || first === CR) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const name = text.slice(0, colon).toLowerCase();
  if (!FIELD_NAME.test(name)) return null;
  const value = text.slice(colon + 1).replace(/\r?\n/g, '');
  return { name, value: value.trim() };
}

/** The verdicts in an `Authentication-Results` field. */
export type StampedResults = Required<Pick<Provider, 'spf' | 'dkim' | 'dmarc' | 'arc'>>;

interface Verdict {
  readonly method: string;
  readonly result: string;
  /** Properties, keyed by `ptype.property` in lower case. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Maximum number of signatures that are kept, the same as for the email's own signatures. */
const MAX_SIGNATURES = 20;

/**
 * Returns the verdicts in an `Authentication-Results` field (RFC 8601 §2.2) from which the `authserv-id` was
 * removed. The verdicts contain only words, domains and selectors, so no local part gets through.
 */
export function readStampedResults(text: string): StampedResults {
  const verdicts = pieces(withoutComments(text)).flatMap((piece) => toVerdict(piece) ?? []);
  const of = (method: string) => verdicts.filter((one) => one.method === method);
  const [dmarc] = of('dmarc');
  const [arc] = of('arc');
  return {
    spf: toSpf(of('spf')),
    dkim: of('dkim')
      .filter(({ properties }) => properties.size > 0)
      .slice(0, MAX_SIGNATURES)
      .map(({ result, properties }) => ({
        result,
        domain: domainOf(properties.get('header.d')),
        selector: domainOf(properties.get('header.s')),
        b: /^[\w+/=]{1,64}$/.exec(properties.get('header.b') ?? '')?.[0] ?? null,
      })),
    dmarc: dmarc ? { result: dmarc.result, policy: policyOf(dmarc) } : null,
    arc: arc?.result ?? null,
  };
}

/**
 * Returns the SPF verdict. If there are two, the one for the envelope sender counts. The null sender has only
 * a verdict for the HELO name.
 */
function toSpf(all: readonly Verdict[]): StampedResults['spf'] {
  const mailFrom = all.find(({ properties }) => properties.has('smtp.mailfrom'));
  const helo = all.find(({ properties }) => properties.has('smtp.helo'));
  const main = mailFrom ?? helo;
  if (!main) return null;
  const identity = main.properties.get(mailFrom ? 'smtp.mailfrom' : 'smtp.helo') ?? '';
  return {
    result: main.result,
    domain: domainOf(identity.slice(identity.lastIndexOf('@') + 1)),
    helo_result: helo?.result ?? null,
  };
}

const policyOf = ({ properties }: Verdict): string | null =>
  wordOf(properties.get('policy.dmarc') ?? '');

const wordOf = (text: string): string | null =>
  /^[a-z]{1,16}$/i.test(text) ? text.toLowerCase() : null;

const domainOf = (text = ''): string | null =>
  /^[a-z0-9._-]{1,253}$/i.test(text) ? text.toLowerCase() : null;

/** Splits results at semicolons outside quotation marks. */
const pieces = (text: string): readonly string[] =>
  text.match(/(?:[^;"]|"(?:[^"\\]|\\.)*"|")+/g) ?? [];

/** Matches a property, whose value may be quoted, or be a mailbox with a quoted local part. */
const PROPERTY = /(?<![\w.-])([a-z]+\.[a-z0-9_-]+)\s*=\s*((?:"(?:[^"\\]|\\.)*"|[^\s;"])+)/gi;

function toVerdict(piece: string): Verdict | null {
  const match = /^\s*([a-z]{1,16})\s*(?:\/\s*1\s*)?=\s*([a-z]{1,16})(?=\s|$)/i.exec(piece);
  if (!match) return null;
  const [head, method = '', result = ''] = match;
  const properties = new Map<string, string>();
  for (const [, name = '', value = ''] of piece.slice(head.length).matchAll(PROPERTY)) {
    const key = name.toLowerCase();
    if (!properties.has(key)) properties.set(key, value.replace(/^"([^"]*)"$/, '$1'));
  }
  return { method: method.toLowerCase(), result: result.toLowerCase(), properties };
}
