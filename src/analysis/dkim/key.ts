/**
 * Reads the TXT record of a DKIM key, and lists its faults, each with a corrected record if one can be made.
 */

import type { DkimSignature } from '../../domain/report/authentication.ts';
import { parseTagList, tagListFault } from '../syntax/tag-list.ts';
import {
  BASE64,
  correctKeyRecord,
  cutOff,
  ED25519_OCTETS,
  joinedTag,
  rsaBits,
  toBareEd25519,
  wrapRsaKey,
} from './correct-key.ts';
import type { DkimFact } from './facts.ts';

type DkimKey = NonNullable<DkimSignature['key']>;
type KeyFault = DkimFact['keyFaults'][number];

/** Number of CNAMEs in a row above which a resolver may give up. The number is our own estimate. */
export const MANY_CNAMES = 3;

const TYPES = ['rsa', 'ed25519'];

/** Maximum number of words that are read from a list in the record. No genuine record has that many. */
const MAX_WORDS = 100;

const listOf = (value: string | undefined) =>
  (value ?? '')
    .split(':', MAX_WORDS)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');

/** A key record as published, with its faults, the worst first (RFC 6376 §3.6.1). */
export interface ReadKey {
  readonly key: DkimKey;
  /** All TXT records at the name of the key. */
  readonly texts: readonly string[];
  readonly faults: readonly KeyFault[];
  /**
   * True if the record follows the grammar. Verifiers must ignore any other record (RFC 6376 §6.1.2, step 5).
   */
  readonly wellFormed: boolean;
  /**
   * The record without `t=s`, which requires that the domain of `i=` equals `d=`. Null if the record does not
   * contain `t=s`.
   */
  readonly strict: { readonly corrected: string | null } | null;
}

export function readDkimKey(
  name: string,
  texts: readonly string[],
  cnames: readonly string[],
): ReadKey {
  const record = texts[0] ?? '';
  const tags = parseTagList(record);
  const data = (tags.get('p') ?? '').replace(/\s+/g, '');
  const type = (tags.get('k') ?? 'rsa').toLowerCase();
  const key: DkimKey = {
    type,
    bits: type === 'ed25519' ? ED25519_OCTETS * 8 : rsaBits(data),
    testing: listOf(tags.get('t')).includes('y'),
    revoked: tags.has('p') && data === '',
    hash: listOf(tags.get('h')),
    services: listOf(tags.get('s')),
    record,
    record_name: name,
    cname: [...cnames],
  };
  const broken = grammarFaults(record, tags, type);
  return {
    key,
    texts,
    faults: lint(key, tags, data, texts, broken),
    wellFormed: broken.length === 0 && (type !== 'ed25519' || fits(key, data)),
    strict: listOf(tags.get('t')).includes('s')
      ? { corrected: correctKeyRecord(record, 's') }
      : null,
  };
}

/** Returns the faults of the record's syntax, regardless of the key in it. */
function grammarFaults(record: string, tags: ReadonlyMap<string, string>, type: string): string[] {
  const list = tagListFault(record);
  const faults = [
    ...(list === null ? [] : [`the record has ${list}`]),
    ...(tags.has('v') && tags.get('v') !== 'DKIM1' ? ['v= is not DKIM1'] : []),
    ...(tags.has('p') ? [] : ['p= is missing']),
    ...(TYPES.includes(type) ? [] : [`k=${word(type)} is not a DKIM key type`]),
  ];
  const joined = joinedTag(record);
  // If a semicolon is missing, it causes all the other faults.
  return joined === undefined || faults.length === 0
    ? faults
    : [`a semicolon is missing after ${joined}`];
}

function lint(
  key: DkimKey,
  tags: ReadonlyMap<string, string>,
  data: string,
  texts: readonly string[],
  broken: readonly string[],
): KeyFault[] {
  const faults: KeyFault[] = [];
  const fault = (
    severity: KeyFault['severity'],
    what: string,
    replacement: string | null = null,
    fix?: KeyFault['fix'],
  ) => faults.push({ severity, what, corrected: replacement, ...(fix && { fix }) });
  let one: string | null | undefined;
  const corrected = () => {
    if (one === undefined) one = correctAmong(texts);
    return one;
  };

  const joined = joinParts(texts);
  const cut = joined === null ? cutOff(data) : null;
  // RFC 6376 §3.6.2.2 does not say which of several records verifiers use.
  if (joined !== null)
    fault('fail', `one key in ${texts.length} TXT records at the selector`, joined, 'joined');
  else if (texts.length > 1)
    fault('fail', `${texts.length} TXT records at the selector`, corrected());
  for (const what of broken) fault('fail', what, corrected());
  if (key.revoked) fault('fail', 'the key is revoked (p= is empty)');
  else if (tags.has('p') && !BASE64.test(data)) fault('fail', 'p= is not base64');
  else if (cut && !fits(key, data))
    fault(
      'fail',
      `p= is cut off: the key should have ${cut.said} bytes but has ${cut.there}`,
      null,
      'cut',
    );
  else if (key.type === 'rsa' && isEd25519(data) && !fits(key, data))
    fault('fail', 'p= is an Ed25519 key without k=ed25519', corrected());
  else if (tags.has('p') && TYPES.includes(key.type ?? '') && !fits(key, data))
    fault('fail', `p= is not a key of type ${key.type}`, corrected());
  if (key.hash.length > 0 && !key.hash.includes('sha256'))
    fault('fail', 'h= does not allow sha256', corrected());
  if (key.services.length > 0 && !key.services.some((one) => one === '*' || one === 'email'))
    fault('fail', 's= does not allow email', corrected());
  // `v=` MUST be the first tag (RFC 6376 §3.6.1). Otherwise some verifiers do not find the key.
  if (tags.has('v') && [...tags.keys()][0] !== 'v') fault('warn', 'v= is not first', corrected());
  if (key.cname.length > MANY_CNAMES) fault('warn', `${key.cname.length} CNAMEs lead to the key`);
  // RFC 6376 §3.6.1 names this form, but all signers publish a SubjectPublicKeyInfo, which OpenDKIM and
  // Mail::DKIM expect.
  if (key.type === 'rsa' && wrapRsaKey(data))
    fault('warn', 'p= is an RSAPublicKey without SubjectPublicKeyInfo', corrected());
  // An asterisk is the default value of `g=` and has no effect (RFC 4871 §3.6.1).
  if (![undefined, '*'].includes(tags.get('g'))) fault('warn', 'g= is obsolete', corrected());
  return faults;
}

/**
 * Returns the corrected copy of the only text that contains a key, or null if no text or more than one
 * contains a key.
 */
function correctAmong(texts: readonly string[]): string | null {
  const keys = texts.flatMap((text) => correctKeyRecord(text) ?? []);
  const [only, ...more] = new Set(keys);
  return only !== undefined && more.length === 0 ? only : null;
}

/**
 * Returns one corrected record if the two halves of a key were published as separate records, or null if the
 * texts are not such halves.
 */
function joinParts(texts: readonly string[]): string | null {
  const [one = '', other = '', ...more] = texts;
  // Only two halves are joined. A 4096-bit key, the longest in use, would need three strings, but no one is
  // known to publish three parts as records.
  if (other === '' || more.length > 0 || correctAmong(texts) !== null) return null;
  const halves = [one + other, other + one];
  return halves.map((text) => correctKeyRecord(text)).find((record) => record !== null) ?? null;
}

const octetsOf = (base64: string): number => Buffer.from(base64, 'base64').length;

const word = (text: string | null) => (text ?? '').slice(0, 20);

const isEd25519 = (data: string): boolean => toBareEd25519(data) !== null;

const fits = ({ type, bits }: DkimKey, data: string): boolean =>
  type === 'ed25519' ? octetsOf(data) === ED25519_OCTETS : bits !== null;
