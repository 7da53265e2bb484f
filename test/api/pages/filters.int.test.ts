/** Tests how the opinions of spam filters appear on the report page. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChromium } from '../../support/browser/chromium.ts';
import { layoutFaults } from '../../support/browser/layout-faults.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { opinions } from '../../support/filters/opinions.ts';
import { ready } from '../harness.ts';

let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

const answerWith = (filters = opinions) => ({ ...paid, report: { ...paid.report, filters } });

describe('the box of the second opinion', () => {
  test.for([
    { name: 'a desktop', viewport: { width: 1280, height: 800 } },
    { name: 'a tablet', viewport: { width: 800, height: 1000 } },
    { name: 'a phone', viewport: { width: 360, height: 740 } },
  ])(
    'on $name is beside the score, and its title says whose filter it is',
    async ({ viewport }, context) => {
      const { api, page, url, seen } = await openTest(
        context,
        browser,
        [...ready()],
        {},
        { viewport },
      );
      api.paid.answer = answerWith();
      await page.goto(url);
      await reads(page, "This operator's SpamAssassin 4.0.1");
      await reads(page, 'Score −1.2 (threshold 5); it would do nothing with the email.');
      await reads(page, 'Not checked: it did not respond in time.');
      await reads(page, /a low one promises nothing/);
      await page.locator('.opinion summary').click();
      await reads(page, 'The sending server has no confirmed reverse name.');
      const head = page.locator('.report-head');
      expect(await head.locator('.opinion').count()).toBe(1);
      expect(await head.locator('.opinion').textContent()).not.toMatch(/\bgood\b|pass|✓/i);
      expect(await head.locator('.opinion .pass, .opinion .sign').count()).toBe(0);
      expect(await layoutFaults(page)).toEqual([]);
      expect(seen.faults).toEqual([]);
    },
  );

  test('shows markup in a name as text', async (context) => {
    const { api, page, url, seen } = await openTest(context, browser, [...ready()]);
    const name = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    api.paid.answer = answerWith([
      { ...opinions[0], rules: [{ name, points: 1, about: name }] },
    ] as never);
    await page.goto(url);
    await page.locator('.opinion summary').click();
    await reads(page, name);
    expect(await page.locator('.opinion img, .opinion script').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
    expect(seen.faults).toEqual([]);
  });

  test('does not exist without filters, and nothing of it is loaded', async (context) => {
    const { api, page, url, seen } = await openTest(context, browser, [...ready()]);
    api.paid.answer = paid;
    await page.goto(url);
    await reads(page, 'Fix these first');
    expect(await page.locator('.opinion').count()).toBe(0);
    expect(seen.requests.filter(({ url }) => url.includes('filter'))).toEqual([]);
  });
});
