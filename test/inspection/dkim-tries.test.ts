/** Tests how the cause of a failed DKIM signature is found. */

import { createHash, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DkimFact } from '../../src/analysis/dkim/facts.ts';
import type { DkimReason } from '../../src/domain/report/authentication.ts';
import { findCauses } from '../../src/inspection/dkim-tries.ts';
import type { DnsAnswer, Resolver } from '../../src/ports/dns.ts';
import type { SignedHeaders } from '../../src/ports/reading.ts';
import { keyRecord, keys, recordOf } from '../analysis/whole/keys.ts';
import { facts } from '../support/mail/facts.ts';

const KEY = 's1._domainkey.example.com';

/** Returns a signature over these fields, canonicalized, as the verifier read it. */
function signed(
  fields: readonly string[],
  key: KeyObject = keys.rsa2048.key,
  without: readonly number[] = [],
): SignedHeaders {
  const own = 'dkim-signature:v=1; d=example.com; s=s1; b=';
  const text = (all: readonly string[]) => [...all, own].join('\r\n');
  const made = Buffer.from(text(fields.filter((_, at) => !without.includes(at))), 'latin1');
  const isRsa = key.asymmetricKeyType === 'rsa';
  const data = isRsa ? made : createHash('sha256').update(made).digest();
  return {
    names: fields.map((field) => field.split(':', 1)[0] ?? ''),
    text: text(fields),
    signature: sign(isRsa ? 'sha256' : null, data, key).toString('base64'),
  };
}

const FIELDS = ['from:a@example.com', 'subject:hello', 'date:today', 'message-id:<1@example.com>'];

function failed(reason: DkimReason, changes: Partial<DkimFact['report']> = {}): DkimFact {
  const all = facts({
    dkim: { value: { signatures: [{ report: { result: 'fail', reason } }] } },
  } as never);
  const [one] = all.dkim.status === 'known' ? all.dkim.value.signatures : [];
  if (!one) throw new Error('no signature');
  const { domain = 'example.com', selector = 's1', ...rest } = changes;
  const report = { ...one.report, domain, selector, reason, result: 'fail' as const, ...rest };
  return { ...one, ofFromDomain: true, report };
}

/** Returns a resolver that counts the queries. Names that are not given do not exist. */
function zone(texts: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const txt = async (name: string): Promise<DnsAnswer<readonly string[]>> => {
    asked.push(name);
    const records = texts[name]?.map((text) => [text]);
    return records ? { status: 'found', records, cnames: [] } : { status: 'nxdomain', cnames: [] };
  };
  return { asked, resolver: { txt } as unknown as Resolver };
}

async function causeOf(
  fact: DkimFact,
  texts: Parameters<typeof zone>[0],
  of: SignedHeaders | undefined = signed(FIELDS),
) {
  const found = await findCauses(zone(texts).resolver, [{ fact, signed: of }]);
  return found.get(fact);
}

const OLD = recordOf(keys.rsa1024.key);

test.each([
  [[OLD, keyRecord], keyRecord],
  [[keyRecord, OLD], keyRecord],
  [[OLD, recordOf(keys.ed25519.key), keyRecord], keyRecord],
  [[OLD, `"${keyRecord}"`], `"${keyRecord}"`],
  [[OLD, recordOf(keys.rsa512.key)], undefined],
])('among the keys at one selector, the one that verifies is found (%#)', async (texts, record) => {
  const { tried } = (await causeOf(failed('bad_signature'), { [KEY]: texts })) ?? {};
  expect(tried?.key?.record).toBe(record);
});

test('an Ed25519 signature is tried with Ed25519 keys', async () => {
  const record = recordOf(keys.ed25519.key);
  const of = signed(FIELDS, keys.ed25519.key);
  const found = await causeOf(failed('bad_signature'), { [KEY]: [keyRecord, record] }, of);
  expect(found?.tried?.key).toEqual({ name: KEY, record });
});

test.each([
  ['mail.example.com', 's1', 's1._domainkey.example.com'],
  ['example.com', 's1', 's1._domainkey.example.com.example.com'],
  ['a.b.example.com', 's1', 's1._domainkey.a.b.example.com.example.com'],
  ['example.com', 's1', 's1.example.com'],
  ['example.com', 's1', 's1.domainkey.example.com'],
  ['example.com', 's1._domainkey', 's1._domainkey.example.com'],
  ['example.com', 's1._domainkey.example.com', 's1._domainkey.example.com'],
])('a key of d=%s s=%s is found at %s', async (domain, selector, name) => {
  const fact = failed('no_key', { domain, selector });
  expect((await causeOf(fact, { [name]: [keyRecord] }))?.elsewhere?.name).toBe(name);
});

test.each(['key.esp.example', '"key.esp.example."'])(
  'a name as a text leads to the key: %s',
  async (asText) => {
    const found = await causeOf(failed('key_invalid'), {
      [KEY]: [asText],
      'key.esp.example': [keyRecord],
    });
    expect(found?.elsewhere).toEqual({ name: 'key.esp.example', record: keyRecord, asText });
  },
);

test('a key at another name that does not verify the signature is not its key', async () => {
  const found = await causeOf(failed('no_key'), { [`${KEY}.example.com`]: [OLD] });
  expect(found).toEqual({ tried: { key: null, addedHeader: null } });
});

test('without the signed content, no key is shown to belong to the signature', async () => {
  const parent = 's1._domainkey.example.com';
  const fact = failed('key_invalid', { domain: 'news.example.com' });
  const found = await findCauses(zone({ [parent]: [keyRecord] }).resolver, [{ fact }]);
  expect(found.get(fact)).toEqual({ tried: { key: null, addedHeader: null } });
});

test.each([
  ['message-id', FIELDS, [3]],
  ['date', FIELDS, [2]],
  ['cc', [...FIELDS, 'cc:b@example.com'], [4]],
  ['from', ['from:a@example.com', 'from:b@example.net', ...FIELDS.slice(1)], [1]],
  ['other', [...FIELDS, 'x-made-up:1'], [4]],
  [null, FIELDS, [2, 3]],
  [null, FIELDS, [0]],
])('the header %s was added after signing', async (name, fields, without) => {
  const of = signed(fields, keys.rsa2048.key, without);
  const found = await causeOf(failed('bad_signature'), { [KEY]: [keyRecord] }, of);
  expect(found?.tried).toEqual({ key: null, addedHeader: name, maker: keyRecord });
});

const { rsa2048, rsa1024, ed25519 } = keys;

test.each([
  ['the published key', rsa2048.key, [keyRecord], keyRecord],
  ['one of several keys', rsa2048.key, [OLD, recordOf(ed25519.key), keyRecord], keyRecord],
  ['another RSA key', rsa1024.key, [keyRecord], null],
  ['an RSA key, not Ed25519', rsa1024.key, [recordOf(ed25519.key)], null],
  ['an Ed25519 key, not RSA', ed25519.key, [keyRecord], null],
  ['perhaps the published Ed25519 key', ed25519.key, [recordOf(ed25519.key)], undefined],
  ['a key that is not published', rsa2048.key, ['v=DKIM1; p='], undefined],
])('a signature over other headers was made with %s', async (_, key, texts, maker) => {
  const { signature } = signed(['from:b@example.com', 'subject:no'], key);
  const of = { ...signed(FIELDS), signature };
  const found = await causeOf(failed('bad_signature'), { [KEY]: texts }, of);
  expect(found?.tried?.maker).toBe(maker);
});

test.each([
  [{ what: 'subject_tag' }, 'subject:hello', 'subject:[EXTERNAL] hello'],
  [{ what: 'subject_tag' }, 'subject:Re: hello', 'subject:Re: [list] hello'],
  [{ what: 'subject_tag' }, 'subject:hello', 'subject:***SPAM*** hello'],
  [{ what: 'rewritten', header: 'to' }, 'to:b@example.net', 'to:<b@example.net>'],
  [{ what: 'rewritten', header: 'to' }, 'to:<b@example.net>', 'to:b@example.net'],
  [
    { what: 'rewritten', header: 'content-transfer-encoding' },
    'content-transfer-encoding:8bit',
    'content-transfer-encoding:7bit',
  ],
  [undefined, 'subject:hello', 'subject:goodbye'],
  [undefined, 'subject:Subject [a] hello', 'subject:Subject [b] hello'],
])('the change of a signed header is found: %j', async (changed, before, after) => {
  const { signature } = signed([...FIELDS, before]);
  const of = { ...signed([...FIELDS, after]), signature };
  const found = await causeOf(failed('bad_signature'), { [KEY]: [keyRecord] }, of);
  expect(found?.changed).toEqual(changed);
});

test.each([
  ['simple/simple', { what: 'header_spaces' }],
  ['simple', { what: 'header_spaces' }],
  ['relaxed/relaxed', undefined],
])('white space in the header breaks %s', async (canonicalization, changed) => {
  const { signature } = signed([...FIELDS, 'Subject: a b']);
  const of = { ...signed([...FIELDS, 'Subject:  a\r\n b ']), signature };
  const fact = failed('bad_signature', { canonicalization });
  const found = await causeOf(fact, { [KEY]: [keyRecord] }, of);
  expect(found?.changed).toEqual(changed);
});

test('an email with many keys and headers gets eight tries, for two of ten signatures', async () => {
  const fields = Array.from({ length: 40 }, (_, i) => `x-${i}:1`);
  const of = { ...signed(fields), signature: signed(FIELDS).signature };
  let tries = 0;
  const counting = new Proxy(of, {
    get: (target, name) => {
      if (name === 'signature') tries += 1;
      return Reflect.get(target, name);
    },
  });
  const { asked, resolver } = zone({
    [KEY]: [keyRecord, keyRecord.replace('k=rsa', 'k=rsa; n=1')],
  });
  const all = Array.from({ length: 10 }, () => ({
    fact: failed('bad_signature'),
    signed: counting,
  }));
  await findCauses(resolver, all);
  expect(tries).toBe(8);
  expect(new Set(asked).size).toBeLessThanOrEqual(6);
  expect(asked.length).toBeLessThanOrEqual(12);
});

test.each(['body_hash_mismatch', 'expired', 'key_too_short', 'malformed', 'dns'] as const)(
  'nothing is tried for a signature that failed because of %s',
  async (reason) => {
    const { asked, resolver } = zone({ [KEY]: [keyRecord] });
    const found = await findCauses(resolver, [{ fact: failed(reason), signed: signed(FIELDS) }]);
    expect([found.size, asked]).toEqual([0, []]);
  },
);
