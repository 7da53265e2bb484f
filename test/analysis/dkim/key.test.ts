/** Tests the parsing of DKIM key records, and how their faults are corrected. */

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { correctKeyRecord, rsaBits, wrapRsaKey } from '../../../src/analysis/dkim/correct-key.ts';
import { readDkimKey } from '../../../src/analysis/dkim/key.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';

const NAME = 's1._domainkey.example.com';

const rsa = (modulusLength: number, type: 'spki' | 'pkcs1' = 'spki') =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ type, format: 'der' })
    .toString('base64');
const key = rsa(1024);
const structure = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
const wrapped = structure.toString('base64');
const ed25519 = structure.subarray(-32).toString('base64');

const read = (record: string, more: string[] = [], cnames: string[] = []) =>
  readDkimKey(NAME, [record, ...more], cnames);

test.each([
  ['spki' as const, 1024],
  ['spki' as const, 1536],
  ['pkcs1' as const, 1024],
])('bits of a key as %s', (type, bits) => {
  expect(rsaBits(rsa(bits, type))).toBe(bits);
});

test.each([512, 1024, 2048, 4096])(
  'a bare RSA key of %i bits is wrapped in the usual form',
  (bits) => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    const as = (type: 'spki' | 'pkcs1') =>
      publicKey.export({ type, format: 'der' }).toString('base64');
    expect(wrapRsaKey(as('pkcs1'))).toBe(as('spki'));
    expect(read(`v=DKIM1; k=rsa; p=${as('pkcs1')}`).faults).toEqual([
      {
        severity: 'warn',
        what: 'p= is an RSAPublicKey without SubjectPublicKeyInfo',
        corrected: `v=DKIM1; k=rsa; p=${as('spki')}`,
      },
    ]);
  },
);

test.each([key, ed25519, wrapped, 'AAAA', ''])('%j is not wrapped', (text) => {
  expect(wrapRsaKey(text)).toBe(null);
});

test.each(['', 'AAAA', 'MIGf', key.slice(0, 40), ed25519])('%j is not an RSA key', (text) => {
  expect(rsaBits(text)).toBe(null);
});

test('a key that is cut off is reported with its actual length', () => {
  expect(read(`v=DKIM1; k=rsa; p=${rsa(2048).slice(0, 200)}`).faults).toEqual([
    {
      severity: 'fail',
      what: 'p= is cut off: the key should have 294 bytes but has 150',
      corrected: null,
      fix: 'cut',
    },
  ]);
});

test.each([
  'MEAZxONToAzeD6kN68scuOjF0J4CND0r03fWtI6mhRg=',
  // The text looks like an INTEGER in a SEQUENCE of 64 octets.
  `MEAC${'A'.repeat(39)}=`,
])('an Ed25519 key that begins like a structure is not cut off: %s', (p) => {
  expect(Buffer.from(p, 'base64')).toHaveLength(32);
  expect(read(`v=DKIM1; p=${p}`).faults).toEqual([
    {
      severity: 'fail',
      what: 'p= is an Ed25519 key without k=ed25519',
      corrected: `v=DKIM1; k=ed25519; p=${p}`,
    },
  ]);
  expect(read(`v=DKIM1; k=ed25519; p=${p}`).faults).toEqual([]);
});

test.each([30, 32, 40, 100])('%i octets of a bare RSA key are cut off', (octets) => {
  const p = Buffer.from(rsa(1024, 'pkcs1'), 'base64').subarray(0, octets).toString('base64');
  expect(read(`v=DKIM1; p=${p}`).faults).toMatchObject([{ fix: 'cut' }]);
});

test.each([0, 1])('two halves of one key are joined, in either order (%i)', (first) => {
  const whole = `v=DKIM1; k=rsa; p=${rsa(2048)}`;
  const halves = [whole.slice(0, 250), whole.slice(250)];
  const { faults } = read(halves[first] ?? '', [halves[1 - first] ?? '']);
  expect(faults[0]).toEqual({
    severity: 'fail',
    what: 'one key in 2 TXT records at the selector',
    corrected: whole,
    fix: 'joined',
  });
});

test('a correct record', () => {
  expect(read(`v=DKIM1; k=rsa; t=y:s; p=${key}`, [], ['k.example.net'])).toEqual({
    key: {
      type: 'rsa',
      bits: 1024,
      testing: true,
      revoked: false,
      hash: [],
      services: [],
      record: `v=DKIM1; k=rsa; t=y:s; p=${key}`,
      record_name: NAME,
      cname: ['k.example.net'],
    },
    texts: [`v=DKIM1; k=rsa; t=y:s; p=${key}`],
    faults: [],
    wellFormed: true,
    strict: { corrected: `v=DKIM1; k=rsa; p=${key}` },
  });
  expect(read(`k=ed25519; p=${ed25519}`)).toMatchObject({ key: { bits: 256 }, faults: [] });
  expect(read(`p=${key.slice(0, 50)} ${key.slice(50)}; h=sha256; s=email`).faults).toEqual([]);
});

describe('faults (RFC 6376 §3.6.1)', () => {
  test.each([`v=DKIM1 k=rsa p=${key}`, `v=DKIM1, k=rsa, p=${key}`])(
    'missing semicolons are added: %s',
    (record) => {
      expect(correctKeyRecord(record)).toBe(`v=DKIM1; k=rsa; p=${key}`);
    },
  );

  test.each([
    [`v=DKIM1; k=rsa; ${key}`, `v=DKIM1; k=rsa; p=${key}`],
    [`v=DKIM1; k=ed25519; ${ed25519}`, `v=DKIM1; k=ed25519; p=${ed25519}`],
    [`v=DKIM1; ${key.slice(0, 60)} ${key.slice(60)};`, `v=DKIM1; k=rsa; p=${key}`],
    [`"v=DKIM1; k=rsa; ${key}"`, `v=DKIM1; k=rsa; p=${key}`],
    [`"${key}"`, `v=DKIM1; k=rsa; p=${key}`],
    [`\u201cv=DKIM1; k=rsa; p=${key}\u201d`, `v=DKIM1; k=rsa; p=${key}`],
    [`&quot;v=DKIM1; k=rsa; p=${key}&quot;`, `v=DKIM1; k=rsa; p=${key}`],
    [
      `s1._domainkey IN TXT ( "v=DKIM1; k=rsa; " "p=${key}" ) ; ----- DKIM key s1 for example.com`,
      `v=DKIM1; k=rsa; p=${key}`,
    ],
    [`v=DKIM1; ${key}; ${ed25519}`, null],
    [`v=DKIM1; k=rsa; ${key.slice(0, 100)}`, null],
  ])('a key without p= is read if it is the only one (%#)', (record, meant) => {
    expect(correctKeyRecord(record)).toBe(meant);
  });

  test.each(['k=rsa', 't=y ', 'v=DKIM1,'])(
    'thousands of %j in a row are read without delay',
    (tag) => {
      const record = `v=DKIM1; ${tag.repeat(12_000)}x`;
      expect(cpuTime(() => correctKeyRecord(record)).ms).toBeLessThan(1000);
    },
  );

  const corrected = `v=DKIM1; k=rsa; p=${key}`;
  test.each<[string, string, string | null]>([
    ['v=DKIM1; p=', 'the key is revoked (p= is empty)', null],
    ['v=DKIM1; k=rsa', 'p= is missing', null],
    ['v=DKIM1; p=!!!', 'p= is not base64', null],
    ['v=DKIM1; p=AAAA', 'p= is not a key of type rsa', null],
    [`v=DKIM1; k=ed25519; p=${key}`, 'p= is not a key of type ed25519', corrected],
    [
      `v=DKIM1; p=${ed25519}`,
      'p= is an Ed25519 key without k=ed25519',
      `v=DKIM1; k=ed25519; p=${ed25519}`,
    ],
    [
      `v=DKIM1; k=rsa; p=${wrapped}`,
      'p= is an Ed25519 key without k=ed25519',
      `v=DKIM1; k=ed25519; p=${ed25519}`,
    ],
    [
      `v=DKIM1; k=ed25519; p=${wrapped}`,
      'p= is not a key of type ed25519',
      `v=DKIM1; k=ed25519; p=${ed25519}`,
    ],
    [`v=DKIM1; k=dsa; p=${key}`, 'k=dsa is not a DKIM key type', corrected],
    [`v=DKIM2; p=${key}`, 'v= is not DKIM1', corrected],
    [`v=dkim1; n=ours; p=${key}`, 'v= is not DKIM1', `v=DKIM1; k=rsa; n=ours; p=${key}`],
    [`v=dkim1; p=${key}`, 'v= is not DKIM1', corrected],
    [`v=DKIM1; k=; p=${key}`, 'k= is not a DKIM key type', corrected],
    [`;v=DKIM1; p=${key}`, 'the record has an empty tag', corrected],
    [`v=DKIM1;; p=${key}`, 'the record has an empty tag', corrected],
    [`v=DKIM1; note; p=${key}`, 'the record has a tag without =', corrected],
    [`v=DKIM1\\; p=${key}`, 'v= is not DKIM1', corrected],
    [`v=DKIM1; P=${key}`, 'p= is missing', corrected],
    [`v=DKIM1; k=rsap=${key}`, 'a semicolon is missing after k=rsa', corrected],
    [`v=DKIM1k=rsah=sha256s=emailp=${key}`, 'a semicolon is missing after v=DKIM1', corrected],
    [
      `v=DKIM1; k=ed25519p=${ed25519}`,
      'a semicolon is missing after k=ed25519',
      `v=DKIM1; k=ed25519; p=${ed25519}`,
    ],
    [`v=DKIM1; k=rsa p=${key}`, 'a semicolon is missing after k=rsa', corrected],
    [`v=DKIM1; p=${key}; p=AAAA`, 'the record has a tag twice', null],
    [`v=DKIM1; h=sha1; p=${key}`, 'h= does not allow sha256', corrected],
    [`v=DKIM1; s=tls; p=${key}`, 's= does not allow email', corrected],
  ])('%s', (record, what, corrected) => {
    expect(read(record).faults).toEqual([{ severity: 'fail', what, corrected: corrected }]);
  });

  test('verifiers do not use a key whose record breaks the grammar', () => {
    expect(read(`v=DKIM1; p=${key};`).wellFormed).toBe(true);
    expect(read(`v=DKIM1; h=sha1; s=tls; p=${key}`).wellFormed).toBe(true);
    expect(read(`v=DKIM1;; p=${key}`).wellFormed).toBe(false);
    expect(read(`v=dkim1; p=${key}`).wellFormed).toBe(false);
  });

  test('no record is suggested that would be broken too', () => {
    expect(read('v=DKIM1; s=tls; p=AAAA').faults.map(({ corrected: text }) => text)).toEqual([
      null,
      null,
    ]);
  });

  test('of several records, the one with the key is suggested; of two keys, none', () => {
    const good = `v=DKIM1; p=${key}`;
    expect(read('hello', [good]).faults.at(0)).toMatchObject({ corrected });
    expect(read(good, [good]).faults.at(0)).toMatchObject({ corrected });
    expect(read(good, [`p=${rsa(1024)}`]).faults.at(0)).toMatchObject({ corrected: null });
  });

  test('RFC 8463 §4.2: an Ed25519 key in a structure is invalid', () => {
    expect(read(`v=DKIM1; k=ed25519; p=${wrapped}`).wellFormed).toBe(false);
    expect(read(`v=DKIM1; k=ed25519; p=${ed25519}`).wellFormed).toBe(true);
  });

  test('v= must come first', () => {
    expect(read(`p=${key}; v=DKIM1`).faults).toEqual([
      { severity: 'warn', what: 'v= is not first', corrected },
    ]);
  });

  test('a record in quotes gives back its key', () => {
    expect(read(`"v=DKIM1; k=ed25519; p=${ed25519}"`).faults.at(0)?.corrected).toBe(
      `v=DKIM1; k=ed25519; p=${ed25519}`,
    );
  });

  test('several records, many CNAMEs and g= are reported, the worst first', () => {
    const { faults } = read(`v=DKIM1; g=shop; p=${key}`, ['other'], ['a', 'b', 'c', 'd']);
    expect(faults.map(({ severity, what }) => [severity, what])).toEqual([
      ['fail', '2 TXT records at the selector'],
      ['warn', '4 CNAMEs lead to the key'],
      ['warn', 'g= is obsolete'],
    ]);
  });
});
