/**
 * Tests the evaluation of DMARC: which policy applies, what stays open if a lookup fails or a
 * record is ignored, and that the results agree with mailauth.
 */

import fc from 'fast-check';
import { dmarc } from 'mailauth/lib/dmarc/index.js';
import { describe, expect, test } from 'vitest';
import {
  type DmarcInput,
  type Identifier,
  judgeDmarc,
} from '../../../src/analysis/dmarc/evaluate.ts';
import type { DmarcFacts } from '../../../src/analysis/dmarc/facts.ts';
import { known, unknown } from '../../../src/analysis/lookup-result.ts';
import { type DmarcZone, dmarcAnswers } from '../../support/mail/dmarc-answers.ts';

const fail: Identifier = { domain: '', outcome: 'fail' };

const judge = (zone: DmarcZone, about: Partial<Omit<DmarcInput, 'answers'>> = {}) => {
  const input = {
    fromDomain: 'example.com',
    exists: known(true),
    spf: fail,
    dkim: [],
    ...about,
  };
  const domains = [input.fromDomain, input.spf.domain, ...input.dkim.map(({ domain }) => domain)];
  return judgeDmarc({ ...input, answers: dmarcAnswers(zone, domains.filter(Boolean)) });
};

const factsOf = (...args: Parameters<typeof judge>): DmarcFacts => {
  const facts = judge(...args);
  if (facts.status === 'unknown') throw new Error(facts.error);
  return facts.value;
};

/** The results for a record and the aligned identifiers are in `test/lab/conformance/dmarc-*-cases.ts`. */
const pass = (domain: string): Identifier => ({ domain, outcome: 'pass' });
const reject = { 'example.com': ['v=DMARC1; p=reject'] };

test.each(['example.com', 'm.example.com'])(
  'the record of %s is its own or inherited',
  (fromDomain) => {
    expect(factsOf(reject, { fromDomain }).inherited).toBe(fromDomain !== 'example.com');
  },
);

test.each<[string, string, boolean, DmarcFacts['applies']]>([
  ['p=reject; sp=none; np=none', 'example.com', true, 'p'],
  ['p=reject; np=reject', 'm.example.com', true, 'p'],
  ['p=none; sp=reject; np=none', 'm.example.com', true, 'sp'],
  ['p=none; sp=reject; np=none', 'm.example.com', false, 'np'],
  ['p=none; sp=reject', 'm.example.com', false, 'sp'],
])('RFC 9989 §4.7: from %j, %s (exists: %s) gets %s', (tags, fromDomain, exists, tag) => {
  const zone = { 'example.com': [`v=DMARC1; ${tags}`] };
  expect(factsOf(zone, { fromDomain, exists: known(exists) }).applies).toBe(tag);
});

test('the policy is unknown and the result open if existence is unknown and matters', () => {
  const zone = { 'example.com': ['v=DMARC1; p=none; np=reject'] };
  const about = { fromDomain: 'm.example.com', exists: unknown('dns') };
  expect(factsOf(zone, about).report).toMatchObject({
    effective_policy: null,
    result: 'temperror',
  });
  expect(factsOf(zone, about)).toMatchObject({ decided: true, spfAligned: false });
  const same = { 'example.com': ['v=DMARC1; p=reject'] };
  expect(factsOf(same, about).report).toMatchObject({ result: 'fail' });
});

describe('unknown facts', () => {
  const undecided = (domain: string): Identifier => ({ domain, outcome: 'undecided' });
  test.each<[string, Partial<DmarcInput>, boolean]>([
    ['SPF that could align', { spf: undecided('example.com') }, false],
    ['SPF that could not', { spf: undecided('example.net') }, true],
    ['a key of the From domain', { dkim: [undecided('m.example.com')] }, false],
    ['a foreign key', { dkim: [undecided('example.net')] }, true],
    [
      'SPF, but DKIM is aligned',
      { spf: undecided('example.com'), dkim: [pass('example.com')] },
      false,
    ],
  ])('%s: decided is %s', (_, about, decided) => {
    expect(factsOf(reject, about).decided).toBe(decided);
  });

  test('a failed walk of the From domain leaves the record unknown', () => {
    expect(judge({ com: 'SERVFAIL' }, { fromDomain: 'm.example.com' })).toEqual({
      status: 'unknown',
      error: 'dns: TXT _dmarc.com: SERVFAIL',
    });
  });

  test('with a record of its own, a failure above leaves relaxed alignment open, but not strict alignment', () => {
    const zone = (tags: string) => ({
      'm.example.com': [`v=DMARC1; p=reject${tags}`],
      'example.com': 'SERVFAIL' as const,
    });
    const about = { fromDomain: 'm.example.com', spf: pass('b.example.com') };
    expect(factsOf(zone(''), about).report.result).toBe('temperror');
    expect(factsOf(zone('; aspf=s'), about).report.result).toBe('fail');
  });
});

test('an ignored record is reported with the reason', () => {
  expect(factsOf({ 'example.com': ['v=dmarc1; p=reject'] })).toMatchObject({
    anyRecord: true,
    ignoredBecause: 'the record at _dmarc.example.com has v=dmarc1 instead of v=DMARC1',
  });
  expect(factsOf({ 'example.com': ['v=DMARC1; p=rejekt'] })).toMatchObject({
    anyRecord: true,
    ignoredBecause: 'the record at _dmarc.example.com has neither a valid p= nor a valid rua=',
  });
  expect(factsOf(reject)).toMatchObject({ anyRecord: true, ignoredBecause: null });
});

test('receivers that use the Public Suffix List may come to another result', () => {
  const zone = { 'b.example.com': ['v=DMARC1; p=reject; psd=n'] };
  const facts = factsOf(zone, { fromDomain: 'a.b.example.com', spf: pass('c.example.com') });
  expect(facts.report).toMatchObject({ psl_differs: true, organizational_domain: 'b.example.com' });
  expect(facts.pslNote).toContain('c.example.com');
  expect(factsOf(reject, { spf: pass('m.example.com') }).pslNote).toBe(null);
});

/** Records, names and failures that reach the corner cases of the walk. */
const record = fc
  .tuple(
    fc.constantFrom('', 'p=none', 'p=quarantine', 'p=reject', 'p=bad'),
    fc.constantFrom('', 'sp=none', 'sp=reject', 'sp=bad'),
    fc.constantFrom('', 'np=none', 'np=reject'),
    fc.constantFrom('', '', 'psd=y', 'psd=n'),
    fc.constantFrom('', 't=y'),
    fc.constantFrom('', 'adkim=s', 'aspf=s'),
    fc.constantFrom('', 'rua=mailto:a@example.com'),
  )
  .map((tags) => ['v=DMARC1', ...tags.filter(Boolean)].join('; '));
const names = ['com', 'example.com', 'b.example.com', 'a.b.example.com'];
const zone = fc
  .tuple(
    ...names.map(() =>
      fc.oneof(
        { weight: 4, arbitrary: fc.array(record, { maxLength: 2 }) },
        { weight: 1, arbitrary: fc.constant('SERVFAIL' as const) },
      ),
    ),
  )
  .map((held) => Object.fromEntries(names.map((name, i) => [name, held[i] ?? []])));

test('agrees with mailauth', async () => {
  const domain = fc.constantFrom(...names.slice(1), 'c.example.com', 'example.net');
  await fc.assert(
    fc.asyncProperty(
      zone,
      fc.constantFrom('example.com', 'a.b.example.com'),
      fc.option(domain),
      fc.array(domain, { maxLength: 2 }),
      fc.boolean(),
      async (held: DmarcZone, fromDomain, spf, dkim, exists) => {
        const ours = judge(held, {
          fromDomain,
          exists: known(exists),
          spf: spf === null ? fail : pass(spf),
          dkim: dkim.map(pass),
        });
        const theirs = await dmarc({
          headerFrom: [`a@${fromDomain}`],
          fromFields: 1,
          spfDomains: (spf === null ? [] : [{ domain: spf }]) as never,
          dkimDomains: dkim.map((one) => ({ domain: one })) as never,
          resolver: async (name: string, type: string) => {
            const error = (code: string) => Object.assign(new Error(code), { code });
            if (type !== 'TXT') {
              if (exists && type === 'A') return ['192.0.2.1'];
              throw error('ENOTFOUND');
            }
            const txt = held[name.replace('_dmarc.', '')];
            if (txt === 'SERVFAIL') throw error('ESERVFAIL');
            if (!txt || txt.length === 0) throw error('ENOTFOUND');
            return txt.map((text) => [text]);
          },
        });
        const result = ours.status === 'known' ? ours.value.report.result : 'temperror';
        expect(result).toBe(theirs === false ? 'permerror' : theirs.status.result);
        if (ours.status === 'known' && (result === 'pass' || result === 'fail'))
          expect(ours.value.report.effective_policy).toBe(theirs ? theirs.policy : null);
      },
    ),
    { numRuns: 500 },
  );
});
