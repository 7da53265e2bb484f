import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import type { ApiSettings } from '../../../src/api/options.ts';
import type { TestEvent } from '../../../src/domain/events.ts';
import { startChromium, textOf } from '../../support/browser/chromium.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { anEvent } from '../../support/log/events.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import { arrived, created, given, ready, TOKEN } from '../harness.ts';

let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

const open = (
  context: TestContext,
  events: readonly TestEvent[] = [],
  overrides: Partial<ApiSettings> = {},
) => openTest(context, browser, events, overrides);

describe('the page follows a test', () => {
  test('from the address to the mail, without being touched', async (context) => {
    const { api, page, url, seen } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, `${TEST_ID}@in.mailtest.example`);
    await reads(page, /Send it before /);
    await reads(page, /^\(\d+:\d\d left\)$/);
    await given(api, arrived());
    await reads(page, 'Your mail is here');
    expect(seen.faults).toEqual([]);
    expect(seen.requests.at(-1)?.headers.prefer).toBe('wait=30');
  });

  test('through a refusal to its end, and to its deletion', async (context) => {
    const { api, page, url } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one mail to this address');
    await given(api, anEvent('MailRefused', 30));
    await reads(page, 'Your mail was refused. You can send again.');
    await reads(page, /Send again to the same address before /);
    expect(await page.locator('.reasons li').count()).toBe(1);
    await reads(page, /If the domain’s SPF record has a fault, correct it/);
    await given(api, anEvent('RefusalTimeout', 930));
    await reads(page, 'There is no report on a refused mail');
    await page.getByRole('link', { name: 'Start a new test' }).waitFor();
    await given(api, anEvent('TestDeleted', 940));
    await page.reload();
    await reads(page, 'This test was deleted');
  });

  test.for([
    {
      name: 'no mail',
      events: [created(), anEvent('WindowClosed', 3600)],
      title: 'No mail arrived',
    },
    {
      name: 'a failed analysis',
      events: [created(), arrived(), anEvent('AnalysisFailed', 61)],
      title: 'The analysis did not finish',
    },
  ])('$name ends it with what to do', async ({ events, title }, context) => {
    const { page, url } = await open(context, events);
    await page.goto(url);
    await reads(page, title);
    await page.getByRole('link', { name: 'Start a new test' }).waitFor();
  });

  test('without its key, and with a wrong one, the page says what is missing', async (context) => {
    const { page, api } = await open(context, [...ready()]);
    await page.goto(`${api.base}/t/${TEST_ID}`);
    await reads(page, 'The key is missing');
    await page.goto('about:blank');
    for (const wrong of ['x'.repeat(43), TOKEN.slice(0, 20)]) {
      await page.goto('about:blank');
      await page.goto(`${api.base}/t/${TEST_ID}#${wrong}`);
      await reads(page, 'This key does not fit');
    }
  });

  test('a test that nobody here has seen is unknown, and an id that none can have is no page', async (context) => {
    const { page, api } = await open(context);
    await page.goto(`${api.base}/t/zzzzzzzz7777`);
    await reads(page, 'There is no such test');
    for (const id of ['abc', 'ABCDEFGH2345', 'abcdefgh23456', '']) {
      await page.goto(`${api.base}/t/${id}`);
      await reads(page, 'There is nothing here');
    }
  });

  test('back from another page the reader is where he was, with what he had unfolded', async (context) => {
    const { api, page, url } = await open(context, [...ready()]);
    api.paid.answer = paid;
    // A scroll is over at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(url);
    await reads(page, 'Fix these first');
    await page.locator('.area:not([open]) > summary').last().click();
    const link = page.locator('.finding').last().getByRole('link', { name: 'What this means' });
    await page.locator('.finding').last().locator('summary').click();
    await link.scrollIntoViewIfNeeded();
    await link.hover();
    // Whatever the click itself scrolls: what counts is where the page was when it was left.
    await page.evaluate(
      "addEventListener('pagehide', () => sessionStorage.setItem('left', String(scrollY)))",
    );
    await link.click();
    await page.getByRole('heading', { name: 'Why receivers care' }).waitFor();
    await page.goBack();
    await reads(page, 'Fix these first');
    const before = Number(await page.evaluate("sessionStorage.getItem('left')"));
    expect(before).toBeGreaterThan(2000);
    await expect.poll(() => page.evaluate('scrollY')).toBe(before);
    expect(await link.isVisible()).toBe(true);
  });

  test('offline it says so, and goes on by itself', async (context) => {
    const { api, page, context: profile, url } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one mail to this address');
    await profile.setOffline(true);
    await page.locator('[data-offline]').waitFor();
    await given(api, arrived());
    await profile.setOffline(false);
    await reads(page, 'Your mail is here');
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
  });

  test('while the service does not answer it says why, and goes on by itself', async (context) => {
    const { page, url } = await open(context, [created()]);
    const answer = {
      status: 503,
      headers: { 'retry-after': '1' },
      json: { code: 'log_unavailable' },
    };
    await page.route('**/status', (route) => route.fulfill(answer));
    await page.goto(url);
    await page.locator('[data-offline]', { hasText: 'cannot do this at the moment' }).waitFor();
    await page.unroute('**/status');
    await reads(page, 'Send one mail to this address');
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
  });

  test('an answer that nobody can read ends in a button to try again', async (context) => {
    const { api, page, url } = await open(context, [...ready()]);
    const unreadable = { status: 402, headers: { 'payment-required': '%' }, json: {} };
    await page.route('**/v1/report?*', (route) => route.fulfill(unreadable));
    await page.goto(url);
    await reads(page, 'This did not work');
    await page.unroute('**/v1/report?*');
    api.paid.answer = { ...paid, report: { ...paid.report, findings: 7 as never } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await reads(page, 'Something went wrong on our side.');
    api.paid.answer = paid;
    await page.getByRole('button', { name: 'Try again' }).click();
    await reads(page, 'Fix these first');
  });

  test('behind a path prefix all of it is below the prefix', async (context) => {
    let base = '';
    const { api, page, seen } = await open(context, [...ready()], {
      baseUrl: () => `${base || 'http://127.0.0.1'}/tools/mail`,
    });
    base = api.base;
    api.paid.answer = paid;
    await page.goto(`${base}/tools/mail/`);
    await page.getByRole('button', { name: 'Get a test address' }).click();
    await reads(page, 'Send one mail to this address');
    await page.goto(`${base}/tools/mail/t/${TEST_ID}#${TOKEN}`);
    await reads(page, 'Fix these first');
    for (const { url } of seen.requests) expect(url).toContain(`${base}/tools/mail/`);
    expect(seen.faults).toEqual([]);
  });

  test('where nothing is sold, no page names a price or a wallet', async (context) => {
    const { api, page, url } = await open(context, [...ready()], { payment: null });
    api.paid.answer = paid;
    await page.goto(url);
    await reads(page, 'Fix these first');
    const texts = [await textOf(page)];
    for (const path of ['/', '/sample', '/privacy', '/errors', '/method', `/t/${TEST_ID}`]) {
      await page.goto(api.base + path);
      texts.push(await textOf(page));
    }
    expect(texts.join(' ')).not.toMatch(/wallet|USDC|\$\d|payment|\b402\b/i);
  });

  test('a deletion in one tab ends the report in the other', async (context) => {
    const { api, page, context: profile, url } = await open(context, [...ready()]);
    api.paid.answer = paid;
    const other = await profile.newPage();
    for (const tab of [page, other]) {
      await tab.goto(url);
      await reads(tab, 'Fix these first');
    }
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await reads(page, 'Fix these first');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    for (const tab of [page, other]) await reads(tab, 'This test was deleted');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(TOKEN);
  });
});

test('a second report is compared with the first one, until that is forgotten', async (context) => {
  const { api, page, url } = await open(context, [...ready()]);
  const worse = sampleReport.findings.map((one) =>
    one.id === 'spf_record' ? { ...one, severity: 'fail' as const } : one,
  );
  api.paid.answer = { ...paid, report: { ...paid.report, score: 60, findings: worse } };
  await page.goto(url);
  await reads(page, 'Fix these first');
  const kept = String(await page.evaluate('JSON.stringify(localStorage)'));
  expect(kept).not.toContain(TOKEN);
  expect(kept).not.toMatch(/example|@|192/);

  await page.evaluate('sessionStorage.clear()');
  api.paid.answer = paid;
  // The whole link, put into the address bar of this tab.
  await page.goto(url);
  await reads(page, '29 points better.');
  expect(await page.locator('.comparison').textContent()).toContain('SPF record');
  // A place of the page is in its address, and the key is not.
  await page.locator('.tile').first().click();
  expect(new URL(page.url()).hash).toMatch(/^#area-/);
  await page.reload();
  await reads(page, '29 points better.');
  await page.getByRole('button', { name: 'Forget' }).click();
  expect(await page.evaluate('localStorage.length')).toBe(0);
});
