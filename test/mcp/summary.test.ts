/** Tests the summary of a report for an agent. */

import { expect, test } from 'vitest';
import { unknown } from '../../src/analysis/lookup-result.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { sampleReport } from '../../src/analysis/sample.ts';
import type { Report } from '../../src/domain/report/report.ts';
import { estimateTokens, summarize } from '../../src/mcp/summary.ts';
import { opinions } from '../support/filters/opinions.ts';
import { facts } from '../support/mail/facts.ts';

const LIMIT = 2000;

const changed = (change: (text: string) => string): Report => ({
  ...sampleReport,
  top_fixes: sampleReport.top_fixes.map((one) => ({ ...one, fix: change(one.fix) })),
  findings: sampleReport.findings.map((one) => ({
    ...one,
    severity: 'fail' as const,
    detail: change(one.detail ?? ''),
  })),
});

test('the summary names score, fixes and everything that is wrong', () => {
  const summary = summarize(sampleReport);
  expect(summary).toMatch(/^Score 89 of 100, grade B, for the email from example\.com/);
  for (const { id } of sampleReport.top_fixes) expect(summary).toContain(id);
  for (const { id, severity } of sampleReport.findings)
    if (severity === 'warn') expect(summary).toContain(`warn ${id}`);
  expect(estimateTokens(summary)).toBeLessThan(LIMIT / 2);
});

test.each<[string, (text: string) => string]>([
  ['every finding fails', (text) => text],
  ['texts are long', (text) => text.repeat(50)],
  ['texts are keys', () => 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(20)],
  ['texts are of another script', () => '受信者に届きません。'.repeat(60)],
  ['texts are signs', () => '=?;:|%&'.repeat(100)],
])('if %s, it stays under the limit and ends with what to do next', (_, change) => {
  const summary = summarize(changed(change));
  expect(estimateTokens(summary)).toBeLessThan(LIMIT);
  expect(summary).toContain('Fix first:');
  expect(summary).toMatch(/explain_finding explains a finding;.*$/);
});

test('an unknown result neither passes nor fails, and limits the score', () => {
  const silent = facts({ dmarc: unknown('dns: TXT _dmarc.example.com: SERVFAIL') });
  const report = makeReport(silent, sampleReport.received_at);
  const summary = summarize(report);
  const lowest = report.score_breakdown?.unknown?.lowest_score;
  expect(summary).toMatch(/^Unknown: dmarc_alignment, dmarc_record.*neither pass nor fail/m);
  expect(summary).toContain(`the score may be as low as ${lowest}.`);
  expect(summary).not.toContain('Nothing to fix.');
});

test('the opinions of spam filters come last, with a note that they do not affect the score', () => {
  const summary = summarize({ ...sampleReport, filters: opinions });
  expect(summary).toContain(
    "Second opinion of spam filters (does not affect the score):\nThis operator's SpamAssassin 4.0.1: Score −1.2 (threshold 5); it would do nothing with the email. Most points: RDNS_NONE.\nThis operator's rspamd: Not checked: it did not respond in time.",
  );
});
