/** Tests the corrected SPF, DKIM, DMARC and other records that fixes print. */

import { describe, expect, test } from 'vitest';
import { correctBimi } from '../../src/analysis/bimi/parse.ts';
import { correctKeyRecord } from '../../src/analysis/dkim/correct-key.ts';
import {
  cleanRecord,
  enforce,
  evenOut,
  strengthen,
  type Tags,
  withAddressesOf,
  withTags,
} from '../../src/analysis/dmarc/correct.ts';
import {
  addTerm,
  closeRecord,
  correctRecord,
  joinStrings,
  looksLikeSpf,
  mergeRecords,
  ROOMY_OCTETS,
  readAsSpf,
  replaceTerms,
  splitRecord,
} from '../../src/analysis/spf/correct.ts';
import { MAX_TERMS } from '../../src/analysis/spf/parse.ts';

const IP = 'ip4:192.0.2.25';

describe('an SPF record', () => {
  test.each([
    ['v=spf1 mx -all', undefined, `v=spf1 mx ${IP} -all`],
    ['v=spf1 mx ?all', undefined, `v=spf1 mx ${IP} ?all`],
    ['v=spf1 redirect=_spf.example.net', undefined, `v=spf1 ${IP} redirect=_spf.example.net`],
    ['v=spf1 mx', undefined, `v=spf1 mx ${IP}`],
    ['V=SPF1  a   -all', undefined, `v=spf1 a ${IP} -all`],
    ['v=spf1', undefined, `v=spf1 ${IP}`],
    [
      'v=spf1 -ip4:192.0.2.0/24 mx -all',
      '-ip4:192.0.2.0/24',
      `v=spf1 ${IP} -ip4:192.0.2.0/24 mx -all`,
    ],
    [`v=spf1 ${IP} mx -all`, undefined, `v=spf1 mx ${IP} -all`],
    [`v=spf1 ?${IP} mx ${IP} -all`, undefined, `v=spf1 mx ${IP} -all`],
    [`v=spf1 a ?${IP} mx -all`, `?${IP}`, `v=spf1 a ${IP} mx -all`],
    ['v=spf1 exists:%{i}.x.example -all', undefined, `v=spf1 exists:%{i}.x.example ${IP} -all`],
  ])('%s (decided by %s) accepts another term', (record, decidedBy, expected) => {
    expect(addTerm(record, IP, decidedBy)).toBe(expected);
  });

  test.each([
    ['v=spf1 mx ~all', null, 'v=spf1 mx ~all'],
    ['v=spf1 mx ?all', '?', 'v=spf1 mx ~all'],
    ['v=spf1 mx all', '+', 'v=spf1 mx ~all'],
    ['v=spf1 mx', null, 'v=spf1 mx ~all'],
    ['v=spf1 redirect=r.example', '~', 'v=spf1 redirect=r.example'],
    ['v=spf1 redirect=r.example', 'unknown', 'v=spf1 redirect=r.example'],
    ['v=spf1 redirect=r.example', '?', 'v=spf1 include:r.example ~all'],
  ])('%s, which ends as %s, still excludes others', (record, behind, expected) => {
    expect(closeRecord(record, behind)).toBe(expected);
  });

  test.each([
    [['v=spf1 mx -all', 'v=spf1 include:a.example -all'], 'v=spf1 mx include:a.example -all'],
    [['v=spf1 mx -all', 'v=spf1 mx a ~all'], 'v=spf1 mx a ~all'],
    [['v=spf1 mx', 'v=spf1 redirect=a.example'], 'v=spf1 mx include:a.example ~all'],
    [['v=spf1 +all', 'v=spf1 mx ?all'], 'v=spf1 mx ~all'],
    [
      ['v=spf1 ip4:192.0.2.0/24 -all', 'v=spf1 -ip4:192.0.2.9 mx -all'],
      'v=spf1 -ip4:192.0.2.9 mx ip4:192.0.2.0/24 -all',
    ],
  ])('%j are merged', (records, expected) => {
    expect(mergeRecords(records)).toBe(expected);
  });

  test.each([
    ['v=spf1 ip:192.0.2.1 mx -all', 'v=spf1 ip4:192.0.2.1 mx -all'],
    ['v=spf1 mx ~all; v=DMARC1; p=none', 'v=spf1 mx ~all'],
    ['v=spf1 mx -all;v=dmarc1;p=reject', 'v=spf1 mx -all'],
    ['v=spf1 mx v=DKIM1; k=rsa; p=MII -all', 'v=spf1 mx -all'],
    ['v=spf1 include: mx -all', 'v=spf1 mx -all'],
    ['V=SPF1 mx mx a -all', 'v=spf1 mx a -all'],
    ['v=spf1 redirect=a.example redirect=b.example', 'v=spf1 include:a.example include:b.example'],
    ['v=spf1 mx exp=e.example -all', 'v=spf1 mx exp=e.example -all'],
    // A mangled `all` remains an `all`. If there are several, the first that closes the record applies.
    ['v=spf1 mx \u2013all', 'v=spf1 mx -all'],
    ['v=spf1 mx \u2011all', 'v=spf1 mx -all'],
    ['v=spf1 mx \u2212all', 'v=spf1 mx -all'],
    ['v=spf1 mx - all', 'v=spf1 mx -all'],
    ['v=spf1 mx \u2013 all', 'v=spf1 mx -all'],
    ['v=spf1 mx ~ all', 'v=spf1 mx ~all'],
    ['v=spf1 mx --all', 'v=spf1 mx -all'],
    ['v=spf1 mx "all"', 'v=spf1 mx ~all'],
    ['v=spf1 mx all.', 'v=spf1 mx ~all'],
    ['v=spf1 mx ~all;', 'v=spf1 mx ~all'],
    ['v=spf1 mx -al', 'v=spf1 mx -all'],
    ['v=spf1 mx -', 'v=spf1 mx -all'],
    ['v=spf1 mx-all', 'v=spf1 mx -all'],
    ['v=spf1 ip4:192.0.2.1-all', 'v=spf1 ip4:192.0.2.1 -all'],
    ['v=spf1 mx all -all', 'v=spf1 mx ~all'],
    ['v=spf1 mx ~all a -all', 'v=spf1 mx a ~all'],
    ['v=spf1 mx ?all ~all', 'v=spf1 mx ~all'],
    ['v=spf1 mx -all v=spf1 a ~all', 'v=spf1 mx a -all'],
    // A term that excludes a sender must not come to admit it.
    ['v=spf1 - ip4:192.0.2.1 mx -all', 'v=spf1 -ip4:192.0.2.1 mx -all'],
    ['v=spf1 -192.0.2.1 mx -all', 'v=spf1 -ip4:192.0.2.1 mx -all'],
    ['v=spf1 -ptr mx -all', 'v=spf1 -ptr mx -all'],
    ['v=spf1 ip4:192.0.2.1,ip4:192.0.2.2 -all', 'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 -all'],
    ['v=spf1 ip4:192.0.2.1,192.0.2.2 -all', 'v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 -all'],
    [
      'v=spf1 include:a.example,include:b.example -all',
      'v=spf1 include:a.example include:b.example -all',
    ],
    // A listed range does not become a single address.
    ['v=spf1 ip4:203.0.113.0/240 -all', 'v=spf1 ip4:203.0.113.0/24 -all'],
    ['v=spf1 ip4:203.0.113.0/255.255.255.0 -all', 'v=spf1 ip4:203.0.113.0/24 -all'],
    [
      'v=spf1 ip4:203.0.113.* ip4:203.0.*.* -all',
      'v=spf1 ip4:203.0.113.0/24 ip4:203.0.0.0/16 -all',
    ],
    // Terms with a host where an address belongs, a value after a space, or an address where a name belongs.
    ['v=spf1 ip4:a.example host:b.example -all', 'v=spf1 a:a.example a:b.example -all'],
    ['v=spf1 include: a.example mx -all', 'v=spf1 include:a.example mx -all'],
    ['v=spf1 redirect:a.example', 'v=spf1 redirect=a.example'],
    // If there is `all`, redirect= is ignored together with the servers that it names (RFC 7208 §6.1).
    ['v=spf1 mx redirect=r.example ~all', 'v=spf1 mx include:r.example ~all'],
    ['v=spf1 include:r.example redirect=r.example ~all', 'v=spf1 include:r.example ~all'],
  ])('%s is corrected', (record, expected) => {
    expect(correctRecord(record)).toBe(expected);
    expect(correctRecord(expected)).toBe(expected);
  });

  test.each([
    ['v=spf1, mx, -all', 'v=spf1 mx -all'],
    ['v=spf1;mx;-all', 'v=spf1 mx -all'],
    ['"v=spf1 mx -all"', 'v=spf1 mx -all'],
    ['"v=spf1 " "mx -all"', 'v=spf1 mx -all'],
    [' v=spf1 mx -all', 'v=spf1 mx -all'],
    ['v=spf1include:a.example -all', 'v=spf1 include:a.example -all'],
    ['v=spf10 mx', 'v=spf1 mx'],
    ['spf2.0/pra mx -all', 'v=spf1 mx -all'],
    ['v=spf include:a.example ~all', 'v=spf1 include:a.example ~all'],
    ['SPF: v=spf1 mx -all', 'v=spf1 mx -all'],
    ['TXT v=spf1 mx -all', 'v=spf1 mx -all'],
    ['@ 3600 TXT v=spf1 mx -all', 'v=spf1 mx -all'],
    ['example.com. IN TXT "v=spf1 mx -all" ; our servers', 'v=spf1 mx -all'],
    ['example.com. 1h IN TXT ( "v=spf1 mx " "-all" )', 'v=spf1 mx -all'],
    ['include:a.example ip4:192.0.2.1 ~all', 'v=spf1 include:a.example ip4:192.0.2.1 ~all'],
  ])('%j was meant as one', (text, expected) => {
    expect(looksLikeSpf(text)).toBe(true);
    expect(readAsSpf(text)).toBe(expected);
  });

  test.each([
    'v=spf1 mx -all',
    'my v=spf1 record',
    'a TXT record: v=spf1',
    'spf is great',
    'SPF is a must, all of it',
    'we use spf all day',
    'all',
  ])('%j was not meant as another', (text) => {
    expect(looksLikeSpf(text)).toBe(false);
  });

  test.each([
    [
      ['v=spf1 include:a.example', 'include:b.example -all'],
      'v=spf1 include:a.example include:b.example -all',
    ],
    [['v=spf1 a', 'mx', '-all'], 'v=spf1 a mx -all'],
    // A name that is cut off, or cut by the end of a full string, continues in the next string.
    [['v=spf1 include:a.exa', 'mple -all'], 'v=spf1 include:a.example -all'],
    [['v=spf1 include:a.example ', 'mx -all'], 'v=spf1 include:a.example mx -all'],
    [
      [
        `v=spf1 ${'ip4:192.0.2.10 '.repeat(16)}mx a`.padEnd(255, '1').slice(0, 254).concat('a'),
        'mx -all',
      ],
      null,
    ],
  ])('the strings %j show where a space is missing', (strings, expected) => {
    expect(joinStrings(strings, () => true)).toBe(expected ?? strings.join(''));
  });

  test('a text that leads to a record does not count as a missing space', () => {
    expect(joinStrings(['v=spf1 include:a.example', 'mx -all'], () => false)).toBe(
      'v=spf1 include:a.examplemx -all',
    );
  });

  const many = Array.from({ length: 60 }, (_, i) => `ip4:203.0.113.${i}`);

  test('a long one becomes several that are short enough, with every term once', () => {
    const split = splitRecord(`v=spf1 ${many.join(' ')} mx ~all`, 'example.com');
    const { record = '', parts = [] } = split ?? {};
    expect(record).toMatch(/^v=spf1( include:_spf\d\.example\.com)+ mx ~all$/);
    expect(parts.map(({ name }) => `include:${name}`)).toEqual(record.split(' ').slice(1, -2));
    for (const part of parts) expect(part.record.length).toBeLessThanOrEqual(ROOMY_OCTETS);
    expect(parts.flatMap((part) => part.record.split(' ').slice(1, -1))).toEqual(many);
  });

  test.each(['-ip4:192.0.2.1', '?include:a.example'])(
    '%s keeps its place, and everything before it stays there',
    (term) => {
      const text = `v=spf1 mx ${term} ${many.join(' ')} redirect=b.example`;
      const { record, parts = [] } = splitRecord(text, 'example.com') ?? {};
      const includes = parts.map(({ name }) => `include:${name}`);
      expect(record).toBe(`v=spf1 mx ${term} ${includes.join(' ')} redirect=b.example`);
      expect(parts.flatMap((part) => part.record.split(' ').slice(1, -1))).toEqual(many);
      expect(splitRecord(`v=spf1 ${many.join(' ')} ${term} -all`, 'example.com')).toBeNull();
    },
  );

  test('terms about the own domain are kept, and a record with only such terms cannot be split', () => {
    const terms = Array.from({ length: 30 }, (_, i) => `exists:%{i}.${i}.example.com`);
    expect(splitRecord(`v=spf1 ${terms.join(' ')} -all`, 'example.com')).toBeNull();
  });

  test('terms are replaced by others, or by none', () => {
    const good = new Map([
      ['ip:192.0.2.1', ['ip4:192.0.2.1']],
      ['a', []],
    ]);
    expect(replaceTerms('v=spf1 ip:192.0.2.1 mx -all a', good)).toBe(
      'v=spf1 ip4:192.0.2.1 mx -all',
    );
  });
});

const tags = (record: string): Tags =>
  record.split(';').map((tag) => tag.split('=') as [string, string]);

test('of as many terms as an answer can contain, those are corrected that a fix can show', () => {
  const terms = Array.from({ length: 20_000 }, (_, i) => `x${i}`);
  const record = `v=spf1 ${terms.join(' ')} -all`;
  const read = terms.slice(0, MAX_TERMS);
  expect(correctRecord(record)).toBe('v=spf1');
  expect(closeRecord(record, null)).toBe(`v=spf1 ${read.join(' ')} ~all`);
});

describe('a DMARC record', () => {
  test.each([
    ['rua=mailto:D@x.example;p=reject', 'v=DMARC1; p=reject; rua=mailto:D@x.example'],
    ['p=reject;p=none;foo=bar', 'v=DMARC1; p=none'],
    ['p=reject;aspf=strict;adkim=relaxed;t=yes;psd=x', 'v=DMARC1; p=reject'],
    ['p=REJECT; adkim=S', 'v=DMARC1; p=reject; adkim=s'],
    ['p=monitor;rua=mailto:d@x.example', 'v=DMARC1; p=none; rua=mailto:d@x.example'],
    ['p=reject;sp=maybe', 'v=DMARC1; p=reject'],
    ['p=quarantine;pct=50;rf=afrf;ri=3600', 'v=DMARC1; p=quarantine; pct=50'],
    ['p=reject;pct=0', 'v=DMARC1; p=reject; pct=0'],
    ['p=reject;pct=100', 'v=DMARC1; p=reject'],
    ['p=reject;pct=half', 'v=DMARC1; p=reject'],
    ['pct=10;p=none', 'v=DMARC1; p=none'],
    [
      'p=reject;rua=mailto:d@x.example!10m,mailto:e@x.example',
      'v=DMARC1; p=reject; rua=mailto:d@x.example,mailto:e@x.example',
    ],
    ['rua=mailto:d@x.example', 'v=DMARC1; p=none; rua=mailto:d@x.example'],
  ])('%s is cleaned', (record, expected) => {
    expect(cleanRecord(tags(record))).toBe(expected);
  });

  test.each([
    ['p=none;rua=mailto:d@x.example', 'p', 'v=DMARC1; p=quarantine; rua=mailto:d@x.example'],
    ['p=quarantine', 'p', 'v=DMARC1; p=reject'],
    ['p=quarantine;t=y', 'p', 'v=DMARC1; p=quarantine'],
    ['p=reject;t=y', 'p', 'v=DMARC1; p=reject'],
    ['p=none;t=y', 'p', 'v=DMARC1; p=quarantine'],
    ['p=reject;sp=none', 'sp', 'v=DMARC1; p=reject; sp=quarantine'],
    ['p=reject;sp=none;np=none', 'np', 'v=DMARC1; p=reject; sp=none; np=quarantine'],
    ['p=none', 'sp', 'v=DMARC1; p=quarantine'],
    ['p=quarantine;pct=0', 'p', 'v=DMARC1; p=reject; pct=0'],
    ['p=quarantine;t=y;pct=20', 'p', 'v=DMARC1; p=quarantine; pct=20'],
    ['p=none;pct=20', 'p', 'v=DMARC1; p=quarantine; pct=20'],
  ] as const)('%s, where %s applies, is strengthened by one step', (record, applies, expected) => {
    expect(strengthen(tags(record), applies)).toBe(expected);
  });
});

describe('a DMARC record with one change', () => {
  test.each([
    ['p=none;sp=none;np=none;t=y;rua=mailto:d@x.example', 'p=quarantine; rua=mailto:d@x.example'],
    ['p=reject;t=y', 'p=reject'],
    ['p=quarantine;sp=reject;pct=50', 'p=quarantine; sp=reject'],
    ['p=reject;pct=50', 'p=reject; pct=50'],
    ['p=always', 'p=quarantine'],
  ])('%s is enforced', (record, expected) => {
    expect(cleanRecord(enforce(tags(record)))).toBe(`v=DMARC1; ${expected}`);
  });

  test.each([
    ['p=reject;sp=none', 'p=reject'],
    ['p=reject;sp=quarantine;np=reject', 'p=reject; np=reject'],
    ['p=quarantine;sp=reject;np=none', 'p=quarantine; sp=reject'],
    ['p=none;sp=none;np=quarantine', 'p=none; sp=none; np=quarantine'],
  ])('%s is made uniform', (record, expected) => {
    expect(evenOut(tags(record))).toBe(`v=DMARC1; ${expected}`);
  });

  test.each([
    [['rua=mailto:a@x.example'], 'p=reject; rua=mailto:d@x.example,mailto:a@x.example'],
    [['RUA = mailto:d@x.example ; '], 'p=reject; rua=mailto:d@x.example'],
    [['ruf=b@x.example', 'hello'], 'p=reject; rua=mailto:d@x.example; ruf=mailto:b@x.example'],
    [['v=spf1 -all'], 'p=reject; rua=mailto:d@x.example'],
  ])('the addresses of %j are added to the record', (texts, expected) => {
    const record = 'v=DMARC1; p=reject; rua=mailto:d@x.example';
    expect(withAddressesOf(record, texts)).toBe(`v=DMARC1; ${expected}`);
  });

  test.each([
    ['p=reject', 'p=reject; np=reject'],
    ['p=reject;np=none', 'p=reject; np=reject'],
  ])('%s gets np=reject', (record, expected) => {
    expect(withTags(tags(record), { np: 'reject' })).toBe(`v=DMARC1; ${expected}`);
  });
});

test.each([
  ['v=BIMI1; l=http://a.example/l.svg', 'v=BIMI1; l=https://a.example/l.svg; a='],
  [
    'v=BIMI2; l=https://a.example/l.svg; a=http://a.example/c.pem',
    'v=BIMI1; l=https://a.example/l.svg; a=https://a.example/c.pem',
  ],
  [
    'v=BIMI1; l=http://a.example/l.svg; avp=personal',
    'v=BIMI1; l=https://a.example/l.svg; a=; avp=personal',
  ],
  ['v=BIMI1; a=https://a.example/c.pem', null],
])('the BIMI record %s is corrected', (record, expected) => {
  expect(correctBimi(record)).toBe(expected);
});

/** The key has 32 octets. */
const KEY = `${'A'.repeat(43)}=`;
const RIGHT = `v=DKIM1; k=ed25519; p=${KEY}`;

test.each([
  [RIGHT, RIGHT],
  [`p=AAAA ${KEY.slice(4)}; v=DKIM1`, RIGHT],
  [`v=DKIM1; g=*; h=sha1; s=tlsrpt; p=${KEY}`, RIGHT],
  [`v=DKIM1; k=ed25519; t=s; p=${KEY}`, `v=DKIM1; k=ed25519; t=s; p=${KEY}`],
  [`v=DKIM1; k=ed25519; t=y:s; p=${KEY}`, `v=DKIM1; k=ed25519; t=s; p=${KEY}`],
  ['v=DKIM1; p=MIIB', null],
  ['v=DKIM1; p=', null],
  ['v=DKIM1; p=MI!B', null],
  ['v=DKIM1', null],
])('the DKIM key record %s is corrected', (record, expected) => {
  expect(correctKeyRecord(record)).toBe(expected);
});
