/** Tests what a zone file says about DNS questions: an answer, an absence, or nothing. */

import { describe, expect, test } from 'vitest';
import { createZone } from '../../../src/client/lint/zone.ts';
import { parseZoneFile } from '../../../src/client/lint/zone-file.ts';
import { SOA } from './lint-environment.ts';

/** Returns what a zone of these lines answers to a question such as `TXT example.com`. */
function ask(question: string, lines: readonly string[], whole: readonly string[] = []) {
  const [type = '', name = ''] = question.split(' ');
  const answer = createZone(parseZoneFile(lines.join('\n')), whole).answer(name, type);
  if (answer?.status === 'found') return answer.records.map(({ fields }) => fields.join(' '));
  return answer?.status === 'alias' ? `alias of ${answer.target}` : (answer?.status ?? 'not known');
}

const SPF = 'example.com. 300 IN TXT "v=spf1 -all"';
const HOST = 'mail.example.com. 300 IN A 192.0.2.25';
const NS = 'example.com. 300 IN NS ns1.provider.example.';
const ROOT_SOA = '. 900 IN SOA a.root-servers.net. nstld.verisign-grs.com. 1 1800 900 604800 86400';
const TRACE = '. 518400 IN NS m.root-servers.net.';
const OTHER_SOA = SOA.replaceAll('example.com.', 'example.org.');

test.each(['300', '1h30m', '1w2d', '5M IN', 'IN 2h'])('a TTL may be written as %s', (ttl) => {
  expect(ask('A a.example.com', [`a.example.com. ${ttl} A 192.0.2.1`])).toEqual(['192.0.2.1']);
});

test('a byte order mark is not part of the first name', () => {
  expect(ask('TXT example.com', [`\ufeff${SPF}`])).toEqual(['v=spf1 -all']);
});

const partial = [
  SPF,
  HOST,
  'www.example.com. CNAME shop.example.net.',
  'v.example.com. CAA 0 issue ";"',
];

test.each([
  ['TXT example.com', ['v=spf1 -all']],
  ['A mail.example.com', ['192.0.2.25']],
  // The file says nothing about another type at the same name, or about a name below, beside or above it.
  ['MX example.com', 'not known'],
  ['AAAA mail.example.com', 'not known'],
  ['TXT v.example.com', 'not known'],
  ['TXT gone.example.com', 'not known'],
  ['TXT _dmarc.example.com', 'not known'],
  ['TXT example.org', 'not known'],
  ['NS com', 'not known'],
  // An alias stands for every type at its name (RFC 1034 §3.6.2).
  ['TXT www.example.com', 'alias of shop.example.net'],
  ['CNAME www.example.com', ['shop.example.net']],
  // Above the organizational domain there is no policy.
  ['TXT _dmarc.com', 'nodata'],
  ['A _dmarc.com', 'nodata'],
  ['TXT _dmarc.org', 'not known'],
])('with some records, %s is %j', (question, expected) => {
  expect(ask(question, partial)).toEqual(expected);
});

test.each([
  ['TXT _dmarc.co.uk', 'shop.example.co.uk. A 192.0.2.1', 'nodata'],
  ['TXT _dmarc.uk', 'shop.example.co.uk. A 192.0.2.1', 'nodata'],
  ['TXT _dmarc.example.co.uk', 'shop.example.co.uk. A 192.0.2.1', 'not known'],
  // If a registry publishes a policy, it is used.
  ['TXT _dmarc.com', '_dmarc.com. TXT "v=DMARC1; p=reject; psd=y"', ['v=DMARC1; p=reject; psd=y']],
])('%s beside %s is %j', (question, line, expected) => {
  expect(ask(question, [SPF, line])).toEqual(expected);
});

describe('a complete zone', () => {
  const lines = [
    ...partial,
    NS,
    'a.deep.example.com. A 192.0.2.1',
    '*.wild.example.com. TXT "any"',
    'own.wild.example.com. A 192.0.2.2',
    '*.alias.example.com. CNAME hosted.example.net.',
    'branch.example.com. NS ns.branch.example.',
    'glue.branch.example.com. A 192.0.2.3',
    'moved.example.com. DNAME example.net.',
    '$ORIGIN example.com.',
    'within DNAME other',
    'up DNAME @',
    'loud DNAME Other.Example.NET.',
  ];

  test.each([
    ['MX example.com', 'nodata'],
    ['TXT v.example.com', 'nodata'],
    ['TXT gone.example.com', 'nxdomain'],
    ['TXT _dmarc.example.com', 'nxdomain'],
    // A name with names below it exists (RFC 8020).
    ['TXT deep.example.com', 'nodata'],
    ['TXT x.deep.example.com', 'nxdomain'],
    // Wildcards (RFC 4592) do not apply to a name that exists, to a name below one, or to the parent.
    ['TXT x.wild.example.com', ['any']],
    ['TXT x.y.wild.example.com', ['any']],
    ['MX x.wild.example.com', 'nodata'],
    ['TXT own.wild.example.com', 'nodata'],
    ['TXT x.own.wild.example.com', 'nxdomain'],
    ['TXT wild.example.com', 'nodata'],
    ['TXT x.alias.example.com', 'alias of hosted.example.net'],
    // A zone says nothing about names that are delegated to other servers, or that are elsewhere.
    ['NS branch.example.com', ['ns.branch.example']],
    ['TXT branch.example.com', 'not known'],
    ['TXT x.branch.example.com', 'not known'],
    ['A glue.branch.example.com', ['192.0.2.3']],
    ['TXT x.moved.example.com', 'alias of x.example.net'],
    ['TXT x.y.moved.example.com', 'alias of x.y.example.net'],
    ['TXT moved.example.com', 'nodata'],
    ['TXT x.within.example.com', 'alias of x.other.example.com'],
    ['TXT x.up.example.com', 'alias of x.example.com'],
    ['TXT x.loud.example.com', 'alias of x.other.example.net'],
    ['TXT example.org', 'not known'],
    ['TXT shop.example.net', 'not known'],
  ])('%s is %j', (question, expected) => {
    expect(ask(question, lines, ['example.com'])).toEqual(expected);
  });

  test('may be a part of another, which stays open', () => {
    expect(ask('TXT x.branch.example.com', lines, ['branch.example.com'])).toBe('nxdomain');
    expect(ask('TXT gone.example.com', lines, ['branch.example.com'])).toBe('not known');
  });
});

describe('a zone is complete', () => {
  const GONE = 'TXT gone.example.com';
  test.each<[string, readonly string[], string]>([
    ['by the SOA at both ends of a transfer', [SOA, NS, SPF, SOA], 'nxdomain'],
    [
      'by a transfer with more behind it',
      [SOA, NS, SPF, SOA, '1.2.0.192.in-addr.arpa. PTR a.b.'],
      'nxdomain',
    ],
    [
      'by the second transfer',
      [OTHER_SOA, OTHER_SOA.replace(/SOA.*/, 'NS a.b.'), OTHER_SOA, SOA, NS, SOA],
      'nxdomain',
    ],
    ['by a record of the root', [SPF, '. NS a.root-servers.example.'], 'nxdomain'],
    ['not by the SOA that a file begins with', [SOA, NS, SPF], 'not known'],
    ['not by that of a negative answer', [SPF, SOA], 'not known'],
    ['not by those of two negative answers', [SOA, SOA], 'not known'],
    ['not by those around an answer', [SPF, SOA, HOST, SOA], 'not known'],
    // The output of `dig +noall +answer +authority` for several names.
    ['not by those of the first and the last answer', [SOA, SPF, HOST, SOA], 'not known'],
    ['not by the root of the world, as dig +trace begins', [TRACE, SPF], 'not known'],
    ['not by the root’s answer that there is no such name', [ROOT_SOA, SPF], 'not known'],
    ['not by those of two zones', [SOA, SPF, OTHER_SOA], 'not known'],
    ['not with records of others inside', [SOA, 'example.org. A 192.0.2.1', SOA], 'not known'],
    [
      'not by what dig prints of a negative answer',
      [
        ...[';; QUESTION SECTION:', ';example.com. IN MX', '', ';; AUTHORITY SECTION:', SOA, ''],
        ...[';; ANSWER SECTION:', SPF, '', ';; AUTHORITY SECTION:', SOA, ''],
      ],
      'not known',
    ],
  ])('%s', (_, lines, expected) => {
    expect(ask(GONE, lines)).toBe(expected);
  });
});
