/** Tests which policies and report addresses the corrected DMARC record keeps, and what raises a policy. */

import { expect, test } from 'vitest';
import { correctedRecord, raisedRecord } from '../../../src/analysis/dmarc/corrected-record.ts';
import { raiseSteps } from '../../../src/analysis/dmarc/fixes.ts';
import { tagsOf } from '../../../src/analysis/dmarc/parse.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { facts } from '../../support/mail/facts.ts';
import { tried } from '../../support/mail/spf-trials.ts';
import { dmarc as perfect } from './facts.ts';

type Rua = NonNullable<(typeof perfect)['report']['rua']>;

/** DMARC facts of this record, which acts as `policy`. */
const published = (record: string, policy: 'none' | 'quarantine' | 'reject', rua: Rua = []) => ({
  ...perfect,
  published: [record],
  tags: tagsOf(record).filter(([name]) => name !== 'v'),
  report: { ...perfect.report, record, policy, effective_policy: policy, rua },
});

const correctionOf = (dmarc: ReturnType<typeof published>) =>
  correctedRecord(dmarc, facts({ dmarc: { value: dmarc } }));

test.each([
  ['v=DMARC1; p=monitor; sp=reject', 'none', 'v=DMARC1; p=none'],
  ['v=DMARC1; sp=reject; np=reject; t=y', 'none', 'v=DMARC1; p=none'],
  ['v=DMARC1; p=none; sp=monitor; np=reject', 'none', 'v=DMARC1; p=none'],
  ['v=DMARC1; p=reject; sp=monitor', 'none', 'v=DMARC1; p=none'],
  ['v=DMARC1; p=none; sp=reject', 'none', 'v=DMARC1; p=none; sp=reject'],
  ['v=DMARC1; p=quarantine; np=reject', 'quarantine', 'v=DMARC1; p=quarantine; np=reject'],
] as const)('of %s, the policies that receivers apply are kept', (record, policy, expected) => {
  const corrected = correctionOf(published(record, policy));
  expect(corrected.replace(/; rua=.*/, '')).toBe(expected);
});

const at = (domain: string): Rua[number] => ({
  uri: `mailto:reports@${domain}`,
  external: true,
  authorized: false,
  has_mx: true,
});

test.each([
  ['gmail.com', 'mailto:dmarc@example.com'],
  ['outlook.com', 'mailto:dmarc@example.com'],
  ['reports.example.net', 'mailto:reports@reports.example.net,mailto:dmarc@example.com'],
])('reports to %s, which has not agreed to receive them', (domain, rua) => {
  const record = `v=DMARC1; p=reject; rua=mailto:reports@${domain}`;
  const corrected = correctionOf(published(record, 'reject', [at(domain)]));
  expect(corrected).toBe(`v=DMARC1; p=reject; rua=${rua}`);
});

test('a free email provider is not asked to authorize reports', async () => {
  const record = 'v=DMARC1; p=reject; rua=mailto:reports@gmail.com';
  const dmarc = { value: published(record, 'reject', [at('gmail.com')]) };
  const names = { fromMx: { value: { mx: [], nullMx: true } } };
  const { findings } = makeReport(await tried(facts({ dmarc, names })), '2026-11-20T12:00:02.000Z');
  const steps = findings.find(({ id }) => id === 'dmarc_rua')?.actions ?? [];
  expect(steps.map(({ value }) => value)).toEqual([
    expect.stringMatching(/^Which mailbox can receive the reports\? gmail\.com does not accept/),
  ]);
});

test('without a report address, no stricter record is printed', () => {
  const noMail = facts({ names: { fromMx: { value: { mx: [], nullMx: true } } } });
  const dmarc = published('v=DMARC1; p=none', 'none');
  const steps = raiseSteps(dmarc, noMail, raisedRecord(dmarc, noMail));
  expect(steps.map(({ kind }) => kind)).toEqual(['ask']);
  expect(steps[0]?.value).toMatch(
    /^Where can the reports go\?.* set p=quarantine in the same record/,
  );
});
