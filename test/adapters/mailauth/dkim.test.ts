/** Tests the verification of DKIM signatures. */

import { expect, test } from 'vitest';
import type { Zone } from '../../environment/dns-zone.ts';
import { verifyRaw } from '../../lab/conformance/verify-raw.ts';
import { askZone } from '../../lab/conformance/zone-resolver.ts';
import {
  type KeyPair,
  type Mail,
  makeEd25519Key,
  makeRsaKey,
  signDkim,
  type Tags,
  toBytes,
} from '../../support/mail/dkim-arc-signer.ts';

const rsa = makeRsaKey();
const short = makeRsaKey(512);
const edwards = makeEd25519Key();

const mail: Mail = {
  fields: ['From: a@example.com', 'To: b@example.net', 'Subject: Hello  there'],
  body: 'Hello, environment.\r\nMore of it.\r\n',
};

const KEY = 'k._domainkey.example.com';
const zoneOf = (record: string): Zone => ({ [KEY]: { TXT: [record] } });
const good = zoneOf(`v=DKIM1; k=rsa; p=${rsa.p}`);

const verify = (signed: Mail, zone: Zone) => verifyRaw(toBytes(signed), askZone(zone));

async function verdictOf(signed: Mail, zone: Zone = good): Promise<string> {
  const { signatures } = await verify(signed, zone);
  return signatures.map(({ result, reason }) => (reason ? `${result} ${reason}` : result)).join();
}

test.each<[name: string, tags: Tags, verdict: string]>([
  ['nothing special', {}, 'pass'],
  ['i= below d=', { i: '@mail.example.com' }, 'pass'],
  ['i= elsewhere', { i: '@example.net' }, 'permerror identity_not_under_domain'],
  ['i= of a name that ends alike', { i: '@badexample.com' }, 'permerror identity_not_under_domain'],
  ['x= ahead', { x: '1900000000' }, 'pass'],
  ['x= behind', { t: '1000000000', x: '1100000000' }, 'fail expired'],
  ['x= before t=', { t: '1900000001', x: '1900000000' }, 'permerror malformed'],
  ['a tag nobody knows', { zz: 'top' }, 'pass'],
  ['q= by DNS', { q: 'dns/txt' }, 'pass'],
  ['a hash nobody knows', { a: 'rsa-md5' }, 'permerror malformed'],
  ['SHA-1', { a: 'rsa-sha1' }, 'policy weak_algorithm'],
  ['a canonicalization nobody knows', { c: 'future' }, 'permerror malformed'],
  ['a canonicalization of the body alone', { c: '/relaxed' }, 'permerror malformed'],
  ['i= of its own domain, encoded', { i: 'a=20b@example.com' }, 'pass'],
  ['i= with its @ encoded', { i: 'a=40mail=2Eexample.com' }, 'pass'],
  ['i= without @', { i: 'example.com' }, 'permerror identity_not_under_domain'],
  ['an empty i=', { i: '' }, 'permerror identity_not_under_domain'],
  ['no v=', { v: null }, 'permerror malformed'],
  ['another version', { v: '2' }, 'permerror malformed'],
  ['no h=', { h: null }, 'permerror malformed'],
  ['no bh=', { bh: null }, 'permerror malformed'],
  ['q= by something else', { q: 'http' }, 'permerror malformed'],
  ['q= by something else or DNS', { q: 'x/y:dns/txt' }, 'pass'],
  ['t= in words', { t: 'today' }, 'permerror malformed'],
  ['x= in words', { x: 'never' }, 'permerror malformed'],
  ['l= in words', { l: 'all' }, 'permerror malformed'],
  ['an empty name in h=', { h: 'from::to:' }, 'pass'],
  ['a half canonicalization', { c: 'relaxed/' }, 'permerror malformed'],
  ['tag names in capitals', { s: null, S: 'k' }, 'permerror malformed'],
  ['an invalid tag name', { '1x': 'y' }, 'permerror malformed'],
  ['no d=', { d: null }, 'permerror malformed'],
  ['no s=', { s: null }, 'permerror malformed'],
  ['From not signed', { h: 'to:subject' }, 'permerror malformed'],
  ['d= in capitals', { d: 'EXAMPLE.com' }, 'pass'],
  ['names signed that are not there', { h: 'from:from:x-none:subject' }, 'pass'],
])('a signature with %s', async (_, tags, verdict) => {
  expect(await verdictOf(signDkim(mail, rsa, tags))).toBe(verdict);
});

test.each<[name: string, record: string, verdict: string]>([
  ['no v=', `k=rsa; p=${rsa.p}`, 'pass'],
  ['no k=', `v=DKIM1; p=${rsa.p}`, 'pass'],
  ['a note', `v=DKIM1; n=x; p=${rsa.p}`, 'pass'],
  ['spaces in p=', `v=DKIM1; p=${rsa.p.replace(/.{60}/g, '$& ')}`, 'pass'],
  ['another version', `v=DKIM2; p=${rsa.p}`, 'permerror key_invalid'],
  ['a type nobody knows', `v=DKIM1; k=dsa; p=${rsa.p}`, 'permerror key_invalid'],
  ['a key of another type', `v=DKIM1; k=ed25519; p=${edwards.p}`, 'permerror key_invalid'],
  ['a revoked key', 'v=DKIM1; p=', 'permerror key_revoked'],
  ['a revoked key and more', 'v=DKIM1; p= ; t=y', 'permerror key_revoked'],
  ['no p=', 'v=DKIM1; k=rsa', 'permerror key_invalid'],
  ['p= of rubbish', 'v=DKIM1; p=AAAA', 'permerror key_invalid'],
  ['s= for mail', `v=DKIM1; s=email; p=${rsa.p}`, 'pass'],
  ['s= for all', `v=DKIM1; s=*; p=${rsa.p}`, 'pass'],
  ['s= for others', `v=DKIM1; s=other; p=${rsa.p}`, 'permerror key_invalid'],
  ['h= with the hash', `v=DKIM1; h=sha1:sha256; p=${rsa.p}`, 'pass'],
  ['h= without the hash', `v=DKIM1; h=sha1; p=${rsa.p}`, 'permerror key_invalid'],
  ['t=y', `v=DKIM1; t=y; p=${rsa.p}`, 'pass'],
  ['t=s', `v=DKIM1; t=s; p=${rsa.p}`, 'pass'],
  // The tag g= was for DomainKeys, and RFC 6376 §C.2 removed it.
  ['g= for somebody else', `v=DKIM1; g=x; p=${rsa.p}`, 'pass'],
  ['someone else’s key', `v=DKIM1; p=${makeRsaKey().p}`, 'fail bad_signature'],
  ['another text', 'hello', 'permerror key_invalid'],
])('a key with %s', async (_, record, verdict) => {
  expect(await verdictOf(signDkim(mail, rsa), zoneOf(record))).toBe(verdict);
});

test.each<[name: string, zone: Zone, verdict: string]>([
  ['NXDOMAIN', {}, 'permerror no_key'],
  ['no TXT', { [KEY]: { A: ['192.0.2.1'] } }, 'permerror no_key'],
  ['SERVFAIL', { [KEY]: 'SERVFAIL' }, 'temperror dns'],
  ['a time-out', { [KEY]: 'TIMEOUT' }, 'temperror dns'],
  [
    'a CNAME',
    {
      [KEY]: { CNAME: 'k.esp.example' },
      'k.esp.example': { TXT: [`v=DKIM1; p=${rsa.p}`] },
    },
    'pass',
  ],
  ['a CNAME loop', { [KEY]: { CNAME: KEY } }, 'temperror dns'],
  ['a record in pieces', { [KEY]: { TXT: [['v=DKIM1; p=', rsa.p]] } }, 'pass'],
])('a key with %s before it', async (_, zone, verdict) => {
  expect(await verdictOf(signDkim(mail, rsa), zone)).toBe(verdict);
});

test.each<[name: string, change: (signed: Mail) => Mail, verdict: string]>([
  ['a folded subject', replace('Hello  there', 'Hello\r\n there'), 'pass'],
  ['another subject', replace('there', 'you'), 'fail bad_signature'],
  ['a space more at the end of a line', body('environment.', 'environment. '), 'pass'],
  [
    'blank lines more at the end',
    ({ ...one }) => ({ ...one, body: `${one.body}\r\n\r\n` }),
    'pass',
  ],
  ['another word', body('environment', 'moon'), 'fail body_hash_mismatch'],
  [
    'a second From on top',
    (one) => ({ ...one, fields: ['From: x@evil.example', ...one.fields] }),
    'pass',
  ],
  ['no body', (one) => ({ ...one, body: '' }), 'fail body_hash_mismatch'],
])('an email that got %s', async (_, change, verdict) => {
  expect(await verdictOf(change(signDkim(mail, rsa)))).toBe(verdict);
});

test('a From field cannot be added if From is signed once more than it occurs', async () => {
  const signed = signDkim(mail, rsa, { h: 'from:from:to:subject' });
  const forged = { ...signed, fields: ['From: x@evil.example', ...signed.fields] };
  expect(await verdictOf(forged)).toBe('fail bad_signature');
});

test('text beyond l= is counted', async () => {
  const signed = signDkim(mail, rsa, { l: '13' });
  const { signatures } = await verify(signed, good);
  expect(signatures[0]).toMatchObject({ result: 'pass' });
  const longer = { ...signed, body: `${signed.body}${'x'.repeat(100)}\r\n` };
  const tail = (await verify(longer, good)).signatures[0]?.unsignedTailBytes ?? 0;
  expect(tail - (signatures[0]?.unsignedTailBytes ?? 0)).toBe(102);
});

test.each<[name: string, key: KeyPair, bits: number | null, verdict: string]>([
  ['1024 bits', rsa, 1024, 'pass'],
  ['512 bits', short, null, 'policy key_too_short'],
  ['Ed25519', edwards, null, 'pass'],
])('a key of %s', async (_, key, bits, verdict) => {
  const zone = zoneOf(`v=DKIM1; k=${key.algorithm}; p=${key.p}`);
  const signed = signDkim(mail, key);
  expect(await verdictOf(signed, zone)).toBe(verdict);
  const { signatures } = await verify(signed, zone);
  if (bits !== null) expect(signatures[0]?.keyBits).toBe(bits);
});

test('each of several signatures has its own verdict, in the order of the email', async () => {
  const zone: Zone = {
    ...good,
    'k._domainkey.esp.example': { TXT: [`v=DKIM1; k=ed25519; p=${edwards.p}`] },
  };
  const twice = signDkim(signDkim(mail, rsa), edwards, { d: 'esp.example' });
  const thrice = signDkim(twice, rsa, { c: 'future' });
  expect(await verdictOf(thrice, zone)).toBe('permerror malformed,pass,pass');
});

test.each(['future', 'relaxed/future', 'rel axed', '!'])(
  'the c=%s of a forged field does not borrow the verdict of a correct one',
  async (c) => {
    const signed = signDkim(mail, rsa, { c: null });
    const [right = ''] = signDkim(mail, rsa).fields;
    const forged = right.replace('c=relaxed/relaxed', `c=${c}`);
    const both = { ...mail, fields: [forged, right, ...mail.fields] };
    expect(await verdictOf(both)).toBe('permerror malformed,pass');
    expect(await verdictOf({ ...signed, fields: [forged, ...signed.fields] })).toMatch(
      /^permerror malformed,/,
    );
  },
);

test('11 signatures lead to 10 verdicts, the From domain first', async () => {
  let many = mail;
  for (let n = 0; n < 11; n += 1)
    many = signDkim(many, rsa, { d: n === 0 ? 'example.com' : 'x.example' });
  const verdicts = (await verdictOf(many)).split(',');
  expect(verdicts).toHaveLength(11);
  expect(verdicts.at(-1)).toBe('pass');
  expect(verdicts.filter((one) => one === 'policy not_evaluated')).toHaveLength(1);
});

test('two of three lengths are hashed', async () => {
  let many = mail;
  for (const l of ['5', '6', '7', '5']) many = signDkim(many, rsa, { l });
  expect(await verdictOf(many)).toBe('pass,pass,policy not_evaluated,pass');
});

test.each(['c=future', 'C=future', 'd=', 's=', 'a=rsa-md5', 'D='])(
  'a second %s makes a forged field unreadable, and borrows nothing',
  async (tag) => {
    const [right = ''] = signDkim(mail, rsa).fields;
    const forged = right.replace('; b=', `; ${tag}; b=`);
    const both = { ...mail, fields: [forged, right, ...mail.fields] };
    expect(await verdictOf(both)).toBe('permerror malformed,pass');
  },
);

test('a signature of two domains passes for neither of them', async () => {
  const zone: Zone = {
    'k._domainkey.example.com': { TXT: ['v=DKIM1; p='] },
    'k._domainkey.evil.example': { TXT: [`v=DKIM1; p=${rsa.p}`] },
  };
  const forged = signDkim(mail, rsa, { d: 'example.com; d=evil.example' });
  expect(await verdictOf(forged, zone)).toBe('permerror malformed');
  const turned = signDkim(mail, rsa, { d: 'evil.example; D=example.com' });
  expect(await verdictOf(turned, zone)).toBe('permerror malformed');
});

test.each(['\x0b', '\xa0', '\x0c', '\r'])('%j turns a name into another one', async (end) => {
  const [right = ''] = signDkim(mail, rsa).fields;
  const forged = right.replace(':', `${end}:`);
  const bytes = Buffer.from([forged, right, ...mail.fields, '', mail.body].join('\r\n'), 'latin1');
  const { signatures } = await verifyRaw(bytes, askZone(good));
  expect(signatures).toMatchObject([{ result: 'pass' }]);
});

// If a tag appears twice, the library reads the last one.
test.each(['/', '//', 'relaxed/relaxed; c=/'])(
  'a c=%s that crashes the library leaves the other signatures their verdicts',
  async (c) => {
    const both = signDkim(signDkim(mail, rsa), rsa, { c });
    expect(await verdictOf(both)).toBe('permerror malformed,pass');
  },
);

test('an unsigned email has no verdict', async () => {
  expect((await verify(mail, good)).signatures).toEqual([]);
});

test('an email that is only a header block is verified', async () => {
  const signed = signDkim({ ...mail, body: '' }, rsa);
  expect(await verdictOf(signed)).toBe('pass');
  const cut = toBytes(signed).subarray(0, -2);
  const { signatures } = await verifyRaw(cut, askZone(good));
  expect(signatures[0]?.result).toBe('pass');
});

test('verification leaves the bytes unchanged', async () => {
  const bytes = toBytes(signDkim(mail, rsa));
  const before = Buffer.from(bytes).toString('latin1');
  await verifyRaw(bytes, askZone(good));
  expect(bytes.toString('latin1')).toBe(before);
});

function replace(from: string, to: string) {
  return (one: Mail): Mail => ({
    ...one,
    fields: one.fields.map((field) => (field.startsWith('DKIM') ? field : field.replace(from, to))),
  });
}

function body(from: string, to: string) {
  return (one: Mail): Mail => ({ ...one, body: one.body.replace(from, to) });
}

// In internationalized email, names in a signature may be U-labels (RFC 8616 §5).
const idn: Zone = {
  'xn--schlssel-95a._domainkey.xn--kse-qla.example': { TXT: [`v=DKIM1; k=rsa; p=${rsa.p}`] },
};

test.each<[name: string, tags: Tags, verdict: string]>([
  ['U-labels', { d: 'käse.example', s: 'schlüssel' }, 'pass'],
  ['U-labels, in capitals', { d: 'KÄSE.example', s: 'Schlüssel' }, 'pass'],
  ['a U-label and an A-label', { d: 'käse.example', s: 'xn--schlssel-95a' }, 'pass'],
  ['U-labels in i=', { d: 'käse.example', s: 'schlüssel', i: '@neu.käse.example' }, 'pass'],
  ['i= encoded', { d: 'käse.example', s: 'schlüssel', i: '@k=C3=A4se.example' }, 'pass'],
  [
    'i= elsewhere',
    { d: 'käse.example', s: 'schlüssel', i: '@kase.example' },
    'permerror identity_not_under_domain',
  ],
])('%s: %s', async (_, tags, verdict) => {
  expect(await verdictOf(signDkim(mail, rsa, tags), idn)).toBe(verdict);
});

// The library asks for the key under one name, and readers of the header see the other.
test.each([
  ['\ufb00.example', 'xn--im6c.example', 'ff.example'],
  ['\uff56ictim.example', 'xn--ictim-xs33a.example', 'victim.example'],
])('a key of a name that looks like another verifies neither: %s', async (d, asked, read) => {
  for (const owner of [asked, read]) {
    const zone: Zone = { [`k._domainkey.${owner}`]: { TXT: [`v=DKIM1; k=rsa; p=${rsa.p}`] } };
    expect(await verdictOf(signDkim(mail, rsa, { d }), zone)).toBe('permerror malformed');
  }
});
