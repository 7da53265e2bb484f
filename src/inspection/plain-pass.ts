import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { BASE64 } from '../analysis/dkim/correct-key.ts';
import { parseTagList, tagListFault } from '../analysis/syntax/tag-list.ts';
import { setNewest } from '../domain/set-newest.ts';
import type { Resolver } from '../ports/dns.ts';
import type { MailJob, PassPlainly } from '../ports/reading.ts';
import { canonicalBody, canonicalField, withoutSignature } from './canonical.ts';
import { type PlainField, type PlainMail, readPlainMail } from './plain-mail.ts';

/** RFC 8301 §3.2: verifiers must not accept less, in bits. */
const MIN_RSA_BITS = 1024;

/** Keys kept, the latest: those of large senders come again and again. */
const MAX_KEYS = 500;

type Header = MailJob['signatures'][number]['header'];
type Key = { readonly object: KeyObject; readonly bits: number };

const keys = new Map<string, Key | null>();

/** Kept apart from the library's way, which it must never contradict. */
export const passPlainly: PassPlainly = async (own, headers, at, ask) => {
  const now = Math.floor(Date.parse(at) / 1000);
  if (headers.length === 0 || !headers.every((header) => isPlain(header, now))) return null;
  const mail = readPlainMail(own);
  if (mail === null) return null;
  const fields = mail.fields.filter(({ name }) => name === 'dkim-signature');
  const bodies = new Map<string, string | null>();
  const passed: number[] = [];
  for (const header of headers) {
    const field = fields[header.index];
    const key = field ? await findKey(header, ask) : null;
    if (!field || !key || !passes(mail, { header, field, key, bodies })) return null;
    passed.push(key.bits);
  }
  return passed;
};

function isPlain(header: Header, now: number): boolean {
  const { domain, selector, identityDomain, expires, timestamp } = header;
  return (
    header.fault === null &&
    domain !== null &&
    selector !== null &&
    (identityDomain === domain || identityDomain?.endsWith(`.${domain}`) === true) &&
    (header.algorithm === 'rsa-sha256' || header.algorithm === 'ed25519-sha256') &&
    header.bodyLength === null &&
    (expires === null || (expires >= now && (timestamp === null || expires > timestamp)))
  );
}

/** Its key, where the record is as RFC 6376 §3.6.1 has it and allows this use. */
async function findKey(
  { domain, selector, algorithm }: Header,
  ask: Resolver['ask'],
): Promise<Key | null> {
  const answer = await ask(`${selector}._domainkey.${domain}`, 'TXT');
  if (answer.status !== 'found' || answer.records.length !== 1) return null;
  const record = (answer.records[0] as readonly string[]).join('');
  const type = algorithm === 'ed25519-sha256' ? 'ed25519' : 'rsa';
  const name = `${type} ${record}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = readKey(record, type);
  setNewest(keys, name, key, MAX_KEYS);
  return key;
}

function readKey(record: string, type: 'rsa' | 'ed25519'): Key | null {
  const tags = parseTagList(record);
  const allows = (tag: string, words: readonly string[]) => {
    const list = tags.get(tag);
    return list === undefined || list.split(':').some((word) => words.includes(word.trim()));
  };
  const data = (tags.get('p') ?? '').replace(/\s+/g, '');
  const isRight =
    tagListFault(record) === null &&
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (tags.get('k') ?? 'rsa') === type &&
    BASE64.test(data) &&
    allows('h', ['sha256']) &&
    allows('s', ['email', '*']);
  return isRight ? importKey(data, type) : null;
}

/** What stands before the key in a SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const ED25519_OCTETS = 32;

function importKey(base64: string, type: 'rsa' | 'ed25519'): Key | null {
  const data = Buffer.from(base64, 'base64');
  if (type === 'ed25519' && data.length !== ED25519_OCTETS) return null;
  const der = type === 'ed25519' ? Buffer.concat([ED25519_SPKI, data]) : data;
  try {
    const object = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const bits = object.asymmetricKeyDetails?.modulusLength ?? 0;
    const isRight = object.asymmetricKeyType === type && (type !== 'rsa' || bits >= MIN_RSA_BITS);
    return isRight ? { object, bits } : null;
  } catch {
    return null;
  }
}

interface Signed {
  readonly header: Header;
  readonly field: PlainField;
  readonly key: Key;
  /** Hashes of the body that were made already, by canonicalization. */
  readonly bodies: Map<string, string | null>;
}

function passes({ fields, body }: PlainMail, { header, field, key, bodies }: Signed): boolean {
  const [ofHeader = '', ofBody = 'simple'] = header.canonicalization.split('/');
  if (!bodies.has(ofBody)) {
    const canonical = canonicalBody(body, ofBody);
    bodies.set(ofBody, canonical && hash('sha256', canonical, 'base64'));
  }
  const tags = parseTagList(field.raw.slice(field.raw.indexOf(':') + 1).replaceAll('\r\n', ''));
  const octetsOf = (tag: string) => (tags.get(tag) ?? '').replace(/\s+/g, '');
  // Names that only look alike belong to others: the library is asked what it reads.
  const isAs = (tag: string, name: string | null) => tags.get(tag)?.toLowerCase() === name;
  if (!isAs('d', header.domain) || !isAs('s', header.selector)) return false;
  const bodyHash = bodies.get(ofBody);
  if (!bodyHash || octetsOf('bh') !== bodyHash || !BASE64.test(octetsOf('b'))) return false;

  const left = fields.slice();
  const lines: string[] = [];
  // RFC 6376 §5.4.2: of several fields with one name the lowest comes first.
  for (const listed of (tags.get('h') ?? '').split(':')) {
    const name = listed.trim().toLowerCase();
    const found = left.findLastIndex((one) => one.name === name);
    if (found >= 0) lines.push(`${canonicalField(left[found] as PlainField, ofHeader)}\r\n`);
    if (found >= 0) left.splice(found, 1);
  }
  lines.push(withoutSignature(canonicalField(field, ofHeader)));
  const data = Buffer.from(lines.join(''), 'latin1');
  const signature = Buffer.from(octetsOf('b'), 'base64');
  // RFC 8463 §3: Ed25519 signs the hash.
  return header.algorithm === 'rsa-sha256'
    ? verify('sha256', data, key.object, signature)
    : verify(null, hash('sha256', data, 'buffer'), key.object, signature);
}
