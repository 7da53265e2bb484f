/** Tests the notes at the end of a report, such as the arithmetic of the score. */

import { expect, test } from 'vitest';
import type { Facts } from '../../src/analysis/facts.ts';
import { unknown } from '../../src/analysis/lookup-result.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { bulkMail, facts, type Part } from '../support/mail/facts.ts';
import { linkDomain } from './links/facts.ts';

const reportOf = (...parts: Part<Facts>[]) =>
  makeReport(facts(...parts), '2026-11-20T12:00:02.000Z');

const noPtr: Part<Facts> = { connection: { ptr: { value: [] } } };
const policyNone: Part<Facts> = { dmarc: { value: { report: { effective_policy: 'none' } } } };
const flagged: Part<Facts> = {
  webRisk: { hosts: { 'www.example.com': { threats: ['MALWARE'], expiresAt: null } } },
  content: {
    value: { attachmentFaults: [{ severity: 'fail', extension: 'exe', kind: 'executable' }] },
  },
  spf: { value: { report: { record: null, records: [] } } },
};

test.each([
  [[], 'score: 100'],
  [[policyNone], 'score: 100 - 3 dmarc = 97'],
  [[noPtr, policyNone], 'score: 100 - 3 dmarc - 12 rdns = 85, capped at 59 by rdns_ptr'],
  [[flagged], 'score: 100 - 12 spf - 40 attach - 60 linkrep = -12, raised to 0'],
])('the arithmetic is printed: %#', (parts, line) => {
  expect(reportOf(...parts).notes[0]).toBe(line);
});

test.each([[[]], [[noPtr]], [[noPtr, policyNone]], [[flagged]], [[bulkMail, noPtr]]])(
  'anybody can repeat the sum: %#',
  (parts) => {
    const { notes, score } = reportOf(...parts);
    const line = notes[0] ?? '';
    const lost = [...line.matchAll(/ - (\d+) \w+/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    const cap = Number(/capped at (\d+)/.exec(line)?.[1] ?? 100);
    expect(score).toBe(Math.min(Math.max(0, 100 - lost), cap));
  },
);

test('every report says what it is based on and what was not done', () => {
  const notes = reportOf({ remarks: ['3 more signatures were not evaluated'] }).notes.join('\n');
  expect(notes).toContain('findings catalogue: version 2');
  expect(notes).toContain('not inbox placement');
  expect(notes).toContain('links were not opened');
  expect(notes).toContain('complaint rate cannot be measured');
  expect(notes).toContain('URLs that the sender publishes in DNS');
  expect(notes).toContain('deleted at 2026-11-21T12:00:01.000Z');
  expect(notes).toContain('3 more signatures were not evaluated');
});

test('a sender of bulk email is told once where complaints can be seen', () => {
  const told = (...parts: Part<Facts>[]) =>
    reportOf(...parts).notes.filter((note) => /Postmaster Tools.*Sender Hub.*SNDS/.test(note))
      .length;
  expect([told(bulkMail), told({ headers: { value: { bulk: { mayBe: true } } } }), told()]).toEqual(
    [1, 1, 0],
  );
});

const reputation: [Part<Facts>, string][] = [
  [{ webRisk: { configured: false } }, 'not checked, no service'],
  [{}, 'which was sent only host names'],
  [{ links: { value: { report: { domains: [] } } } }, 'no links to check'],
  [
    { links: { value: { report: { domains: [{ ...linkDomain, ip_literal: true }] } } } },
    'no links',
  ],
  [{ links: unknown('content: not read') }, 'the links were not read'],
];

test.each(reputation)('link reputation: %j', (part, expected) => {
  expect(reportOf(part).notes.join('\n')).toMatch(new RegExp(`link reputation: .*${expected}`));
});
