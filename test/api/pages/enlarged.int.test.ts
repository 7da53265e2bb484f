/** Tests that pages with enlarged text are no wider than a phone. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChromium } from '../../support/browser/chromium.ts';
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

test.for(pages)(
  'with text of 130 % no page is wider than a phone: $name',
  async ({ path, events, answer, shows }, context) => {
    const viewport = { width: 360, height: 740 };
    const { api, page, url } = await openTest(
      context,
      browser,
      events,
      { sendCommand },
      { viewport },
    );
    if (answer) api.paid.answer = answer;
    await page.goto(path ? api.base + path : url);
    if (shows) await reads(page, shows);
    await page.evaluate(`document.documentElement.style.fontSize = '130%';
      for (const one of document.querySelectorAll('details')) one.open = true`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  },
);
