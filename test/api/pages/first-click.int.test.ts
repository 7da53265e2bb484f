/**
 * Tests on a slow phone that the first click works at once and creates one test, and how much the
 * pages load up to the report.
 */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SLOW_3G } from '../../lab/slow-page/slow-3g.ts';
import { startChromium } from '../../support/browser/chromium.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { ready } from '../harness.ts';

/** Bytes that the start page may load, compressed as they are sent. */
const START_BYTES = 13_000;

/** Requests until a paid report is shown. Without HTTP/2, a browser makes at most six at a time. */
const MAX_REQUESTS = 9;

let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

test.for([true, false])(
  'on a slow network the first click works as soon as there is a button (script: %s)',
  async (javaScriptEnabled, context) => {
    const opened = await openTest(context, browser, [], {}, { javaScriptEnabled });
    const { page, api, context: profile } = opened;
    const session = await profile.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_3G);
    await page.goto(api.base, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Get a test address' }).click();
    await reads(page, /^[a-z2-7]{12}$|@in\.mailtest\.example/);
    expect(api.log.all().map(({ event }) => event.type)).toEqual(['TestCreated']);
  },
);

test('the response is the page, the address survives a reload, and no test is created twice', async (context) => {
  const { page, api, seen } = await openTest(context, browser);
  await page.goto(api.base);
  await page.getByRole('button', { name: 'Get a test address' }).click();
  const address = page.locator('.address code');
  const first = await address.textContent();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/t\/[a-z2-7]{12}$/);
  await page.reload();
  await reads(page, 'Copy link');
  expect(await address.textContent()).toBe(first);
  expect(api.log.all()).toHaveLength(1);
  expect(seen.faults).toEqual([]);
});

test('obstacles are explained on a page, not in JSON', async (context) => {
  const rateLimits = { create: 1, wrongToken: 0, unknownId: 0, default: 0 };
  const { page, api } = await openTest(context, browser, [], { rateLimits });
  // Tests that are created by the API and by the page count together.
  await fetch(`${api.base}/v1/tests`, { method: 'POST' });
  await page.goto(api.base);
  await page.getByRole('button', { name: 'Get a test address' }).click();
  await reads(page, 'Too many requests from your network.');
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await reads(page, 'Find out what makes your email look like spam');
});

test('the start page loads little', async (context) => {
  const { page, api, context: profile } = await openTest(context, browser);
  const session = await profile.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(api.base, { waitUntil: 'networkidle' });
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThan(START_BYTES);
});

test('a report needs few requests, each of which the page itself names', async (context) => {
  const { page, api, url, seen } = await openTest(context, browser, [...ready()]);
  api.paid.answer = paid;
  const html = await (await fetch(url)).text();
  await page.goto(url);
  await reads(page, 'Fix these first');
  await page.waitForLoadState('networkidle');
  const assets = seen.requests.map((one) => one.url).filter((one) => one.includes('/assets/'));
  // The page itself names every file, so that none is discovered only after another has loaded.
  for (const one of assets) expect(html).toContain(`"${new URL(one).pathname}"`);
  expect(seen.requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
});
