/** Tests how a report is printed on paper. */

import { execFileSync, spawnSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding, Report } from '../../../src/domain/report/report.ts';
import { startChromium } from '../../support/browser/chromium.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { needs } from '../../support/process/needs.ts';
import { ready } from '../harness.ts';

let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

const hasPdftotext = spawnSync('pdftotext', ['-v']).status === 0;

const KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv9bKDJAEO30Y0KjLMcMJxj'.repeat(6);

/** Each value is longer than a line, with spaces and hyphens wherever a line could break. */
const VALUES = {
  key: `v=DKIM1; k=rsa; p=${KEY}`,
  networks: `v=spf1 ${Array.from({ length: 40 }, (_, i) => `ip4:192.0.2.${i * 6}/${i % 2 ? 32 : 31}`).join(' ')} -all`,
  hyphens: `v=spf1 ${Array.from({ length: 24 }, (_, i) => `include:spf-a-${i}-b.mail-out-${'x'.repeat(i % 7)}.send-er.example`).join(' ')} ~all`,
  // A value with a hyphen after every other letter, and a long word.
  comb: `v=TLSRPTv1; rua=mailto:${'a-'.repeat(60)}z@reports.example`,
  word: `v=BIMI1; l=https://logo.example/${'w'.repeat(300)}.svg`,
  doubled: `v=spf1  ${'ip4:203.0.113.9  '.repeat(20)}-all`,
};

const names = Object.fromEntries(
  Object.keys(VALUES).map((key) => [
    key,
    `${key}-of-the-month-${'sub-domain-'.repeat(9)}x._domainkey.send-er.example`,
  ]),
) as Record<keyof typeof VALUES, string>;

const action = (key: keyof typeof VALUES): Action => ({
  owner: 'domain_owner',
  kind: 'dns',
  operation: 'replace',
  name: names[key],
  type: 'TXT',
  value: VALUES[key],
  replaces: [`v=spf1 include:old-${key}.example -all`],
  points: 3,
});

/** Returns a report with two records in the fixes, two in findings below them, and two in improvements. */
function withRecords(): Report {
  const keys = Object.keys(VALUES) as (keyof typeof VALUES)[];
  const fixOf = (key: keyof typeof VALUES) => ({
    id: `finding_${key}`,
    title: `Record of ${key}`,
    fix: `Replace the TXT record at ${names[key]} with:\n${VALUES[key]}`,
  });
  const findings = keys.map(
    (key, i): Finding => ({
      ...fixOf(key),
      area: 'spf',
      severity: i < 4 ? 'fail' : 'info',
      checked: true,
      state: 'bad',
      points: i < 4 ? 3 : 0,
      actions: [action(key)],
    }),
  );
  const { spf } = sampleReport.authentication;
  return {
    ...paid.report,
    top_fixes: keys.slice(0, 2).map(fixOf),
    suggestions: [...keys.slice(4).map(fixOf), ...sampleReport.suggestions],
    findings: [...findings, ...sampleReport.findings],
    authentication: {
      ...sampleReport.authentication,
      spf: { ...spf, record: VALUES.networks, records: [VALUES.networks] },
    },
  };
}

test.for([
  ['A4', '-raw'],
  ['A4', ''],
  ['Letter', ''],
  ['A5', ''],
])(
  'on %s, each record can be copied from the PDF in full (pdftotext %s)',
  async ([format = '', mode], context) => {
    const { page, api, url } = await openTest(context, browser, [...ready()]);
    needs(context, hasPdftotext, 'pdftotext is not installed');
    const report = withRecords();
    api.paid.answer = { ...paid, report };
    await page.goto(url);
    await reads(page, 'Fix these first');
    const pdf = await page.pdf({ format });
    const args = [...(mode ? [mode] : []), '-', '-'];
    const text = execFileSync('pdftotext', args, { input: pdf, encoding: 'utf8' });
    const joined = text.replace(/[\n\f]/g, '');
    const asked = report.findings.flatMap(({ actions = [] }) => actions);
    const records = asked.filter(({ kind, operation }) => kind === 'dns' && operation !== 'do');
    expect(records.length).toBeGreaterThan(8);
    for (const { name, value, replaces } of records) {
      // On paper, runs of spaces are positions, so a program that reads the PDF sees only one space.
      const missing = [name, value, ...replaces].filter(
        (one) => one !== null && !joined.replace(/ +/g, ' ').includes(one.replace(/ +/g, ' ')),
      );
      expect(missing).toEqual([]);
    }
    // The published record is shown among the DNS queries.
    expect(joined).toContain(VALUES.networks);
  },
);

test('on paper, nothing is beside a record, and the improvements are included', async (context) => {
  const { page, api, url } = await openTest(context, browser, [...ready()]);
  api.paid.answer = { ...paid, report: withRecords() };
  await page.goto(url);
  await reads(page, 'Fix these first');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1000 });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await page.locator('.where:visible').count()).toBe(0);
  expect(await page.locator('.actions').isVisible()).toBe(false);
  for (const key of Object.keys(VALUES))
    expect(await page.getByRole('heading', { name: `Record of ${key}` }).count()).toBeGreaterThan(
      0,
    );
  const beside = await page.evaluate(`(() => {
    const boxes = [...document.querySelectorAll('main .record')].filter((one) => one.checkVisibility());
    const texts = [...document.querySelectorAll('main :is(p, h2, h3, h4, li, dt, td, th)')].filter((one) => one.checkVisibility());
    return boxes.flatMap((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      return texts.filter((one) => !box.contains(one) && !one.contains(box)).filter((one) => {
        const own = one.getBoundingClientRect();
        return own.bottom > top + 1 && own.top < bottom - 1;
      }).map((one) => one.textContent);
    });
  })()`);
  expect(beside).toEqual([]);
});

test('the sample is few pages, although all of it is on them', async (context) => {
  const { page, api } = await openTest(context, browser);
  await page.goto(`${api.base}/sample`);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBeLessThanOrEqual(5);
});
