/**
 * Tests that notices to a single reader are not taken for newsletters, and that a report explains
 * how it classified an email.
 */

import { expect, test } from 'vitest';
import { costsOf, readWritten, reportOn } from '../mail/score-mail.ts';
import { notices } from './notices.ts';

test.each(notices)('$about loses nothing for a missing way to unsubscribe', (notice) => {
  const { headers } = readWritten(notice);
  const report = reportOn(notice);
  const { evidence, confidence } = headers.classification;
  expect(headers.bulk.isBulk, `${confidence}: ${evidence.join('; ')}`).toBe(false);
  expect(report.grade, costsOf(report)).toBe('A');
});

test('a program is no person, although its address contains its name', () => {
  const signsOf = (from: string, fields = {}) =>
    readWritten({ from, subject: 'Report', body: 'The report is attached.', fields }).headers
      .classification.evidence;
  const person = 'From address of a person';
  expect(signsOf('Nora Hale <nora@hale.com>')).toContain(person);
  expect(signsOf('DMARC Report <noreply-dmarc@hale.com>')).not.toContain(person);
  const generated = { 'Auto-Submitted': 'auto-generated' };
  expect(signsOf('Nora Hale (Jira) <jira@hale.com>', generated)).not.toContain(person);
});

test('a report says how an email was classified, with what certainty, and why', () => {
  const offer = {
    from: 'Nordlicht <news@nordlicht.com>',
    subject: 'Boots: 30% off',
    body: 'Until Friday. Shop now: https://www.nordlicht.com/boots\n\nUnsubscribe: https://www.nordlicht.com/u',
  };
  const findingOf = (written: typeof offer) =>
    reportOn(written).findings.find(({ id }) => id === 'list_unsubscribe');
  expect(findingOf(offer)?.detail).toMatch(
    /^Classified as marketing \(confidence 0\.\d+: words typical of an offer in the subject; .*\), which is bulk mail; the header is absent\.$/,
  );
  expect(findingOf(offer)?.evidence?.signs).toContain('From address of a newsletter');
  expect(findingOf({ ...offer, from: 'Nordlicht <hello@nordlicht.com>' })?.detail).toMatch(
    /^Classified as marketing \(confidence 0\.\d+: .*\), which may be bulk mail; the header is absent\.$/,
  );
});
