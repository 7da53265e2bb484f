/** Tests that pages with enlarged text are no wider than a phone. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChromium } from '../../support/browser/chromium.ts';
import { layoutFaults } from '../../support/browser/layout-faults.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { anEvent } from '../../support/log/events.ts';
import { created, ready } from '../harness.ts';

let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

const sendCommand = `a-command ${'with-a-long-word'.repeat(9)} {address}`;

/** The pages with the longest words, each given by its path, or as a test and what it then shows. */
const pages = [
  { name: '/', path: '/' },
  { name: '/findings', path: '/findings' },
  { name: '/findings/spf_record', path: '/findings/spf_record' },
  { name: '/method', path: '/method' },
  { name: '/privacy', path: '/privacy' },
  { name: '/errors', path: '/errors' },
  { name: 'waiting', events: [created()], shows: 'Send one email to this address' },
  {
    name: 'refused',
    events: [created(), anEvent('MailRefused', 1)],
    shows: 'Why it was refused',
  },
  { name: 'payment', events: [...ready()], shows: 'Your report is ready' },
  { name: 'report', events: [...ready()], answer: paid, shows: 'Fix these first' },
];

test.for(pages.flatMap((page) => [130, 200].map((percent) => ({ ...page, percent }))))(
  'with text of $percent %, no page is wider than a phone: $name',
  async ({ path, events, answer, shows, percent }, context) => {
    const viewport = { width: 360, height: 740 };
    const { api, page, url } = await openTest(
      context,
      browser,
      events,
      { sendCommand },
      { viewport },
    );
    if (answer) api.paid.answer = answer;
    // The size is changed as in the settings of a browser, which also changes widths in the style sheet.
    const session = await page.context().newCDPSession(page);
    const fontSizes = {
      standard: Math.round((16 * percent) / 100),
      fixed: Math.round((13 * percent) / 100),
    };
    await session.send('Page.setFontSizes', { fontSizes });
    await page.goto(path ? api.base + path : url);
    if (shows) await reads(page, shows);
    expect(await page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe(
      `${fontSizes.standard}px`,
    );
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await layoutFaults(page)).toEqual([]);
  },
);
