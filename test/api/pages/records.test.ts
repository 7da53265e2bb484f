/**
 * Tests how the report page shows fixes: the records to copy, where to enter them, and what a fix
 * gains; and that no text becomes markup.
 */

import { expect, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import { texts } from '../../../src/api/pages/texts.ts';
import { findDnsHost } from '../../../src/api/pages/view/dns-hosts.mjs';
import { recordForm, steps } from '../../../src/api/pages/view/fixes.mjs';
import { translator } from '../../../src/api/pages/view/html.mjs';
import { reportView } from '../../../src/api/pages/view/report.mjs';
import type { Action } from '../../../src/domain/report/action.ts';
import type { Report } from '../../../src/domain/report/report.ts';

const context = { t: translator(texts), href: (path: string) => path };

const action = (changes: Partial<Action> = {}): Action => ({
  owner: 'domain_owner',
  kind: 'dns',
  operation: 'publish',
  name: '_dmarc.shop.example',
  type: 'TXT',
  value: 'v=DMARC1; p=none',
  replaces: [],
  points: 1,
  ...changes,
});

const HOSTILE = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;

/** Returns the value with every text in it made hostile, except times. */
const hostile = (value: unknown): unknown => {
  if (typeof value === 'string') return /^\d{4}-/.test(value) ? value : value + HOSTILE;
  if (Array.isArray(value)) return value.map(hostile);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hostile(one)]));
};

test('no text of a report becomes markup, whatever it contains', () => {
  const { markup } = reportView(context, hostile(sampleReport) as Report);
  expect(markup.split('onerror=').length).toBeGreaterThan(400);
  expect(markup).not.toMatch(/<(img|script)/);
  // This also holds within attributes: a quotation mark in the text never ends one.
  expect(markup).not.toMatch(/"'>/);
});

/** Returns the text of the form. */
const form = (changes?: Partial<Action>, servers: readonly string[] = []) =>
  recordForm(context, action(changes), { domain: 'shop.example', servers })
    .markup.replace(/<\/?span[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test.each([
  ['ada.ns.cloudflare.com', 'Cloudflare'],
  ['ns-1.awsdns-00.co.uk', 'Amazon Route 53'],
  ['ns1023.ui-dns.de', 'IONOS'],
  ['ns07.domaincontrol.com', 'GoDaddy'],
  ['cloudflare.com.evil.example', undefined],
])('%s belongs to %s', (server, name) => {
  expect(findDnsHost(['ns.else.example', server])?.name).toBe(name);
});

test('the place where a record is entered follows from the name servers, as far as they tell', () => {
  expect(form({}, ['ada.ns.cloudflare.com'])).toContain('is managed at Cloudflare');
  expect(form({}, ['ns1.small.example'])).toContain(
    'that its name servers (ns1.small.example) belong to',
  );
  expect(form()).toContain('usually the company that sold you the domain');
});

test.each([
  ['_dmarc.shop.example', 'enter _dmarc as the name'],
  ['shop.example', 'enter @ as the name'],
  ['s1._domainkey.other.example', 'enter s1._domainkey as the name'],
])('%s is entered without its domain', (name, says) => {
  expect(form({ name })).toContain(says);
});

test('a name at another domain is not entered at the name servers of this one', () => {
  const text = form({ name: '_dmarc.other.example' }, ['ada.ns.cloudflare.com']);
  expect(text).toContain('where other.example is managed');
  expect(text).not.toContain('managed at Cloudflare');
});

test('reverse DNS is not in the zone of the domain', () => {
  const text = form({ name: '25.2.0.192.in-addr.arpa', type: 'PTR', value: 'mail.shop.example' });
  expect(text).toContain('Name 25.2.0.192.in-addr.arpa');
  expect(text).toContain('the company that rents you the server or its address');
  expect(text).not.toContain('Zone editor');
});

test('a value that only the signer knows is described, and not offered for copying', () => {
  const value = 'Your signer shows the record. Publish it at s1._domainkey.shop.example.';
  const actions = [action({ operation: 'do', name: 's1._domainkey.shop.example', value })];
  const { markup } = steps(context, sampleReport, { fix: value, actions });
  expect(markup).toContain(`<p>${value}</p>`);
  expect(markup).toContain('the full value that your signing system shows you');
  expect(markup).not.toContain(`data-copy="${value}`);
});

test('a file of several lines is shown once, where the text contains it', () => {
  const value = 'version: STSv1\nmode: testing';
  const file = action({ kind: 'server', name: 'https://mta-sts.shop.example/x.txt', value });
  const fix = `Serve this file:\n${value}\nThen publish a record.`;
  const { markup } = steps(context, sampleReport, { fix, actions: [file] });
  const text = markup.replace(/<[^>]*>/g, '');
  expect(text.split('mode: testing')).toHaveLength(2);
  expect(text).toMatch(/Serve this file:[\s\S]*mode: testing[\s\S]*Then publish a record\./);
});

test('a record that an earlier fix shows is referred to, and not shown again', () => {
  const own = sampleReport.top_fixes.map(({ id }, at) => {
    const { actions = [] } = sampleReport.findings.find((one) => one.id === id) ?? {};
    return steps(context, sampleReport, { fix: '', actions, number: at + 1 }).markup;
  });
  expect(own[1]).toContain('data-copy="v=DMARC1; p=none; rua=mailto:dmarc@example.com"');
  expect(own[2]).not.toContain('data-copy="v=DMARC1; p=none; rua=mailto:dmarc@example.com"');
  expect(own[2]).toContain('href="#fix-2"');
});

/** Returns the text of the sample report with other members. */
const textWith = (changes: Partial<Report>) =>
  reportView(context, { ...sampleReport, ...changes }).markup.replace(/<[^>]*>/g, ' ');

test('a sum below 0 is not shown as a score', () => {
  const breakdown = sampleReport.score_breakdown;
  if (!breakdown) return expect.fail('The sample has no sum.');
  const text = textWith({ score: 0, score_breakdown: { ...breakdown, sum: -7 } });
  expect(text).toContain('The problems cost 107 points together, and the score cannot go below 0.');
  expect(text).not.toContain('is -7');
});

test('an unknown finding is named with the score that it could lead to', () => {
  const breakdown = sampleReport.score_breakdown;
  if (!breakdown) return expect.fail('The sample has no sum.');
  const unknown = { lowest_score: 61, findings: ['spamcop_listed'], not_counted: [] };
  const { score } = sampleReport;
  const says = 'could bring the score down to';
  expect(textWith({ score_breakdown: { ...breakdown, unknown } })).toMatch(
    new RegExp(`${says} 61:\\s+SpamCop blocklist`),
  );
  const harmless = { ...unknown, lowest_score: score };
  expect(textWith({ score_breakdown: { ...breakdown, unknown: harmless } })).not.toContain(says);
});

test('a fix gains what the judge says, not what its finding costs', () => {
  const [first] = sampleReport.top_fixes;
  const findings = sampleReport.findings.map((one) =>
    one.id === first?.id
      ? { ...one, points: 15, actions: one.actions?.map((all) => ({ ...all, points: 8 })) ?? [] }
      : one,
  );
  expect(textWith({ findings })).toContain('+8 points');
  expect(textWith({ findings })).not.toContain('+15 points');
});

test('if nothing was found, nothing is called fine', () => {
  const findings = sampleReport.findings.filter(({ id }) => id === 'arc_chain');
  expect(findings).toMatchObject([{ severity: 'info' }]);
  expect(textWith({ findings })).not.toContain('1 fine');
  expect(textWith({ findings })).toContain('nothing to report');
});

test('a name is not reported to differ from itself', () => {
  const { authentication } = sampleReport;
  const spf = { ...authentication.spf, result: 'fail' as const, aligned: false };
  spf.domain = sampleReport.message.header_from.domain ?? '';
  expect(textWith({ authentication: { ...authentication, spf } })).toContain('not proved');
  expect(textWith({ authentication: { ...authentication, spf } })).not.toContain('does not match');
});
