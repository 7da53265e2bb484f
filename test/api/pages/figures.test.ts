/**
 * Tests that the figures on the report page add up, and how pages name the price, its currency and
 * its network.
 */

import { expect, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import { texts } from '../../../src/api/pages/texts.ts';
import { translator } from '../../../src/api/pages/view/html.mjs';
import { reportView } from '../../../src/api/pages/view/report.mjs';
import type { Finding, Report } from '../../../src/domain/report/report.ts';
import { anApi } from '../harness.ts';

const context = { t: translator(texts), href: (path: string) => path };

/** Returns the markup of the sample report with other members. */
const markupWith = (changes: Partial<Report>) =>
  reportView(context, { ...sampleReport, ...changes }).markup;

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Returns the tile of an area: its symbol and its text. */
function tileOf(report: Partial<Report>, area: string) {
  const [, tile = ''] =
    new RegExp(`<a class="tile" href="#area-${area}">(.*?)</a>`, 's').exec(markupWith(report)) ??
    [];
  return { sign: /class="sign (\w+)"/.exec(tile)?.[1], text: textOf(tile) };
}

const finding = (id: string, changes: Partial<Finding>): Finding => ({
  ...{ id, area: 'spf', title: id, severity: 'pass', checked: true },
  ...changes,
});
const passed = finding('a', {});
const note = finding('b', { severity: 'info' });
const silent = finding('c', { severity: 'info', checked: false });
const open = (...findings: string[]): Partial<Report> => ({
  score_breakdown: {
    ...{ families: [], sum: 89, cap: null },
    unknown: { lowest_score: 50, findings, not_counted: [] },
  },
});

test.each<[string, readonly Finding[], Partial<Report>, string, string]>([
  ['a note beside what passes', [passed, note], {}, 'pass', '1 fine'],
  ['what nobody could look up', [passed, silent], {}, 'pass', '1 fine, 1 not checked'],
  ['what could cost points', [passed, silent], open('c'), 'info', '1 fine, 1 not checked'],
  ['nothing but notes', [note], {}, 'info', 'nothing to report'],
  ['a warning', [passed, finding('d', { severity: 'warn' })], {}, 'warn', '1 to fix'],
  ['a failure', [note, finding('d', { severity: 'fail' })], {}, 'fail', '1 to fix'],
])('the tile of an area with %s', (_name, findings, report, sign, text) => {
  const tile = tileOf({ ...report, findings: [...findings] }, 'spf');
  expect(tile.sign).toBe(sign);
  expect(tile.text).toContain(`SPF ${text}`);
});

test('the figures of a receiver add up to its requirements', () => {
  const { requirements = [] } = sampleReport.message.compliance ?? {};
  const gmail = requirements.filter(({ receiver }) => receiver === 'gmail');
  const text = textOf(markupWith({}));
  const [, met, unseen] = /Gmail (\d+) met (\d+) that one email cannot show/.exec(text) ?? [];
  expect(Number(met) + Number(unseen)).toBe(gmail.length);
  expect(text).toContain('Microsoft all 4 met');
  expect(text).toContain('What Gmail, Yahoo, Microsoft, and Apple ask for');
});

test('a single sign of a kind is shown as one sign, and not as a share of signs', () => {
  const text = textOf(markupWith({}));
  expect(sampleReport.classification?.evidence).toHaveLength(1);
  expect(text).toContain('80% sure');
  expect(text).toContain('The sign that was found:');
});

test('a suggestion counts the lookups of the SPF record as the report does', () => {
  const { lookups, tree = [] } = sampleReport.authentication.spf;
  const { fix = '' } = sampleReport.suggestions.find(({ id }) => id === 'spf_lookup_limit') ?? {};
  expect(fix).toContain(`needs ${lookups} DNS lookups`);
  const listed = tree.filter((one) => one.lookups > 0).map((one) => `${one.term} ${one.lookups}`);
  expect(fix).toContain(`Lookups per term: ${listed.join(', ')}.`);
});

test('if no single fix raises the score, each says what its problem costs', () => {
  const sum = -40;
  const findings = sampleReport.findings.map((one) => ({
    ...one,
    actions: one.actions?.map((action) => ({ ...action, points: 0 })),
  })) as Finding[];
  const { families = [], cap = null } = sampleReport.score_breakdown ?? {};
  const text = textOf(
    markupWith({ score: 0, grade: 'F', findings, score_breakdown: { families, cap, sum } }),
  );
  expect(text).toContain('Together, the problems cost 140 points, so the score stays at 0');
  for (const { id, title } of sampleReport.top_fixes) {
    const { points = 0 } = findings.find((one) => one.id === id) ?? {};
    expect(text).toContain(`${title} costs ${points} points`);
  }
});

test.each(['A', 'B', 'C', 'D', 'F'] as const)(
  'the headline of grade %s promises no place in a mailbox, and the page says that none is measured',
  (grade) => {
    const markup = markupWith({ grade });
    const [, headline = ''] = /<h1>(.*?)<\/h1>/.exec(markup) ?? [];
    expect(headline).not.toMatch(/spam|inbox|deliver|land/i);
    expect(textOf(markup.slice(0, markup.indexOf('id="fixes"')))).toContain(
      'It does not say whether the email reaches the inbox or the spam folder.',
    );
  },
);

test('if something unknown could change the grade, the headline says so', () => {
  const markup = markupWith({ ...open('c'), score: 89, grade: 'B' });
  expect(markup).toContain('<h1>Grade D to B: not everything could be checked</h1>');
});

test('before there is a test, the start page says what money a report costs and how to get it', async () => {
  const { app } = await anApi();
  const text = textOf((await app.inject({ url: '/', headers: { accept: 'text/html' } })).body);
  const before = text.slice(0, text.indexOf('How it works'));
  for (const part of ['$0.05', 'USDC on Base', 'crypto wallet', 'You cannot pay by card'])
    expect(before).toContain(part);
  expect(before).toContain('One dollar is enough for 20 reports.');
});

test('the currency and the network have one name on every page', () => {
  const named = Object.values(texts).join('\n');
  expect(named).not.toMatch(/USD Coin|stablecoin|8453|eip155/);
});
