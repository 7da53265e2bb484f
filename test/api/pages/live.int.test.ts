/**
 * Tests in Chromium that the page of a test follows its state, and how “Test again” creates the
 * next test and compares the reports.
 */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { toRefusal } from '../../../src/actors/receiver/refusal.ts';
import { sampleReport } from '../../../src/analysis/sample.ts';
import type { ApiSettings } from '../../../src/api/options.ts';
import type { TestEvent } from '../../../src/domain/events.ts';
import { toReply } from '../../../src/domain/replies.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { startChromium, textOf } from '../../support/browser/chromium.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { anEvent } from '../../support/log/events.ts';
import { T0, TEST_ID } from '../../support/process/instants.ts';
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
  test('from the address to the email, without being touched', async (context) => {
    const { api, page, url, seen } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, `${TEST_ID}@in.mailtest.example`);
    await reads(page, /Send it before /);
    await reads(page, /^\(\d+:\d\d left\)$/);
    await given(api, arrived());
    await reads(page, 'Your email has arrived');
    expect(seen.faults).toEqual([]);
    expect(seen.requests.at(-1)?.headers.prefer).toBe('wait=30');
  });

  test('through a refusal to its end, and to its deletion', async (context) => {
    const { api, page, url } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one email to this address');
    await given(api, anEvent('MailRefused', 30));
    await reads(page, 'Your email was refused. You can send again.');
    await reads(page, /Send again to the same address before /);
    expect(await page.locator('.reasons li').count()).toBe(1);
    await reads(
      page,
      'If the sending address is yours, list it in the SPF record, or sign with DKIM.',
    );
    await given(api, anEvent('RefusalTimeout', 930));
    await reads(page, 'A refused email gets no report');
    await page.getByRole('button', { name: 'Start a new test' }).waitFor();
    await given(api, anEvent('TestDeleted', 940));
    await page.reload();
    await reads(page, 'This test was deleted');
  });

  test('a refusal shows the words of the SMTP reply and any missing record, and another test is free', async (context) => {
    const evidence = {
      ip: '192.0.2.25',
      spf_result: 'none',
      spf_domain: 'sender.example',
      dkim: [],
    };
    const reasons = [{ code: 'spf_and_dkim_failed' as const, detail: 'SPF is none.', evidence }];
    const refusal = anEvent('MailRefused', 30, { reasons });
    const { api, page, url } = await open(context, [created(), refusal]);
    await page.goto(url);
    const remedy = 'If 192.0.2.25 is yours, publish an SPF record that lists it, or sign with DKIM';
    expect(toReply(toRefusal(reasons[0] as (typeof reasons)[0], 0)).text).toContain(remedy);
    for (const title of ['You can send again', 'Your email was refused']) {
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await reads(page, remedy);
      const copies = await page.evaluate(
        "[...document.querySelectorAll('.record [data-copy]')].map((one) => one.dataset.copy)",
      );
      expect(copies).toEqual(['sender.example', 'v=spf1 ip4:192.0.2.25 ~all']);
      await given(api, anEvent('RefusalTimeout', 930));
    }
    await reads(page, 'Another test is free.');
    await page.getByRole('button', { name: 'Start a new test' }).click();
    await reads(page, 'Send one email to this address');
  });

  test.for([
    {
      name: 'no email',
      events: [created(), anEvent('WindowClosed', 3600)],
      title: 'No email arrived',
    },
    {
      name: 'a failed analysis',
      events: [created(), arrived(), anEvent('AnalysisFailed', 61)],
      title: 'The analysis did not finish',
    },
  ])('$name ends it, with the next step', async ({ events, title }, context) => {
    const { page, url } = await open(context, events);
    await page.goto(url);
    await reads(page, title);
    await page.getByRole('button', { name: 'Start a new test' }).waitFor();
  });

  test('without its key, and with a wrong one, the page says what is missing', async (context) => {
    const { page, api } = await open(context, [...ready()]);
    await page.goto(`${api.base}/t/${TEST_ID}`);
    await reads(page, 'The key is missing');
    await page.goto('about:blank');
    for (const wrong of ['x'.repeat(43), TOKEN.slice(0, 20)]) {
      await page.goto('about:blank');
      await page.goto(`${api.base}/t/${TEST_ID}#${wrong}`);
      await reads(page, 'This key does not match');
    }
  });

  test('a test that nobody here has seen is unknown, and an impossible id is not a page', async (context) => {
    const { page, api } = await open(context);
    await page.goto(`${api.base}/t/zzzzzzzz7777`);
    await reads(page, 'There is no such test');
    for (const id of ['abc', 'ABCDEFGH2345', 'abcdefgh23456', '']) {
      await page.goto(`${api.base}/t/${id}`);
      await reads(page, 'There is nothing here');
    }
  });

  test('after going back from another page, the reader is in the same place, with the same parts unfolded', async (context) => {
    const { api, page, url } = await open(context, [...ready()]);
    api.paid.answer = paid;
    // With reduced motion, a scroll is over at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(url);
    await reads(page, 'Fix these first');
    await page.locator('.area:not([open]) > summary').last().click();
    const link = page.locator('.finding').last().getByRole('link', { name: 'What this means' });
    await page.locator('.finding').last().locator('summary').click();
    await link.scrollIntoViewIfNeeded();
    await link.hover();
    // The click itself may scroll, so the position of the page when it was left is what counts.
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

  test('while it waits, it names the price of the report, like the start page, and nothing of a report', async (context) => {
    const { api, page, context: profile } = await open(context);
    await page.goto(api.base);
    const costs =
      'The report costs $0.05, paid in USDC on Base from a crypto wallet. You cannot pay by card.';
    await reads(page, costs);
    // Version 1.0.0 left this entry in the browser.
    await page.evaluate("localStorage.setItem('last-report', '{}')");
    await page.getByRole('button', { name: 'Get a test address' }).click();
    await reads(page, costs);
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/t\/[a-z2-7]{12}$/);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.reload();
    await reads(page, costs);
    expect(await textOf(page)).not.toMatch(/score|grade|\d+ to fix/i);
    await page.evaluate("localStorage.setItem('last-report', '{}')");
    const other = await profile.newPage();
    await other.goto(api.base);
    await expect.poll(() => other.evaluate('localStorage.length')).toBe(0);
  });

  test('restored from the browser’s cache, it follows its test only once', async (context) => {
    const { api, page, url, seen } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one email to this address');
    const polls = () => seen.requests.filter((one) => one.url.endsWith('/status')).length;
    // One poll gets the present status, and one waits for the next.
    await expect.poll(polls).toBe(2);
    await page.evaluate(`for (const type of ['pagehide', 'pageshow'])
      dispatchEvent(new PageTransitionEvent(type, { persisted: true }))`);
    await expect.poll(polls).toBe(4);
    await given(api, arrived());
    await reads(page, 'Your email has arrived');
    expect(polls()).toBe(5);
  });

  test('over plain HTTP, where browsers offer no clipboard, the buttons copy nevertheless', async (context) => {
    const { page, url } = await open(context, [created()]);
    await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined });
      addEventListener('copy', () => { window.copied = document.activeElement.value; });`);
    await page.goto(url);
    const button = page.getByRole('button', { name: 'Copy: Your test address' });
    await button.click();
    await expect.poll(() => button.textContent()).toBe('Copied');
    expect(await page.evaluate('window.copied')).toBe(`${TEST_ID}@in.mailtest.example`);
    expect(await page.evaluate('document.activeElement.dataset.copy')).toBeTruthy();
    expect(await page.locator('textarea').count()).toBe(0);
  });

  test('a reader who stopped the browser after a click can click again', async (context) => {
    const { page, api } = await open(context);
    await page.clock.install();
    await page.goto(api.base);
    let asked = 0;
    await page.route(`${api.base}/`, (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      asked += 1;
      return asked > 1 ? route.continue() : route.abort('aborted');
    });
    const click = () => page.evaluate("document.querySelector('[data-create] button').click()");
    await click();
    await expect.poll(() => asked).toBe(1);
    await click();
    await page.clock.fastForward(10_000);
    await click();
    await reads(page, 'Send one email to this address');
    expect(asked).toBe(2);
  });

  test('if it is offline, it says so, and later continues on its own', async (context) => {
    const { api, page, context: profile, url } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one email to this address');
    await profile.setOffline(true);
    await page.locator('[data-offline]').waitFor();
    await given(api, arrived());
    await profile.setOffline(false);
    await reads(page, 'Your email has arrived');
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
  });

  test('if the service does not respond, it says why, and later continues on its own', async (context) => {
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
    await reads(page, 'Send one email to this address');
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
  });

  test.for([400, 404, 408, 500])(
    'a page of a proxy with status %i instead of the test’s is an outage, and not a fault of the key',
    async (status, context) => {
      const { page, url } = await open(context, [created()]);
      const headers = { 'retry-after': 'Sat, 28 Nov 2026 19:00:00 GMT' };
      let asked = 0;
      await page.route('**/status', (route) => {
        asked += 1;
        return asked === 1
          ? route.fulfill({ status, headers, body: '<h1>Proxy</h1>' })
          : route.continue();
      });
      await page.goto(url);
      await page.locator('[data-offline]', { hasText: 'cannot be reached' }).waitFor();
      expect(asked).toBe(1);
      await reads(page, 'Send one email to this address');
      await page.locator('[data-offline]').waitFor({ state: 'hidden' });
    },
  );

  test('an unreadable response ends in a button to try again', async (context) => {
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

  test('behind a path prefix, everything is below the prefix', async (context) => {
    let base = '';
    const { api, page, seen } = await open(context, [...ready()], {
      baseUrl: () => `${base || 'http://127.0.0.1'}/tools/mail`,
    });
    base = api.base;
    api.paid.answer = paid;
    await page.goto(`${base}/tools/mail/`);
    await page.getByRole('button', { name: 'Get a test address' }).click();
    await reads(page, 'Send one email to this address');
    await page.goto(`${base}/tools/mail/t/${TEST_ID}#${TOKEN}`);
    await reads(page, 'Fix these first');
    for (const { url } of seen.requests) expect(url).toContain(`${base}/tools/mail/`);
    expect(seen.faults).toEqual([]);
  });

  test('if nothing is sold, no page names a price or a wallet', async (context) => {
    const { api, page, url } = await open(context, [...ready()], { payment: null });
    api.paid.answer = paid;
    await page.goto(url);
    await reads(page, 'Fix these first');
    const texts = [await textOf(page)];
    for (const path of ['/', '/sample', '/privacy', '/errors', '/method', `/t/${TEST_ID}`]) {
      await page.goto(api.base + path);
      texts.push(await textOf(page));
    }
    await page.goto(api.base);
    await page.getByRole('button', { name: 'Get a test address' }).click();
    await reads(page, 'Send one email to this address');
    texts.push(await textOf(page));
    expect(texts.join(' ')).not.toMatch(/wallet|USDC|\$\d|payment|\b402\b|report costs/i);
  });

  test('a deletion in one tab closes the report in the other', async (context) => {
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

describe('“Test again”', () => {
  /**
   * The report of the first test, which is worse, and has a finding that the second report does not have.
   */
  const first = {
    ...paid.report,
    score: 60,
    grade: 'C' as const,
    findings: [
      ...sampleReport.findings.map((one) =>
        one.id === 'spf_record' ? { ...one, severity: 'fail' as const, points: 12 } : one,
      ),
      { ...sampleReport.findings[0], id: 'gone_since', severity: 'warn' as const, points: 3 },
    ].filter((one) => one.id !== 'images_alt') as Report['findings'],
  };

  /**
   * Presses the button, and makes the service return a report for the new test that may not be paid for yet.
   */
  async function testAgain(page: Page) {
    await page.getByRole('button', { name: 'Test again (a new report costs $0.05)' }).click();
    await reads(page, 'Send one email to this address');
    await expect.poll(() => page.url()).toMatch(/\/t\/[a-z2-7]{12}$/);
    const id = page.url().slice(-12);
    expect(id).not.toBe(TEST_ID);
    return id;
  }

  /** From now on, the new test has its report. */
  async function isReady(page: Page, id: string) {
    const { body } = (await page.evaluate(
      `fetch('/v1/tests/${id}/status').then(async (one) => ({ body: await one.json() }))`,
    )) as { body: object };
    await page.route(`**/v1/tests/${id}/status`, (route) =>
      route.fulfill({ json: { ...body, status: 'ready', poll_after_seconds: 0 } }),
    );
  }

  test('creates the next test at once, and compares its report only in this tab', async (context) => {
    const { api, page, url, seen } = await open(context, [...ready()]);
    await page.clock.setFixedTime(T0 + 120_000);
    api.paid.answer = { ...paid, report: first };
    await page.goto(url);
    await reads(page, 'Fix these first');
    expect(await page.locator('.comparison').count()).toBe(0);

    const id = await testAgain(page);
    expect(api.log.all().filter(({ event }) => event.type === 'TestCreated')).toHaveLength(2);
    const kept = String(await page.evaluate(`sessionStorage.getItem('baseline:${id}')`));
    expect(Object.keys(JSON.parse(kept)).sort()).toEqual(['findings', 'of', 'score', 'until']);
    for (const one of JSON.parse(kept).findings)
      expect(one).toEqual([expect.any(String), expect.anything(), expect.any(Number)]);
    expect(kept).not.toMatch(/example\.|@|192\.|"title|mail\./);
    expect(await page.evaluate('localStorage.length')).toBe(0);

    // Before payment, nothing of the second report is shown, and nothing is compared.
    await isReady(page, id);
    await page.route('**/v1/report?*', (route) =>
      route.continue({
        url: `${api.base}/v1/report?test_id=${TEST_ID}`,
        headers: { ...route.request().headers(), 'x-read-token': TOKEN },
      }),
    );
    api.paid.answer = api.refused('payment_required');
    await page.reload();
    await reads(page, 'You pay');
    expect(await textOf(page)).not.toMatch(/\b(?:60|89)\b|Better|Worse|Grade|to fix/);

    api.paid.answer = paid;
    await page.reload();
    await reads(page, 'Compared with the previous report');
    const text = (await page.locator('.comparison').textContent()) ?? '';
    expect(text).toContain('60 → 89 29 points better.');
    expect(text).toMatch(/Better: 2.*SPF record of the envelope domain: Failed \(−12\) → Passed/s);
    expect(text).toContain('gone since: Warning (−3) → Absent');
    expect(text).toMatch(/Worse: 1.*Image alt text: Absent → Warning \(−2\)/s);
    expect(text).toMatch(/Still to fix: 4/);
    expect(text).toMatch(/\d+ other results stayed the same/);
    await page.reload();
    await reads(page, '29 points better.');
    for (const { url: one } of seen.requests) expect(one).not.toContain('baseline');
    await page.getByRole('button', { name: 'Forget' }).click();
    expect(await page.evaluate(`sessionStorage.getItem('baseline:${id}')`)).toBeNull();
    expect(seen.faults).toEqual([]);
  });

  test('is forgotten when the first report is deleted, and after its 24 hours', async (context) => {
    const { api, page, url } = await open(context, [...ready()]);
    await page.clock.setFixedTime(T0 + 120_000);
    api.paid.answer = { ...paid, report: first };
    await page.goto(url);
    await reads(page, 'Fix these first');
    const id = await testAgain(page);
    const baseline = () => page.evaluate(`sessionStorage.getItem('baseline:${id}')`);
    const kept = JSON.parse(String(await baseline()));
    expect(kept.of).toBe(TEST_ID);

    await page.clock.setFixedTime(T0 + 25 * 3_600_000);
    await page.reload();
    await reads(page, 'Send one email to this address');
    await expect.poll(baseline).toBeNull();

    await page.clock.setFixedTime(T0 + 120_000);
    await page.evaluate(
      `sessionStorage.setItem('baseline:${id}', ${JSON.stringify(JSON.stringify(kept))})`,
    );
    await page.goto(url);
    await reads(page, 'Fix these first');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await reads(page, 'This test was deleted');
    expect(await baseline()).toBeNull();
  });
});
