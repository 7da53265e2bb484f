/** Tests the accessibility, the layout and the size of the pages in Chromium. */

import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import { toBaseline } from '../../../src/api/pages/view/comparison.mjs';
import {
  chromiumPath,
  NO_CHROMIUM,
  openPage,
  startChromium,
} from '../../support/browser/chromium.ts';
import { layoutFaults } from '../../support/browser/layout-faults.ts';
import { serveApi } from '../../support/browser/served-api.ts';
import { anEvent } from '../../support/log/events.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import { needs } from '../../support/process/needs.ts';
import { arrived, created, given, ready, TOKEN } from '../harness.ts';

/**
 * KiB that a first visit may load, compressed as it is sent. A link to a report loads the code that pays and
 * the code that shows the report.
 */
const FIRST_LOAD_KIB = 64;

const MAX_SHIFT = 0.05;

const LONG = 'a-very-long-label-of-sixty-three-characters-that-no-screen-holds.'.repeat(3);

const HOSTILE = '"><img src=x onerror=alert(1)>\u202egnp.exe';

/** A report in which no requirement is met, each for three reasons, and the score is a range. */
const unmet: typeof sampleReport = {
  ...sampleReport,
  score_breakdown: {
    ...{ families: [], sum: 89, cap: null },
    unknown: { lowest_score: 12, findings: ['spf_result'], not_counted: [] },
  },
  message: {
    ...sampleReport.message,
    compliance: {
      ...sampleReport.message.compliance,
      requirements: sampleReport.message.compliance?.requirements?.map((one) => ({
        ...one,
        status: 'not_met' as const,
        missing: ['dkim_key_size', 'dmarc_policy', 'dmarc_rua'],
      })),
    } as NonNullable<(typeof sampleReport)['message']['compliance']>,
  },
};

/**
 * The same report as a hostile email can cause it, with names too long for any screen and texts of one word.
 */
const unlikely: typeof sampleReport = JSON.parse(
  JSON.stringify(unmet)
    .replaceAll(/(?<!@)\bexample\.com\b/g, `${LONG}example.com`)
    .replaceAll('"detail":"', `"detail":${JSON.stringify(HOSTILE).slice(0, -1)} `),
);

/** The earlier report: some of its results got better, worse or disappeared, and one title has no words. */
const before: typeof sampleReport = {
  ...sampleReport,
  score: 60,
  grade: 'C',
  findings: sampleReport.findings
    .filter(({ id }) => id !== 'images_alt')
    .map((one, i) => {
      if (i % 7 === 0) return { ...one, severity: 'fail' as const, points: 12 };
      return i % 7 === 1 ? { ...one, checked: false } : one;
    })
    .concat({ ...sampleReport.findings[0], id: LONG.replaceAll(/\W/g, '_') } as never),
};

/** The part of the earlier report that a tab keeps for the comparison, as JSON. */
const kept = JSON.stringify({
  of: 'zzzzzzzz7777',
  until: '9999-12-31T00:00:00Z',
  ...toBaseline(before),
});

const paidFor = (report: typeof sampleReport) => ({
  report: { ...report, test_id: TEST_ID },
  receipt: { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:8453' },
});

/** Sums up everything that moved without a user's action (Cumulative Layout Shift). */
const WATCH_SHIFTS = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath) browser = await startChromium();
});
afterAll(() => browser?.close());

/**
 * The layout depends on the width and the contrast on the scheme. Two pairs contain each of both, and take half
 * of the time of four.
 */
const VIEWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

/** Returns the faults that axe and measurements find at both widths, one in light and one in dark. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 844 });
    // A colour in the middle of a transition has no meaningful contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = (await page.evaluate(
      `axe.run({ selectors: false, resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
    )) as string[];
    found.push(...(await layoutFaults(page)));
    faults.push(...found.map((one) => `${width} ${colorScheme} ${one}`));
  }
  return faults;
}

async function open(context: TestContext) {
  needs(context, chromiumPath, NO_CHROMIUM);
  const api = await serveApi();
  const opened = await openPage(browser, { viewport: { width: 1280, height: 844 } });
  context.onTestFinished(async () => {
    await opened.context.close();
    await api.stop();
  });
  await opened.page.addInitScript(WATCH_SHIFTS);
  await opened.page.addInitScript(axe.source);
  return { api, ...opened };
}

const shiftOf = async (page: Page) => Number(await page.evaluate('window.shift'));

test('public pages have no fault, wide and in light or narrow and in dark', async (context) => {
  const { api, page, seen } = await open(context);
  const urls = ['/', '/sample', '/findings', '/findings/dkim_present', '/method', '/errors'];
  for (const url of [...urls, '/privacy', '/nothing']) {
    await page.goto(api.base + url);
    expect(await faultsOf(page), url).toEqual([]);
    expect(await shiftOf(page), url).toBeLessThan(MAX_SHIFT);
  }
  expect(seen.faults).toEqual([]);
  for (const { url } of seen.requests) expect(new URL(url).origin).toBe(api.base);
});

const TEST_URL = `/t/${TEST_ID}#${TOKEN}`;

const headingOf = (page: Page) => (name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

test('a test has none in any state before its report', async (context) => {
  const { api, page, seen } = await open(context);
  const heading = headingOf(page);
  await given(api, created());
  await page.goto(api.base + TEST_URL);
  await heading('Send one email to this address');
  for (const details of await page.locator('.ways summary').all()) await details.click();
  await page.locator('.qr svg').waitFor();
  expect(await faultsOf(page), 'waiting').toEqual([]);

  await given(api, anEvent('MailRefused', 30));
  await heading('Your email was refused. You can send again.');
  expect(await faultsOf(page), 'refused').toEqual([]);

  await given(api, arrived());
  await heading('Your email has arrived');
  expect(await faultsOf(page), 'processing').toEqual([]);

  await given(api, ...ready().slice(2));
  await heading('Your report is ready');
  await page.getByText('No wallet was found').waitFor();
  expect(await faultsOf(page), 'paying').toEqual([]);
  expect(await shiftOf(page)).toBeLessThan(MAX_SHIFT);
  expect(seen.faults).toEqual([]);
});

/** Opens a test whose report this reader has paid for. */
async function openPaid(context: TestContext, report: typeof sampleReport) {
  const opened = await open(context);
  await given(opened.api, ...ready());
  opened.api.paid.answer = paidFor(report);
  await opened.page.goto(opened.api.base + TEST_URL);
  await opened.page.getByRole('heading', { name: 'Fix these first' }).waitFor();
  return opened;
}

test.for(Object.entries({ unlikely, report: sampleReport }))(
  'a paid report has none: %s',
  async ([, report], context) => {
    const { page, seen } = await openPaid(context, report);
    expect(await shiftOf(page)).toBeLessThan(MAX_SHIFT);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await faultsOf(page)).toEqual([]);
    expect(seen.faults).toEqual([]);
  },
);

test.for(Object.entries({ unlikely, report: sampleReport }))(
  'a comparison of reports has none: %s',
  async ([, report], context) => {
    const { page, seen } = await openPaid(context, report);
    await page.evaluate(`sessionStorage.setItem('baseline:${TEST_ID}', ${JSON.stringify(kept)})`);
    await page.reload();
    await page.getByRole('heading', { name: 'Compared with the previous report' }).waitFor();
    for (const list of [/^Better:/, /^Worse:/, /^Changed,/, /^Still to fix:/])
      await page.getByRole('heading', { name: list }).waitFor();
    expect(await shiftOf(page)).toBeLessThan(MAX_SHIFT);
    expect(await faultsOf(page)).toEqual([]);
    expect(seen.faults).toEqual([]);
  },
);

test('the deletion of a report has none', async (context) => {
  const { page, seen } = await openPaid(context, sampleReport);
  await page.getByRole('button', { name: 'Delete now' }).click();
  expect(await faultsOf(page), 'dialog').toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await headingOf(page)('This test was deleted');
  expect(await faultsOf(page), 'deleted').toEqual([]);
  expect(seen.faults).toEqual([]);
});

test('a first visit loads little, on every page', async (context) => {
  const { api, page, context: profile } = await open(context);
  await given(api, ...ready());
  const session = await profile.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  for (const url of ['/', '/sample', '/findings', TEST_URL]) {
    await session.send('Network.clearBrowserCache');
    bytes = 0;
    await page.goto(api.base + url, { waitUntil: 'networkidle' });
    expect(bytes, url).toBeGreaterThan(1024);
    expect(bytes / 1024, url).toBeLessThan(FIRST_LOAD_KIB);
  }
});
