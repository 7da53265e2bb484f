/**
 * Tests the parsing of DMARC records and of their tags, the tree walk, and the organizational
 * domain.
 */

import { describe, expect, test } from 'vitest';
import { isDmarcRecord, parseDmarc } from '../../../src/analysis/dmarc/parse.ts';
import { treeNames, walkTree } from '../../../src/analysis/dmarc/tree-walk.ts';
import { type DmarcZone, dmarcAnswers } from '../../support/mail/dmarc-answers.ts';

test.each([
  ['v=DMARC1; p=none', true],
  ['v = DMARC1 ; p=none', true],
  ['V=DMARC1; p=none', true],
  ['v=DMARC1', true],
  ['v=dmarc1; p=none', false],
  ['p=none; v=DMARC1', false],
  ['v=DMARC12; p=none', false],
])('RFC 9989 §4.7: %j is a record: %s', (text, expected) => {
  expect(isDmarcRecord(text)).toBe(expected);
});

describe('policies (RFC 9989 §4.10.1)', () => {
  test.each([
    ['p=reject', 'reject'],
    ['p=Quarantine', 'quarantine'],
    ['', null],
    ['rua=mailto:a@example.com', 'none'],
    ['rua=example.com', null],
    ['p=rejekt', null],
    ['p=rejekt; rua=mailto:a@example.com', 'none'],
    ['p=reject; sp=bad', null],
    ['p=reject; sp=bad; rua=mailto:a@example.com', 'none'],
    ['p=reject; np=bad; rua=mailto:a@example.com!10m', 'none'],
    ['p=reject; rua=p=a', 'reject'],
  ])('%j has the policy %s', (tags, policy) => {
    expect(parseDmarc(`v=DMARC1; ${tags}`).policy).toBe(policy);
  });
});

test('addresses lose their size limit, and tags that RFC 9989 removed are named', () => {
  const record = parseDmarc(
    'v=DMARC1; p=none; pct=50; ri=3600; rua=mailto:a@example.com!10m , https://x.example/;',
  );
  expect(record).toMatchObject({
    rua: ['mailto:a@example.com', 'https://x.example/'],
    report: { legacy_tags: ['pct', 'ri', '!size'], errors: [] },
    lint: [],
  });
});

test('unknown, repeated and misplaced tags are linted', () => {
  expect(parseDmarc('v=DMARC1; x=1; p=none; p=reject').lint).toEqual([
    'unknown tag x',
    'p= appears 2 times: some receivers use the last one, as this report does, others see no record',
    'p= is not the second tag',
  ]);
});

test('at most a hundred tags of a record are read', () => {
  expect(parseDmarc(`v=DMARC1; p=none; ${'x; '.repeat(20_000)}`).tags).toHaveLength(100);
});

test.each(['constructor', '__proto__', 'hasOwnProperty'])('a tag may be called %s', (name) => {
  expect(parseDmarc(`v=DMARC1; p=none; ${name}=x`).lint).toEqual([`unknown tag ${name}`]);
});

test('invalid values are linted, and treated as missing', () => {
  const record = parseDmarc('v=DMARC1; p=reject; aspf=strict; adkim=S; psd=x; t=yes');
  expect(record).toMatchObject({
    report: { aspf: 'r', adkim: 's', psd: 'u', testing: false },
  });
  expect(record.lint).toEqual([
    'aspf=strict has no meaning',
    'psd=x has no meaning',
    't=yes has no meaning',
  ]);
});

test.each([
  ['example.com', ['example.com', 'com']],
  [
    'a.b.c.example.com',
    ['a.b.c.example.com', 'b.c.example.com', 'c.example.com', 'example.com', 'com'],
  ],
  [
    'a.b.c.d.e.f.g.h.example.com',
    [
      'a.b.c.d.e.f.g.h.example.com',
      'd.e.f.g.h.example.com',
      'e.f.g.h.example.com',
      'f.g.h.example.com',
      'g.h.example.com',
      'h.example.com',
      'example.com',
      'com',
    ],
  ],
])('RFC 9989 §4.10: the walk of %s makes at most eight queries', (domain, names) => {
  expect(treeNames(domain)).toEqual(names);
  expect(names.length).toBeLessThanOrEqual(8);
});

describe('the organizational domain (RFC 9989 §4.10.2)', () => {
  const record = (more = '') => [`v=DMARC1; p=none${more}`];
  test.each<[string, DmarcZone, string]>([
    ['no record: the name itself', {}, 'a.b.example.com'],
    [
      'the record with the fewest labels',
      { 'b.example.com': record(), 'example.com': record() },
      'example.com',
    ],
    [
      'psd=n ends the walk',
      { 'b.example.com': record('; psd=n'), 'example.com': record() },
      'b.example.com',
    ],
    ['psd=y puts it one label below', { 'example.com': record('; psd=y') }, 'b.example.com'],
    [
      'psd=y at the name itself has no meaning',
      { 'a.b.example.com': record('; psd=y') },
      'a.b.example.com',
    ],
    [
      'several records count as no record',
      { 'b.example.com': record(), 'example.com': [...record(), ...record()] },
      'b.example.com',
    ],
    [
      'other TXT are not records',
      { 'b.example.com': ['x'], 'example.com': ['y', ...record()] },
      'example.com',
    ],
  ])('%s', (_, zone, expected) => {
    const walk = walkTree('a.b.example.com', dmarcAnswers(zone, ['a.b.example.com']));
    expect(walk.organization).toEqual({ status: 'known', value: expected });
  });

  test('a failure below the end leaves the domain unknown', () => {
    const zone = { 'a.b.example.com': ['v=DMARC1; p=reject'], 'example.com': 'SERVFAIL' as const };
    const walk = walkTree('a.b.example.com', dmarcAnswers(zone, ['a.b.example.com']));
    expect(walk.organization).toEqual({
      status: 'unknown',
      error: 'dns: TXT _dmarc.example.com: SERVFAIL',
    });
    // The domain's own record applies in any case.
    expect(walk.discovered).toMatchObject({ value: { name: 'a.b.example.com' } });
  });

  test('a failure above the end is never reached', () => {
    const zone = { 'example.com': ['v=DMARC1; p=reject; psd=n'], com: 'SERVFAIL' as const };
    const walk = walkTree('example.com', dmarcAnswers(zone, ['example.com']));
    expect(walk.organization).toEqual({ status: 'known', value: 'example.com' });
  });
});
