/** Runs `npm run lab -- pictures`, which takes the screenshots in the README. */

import { writeFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestEvent } from '../../../src/domain/events.ts';
import { created, given, ready, TOKEN } from '../../api/harness.ts';
import {
  chromiumPath,
  NO_CHROMIUM,
  openPage,
  startChromium,
} from '../../support/browser/chromium.ts';
import { paid } from '../../support/browser/open-test.ts';
import { serveApi } from '../../support/browser/served-api.ts';
import { anEvent } from '../../support/log/events.ts';
import { TEST_ID } from '../../support/process/instants.ts';

const FOLDER = 'docs/images';

const DESKTOP: BrowserContextOptions = { viewport: { width: 1200, height: 800 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  colorScheme: 'dark',
  hasTouch: true,
};

const REFUSED = anEvent('MailRefused', 30, {
  reasons: [
    {
      code: 'spf_and_dkim_failed',
      detail: 'SPF is none for sender.example from 192.0.2.25, and there is no DKIM signature.',
      evidence: {
        ...{ ip: '192.0.2.25', spf_result: 'none', spf_domain: 'sender.example' },
        dkim: [],
      },
    },
  ],
});

/** Opens the page of a test in the state to which the events lead, with its report paid for or not. */
async function openTest(
  browser: Browser,
  options: BrowserContextOptions,
  events: readonly TestEvent[],
  isPaid = false,
) {
  const api = await serveApi({ mailDomain: 'mailtest.example' });
  await given(api, ...events);
  if (isPaid) api.paid.answer = paid;
  const { page, context } = await openPage(browser, options);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${api.base}/t/${TEST_ID}#${TOKEN}`);
  const close = async () => {
    await context.close();
    await api.stop();
  };
  return { page, close };
}

/** Returns the part of a page that its window shows. */
async function webpOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  return Buffer.from(data, 'base64');
}

async function start(browser: Browser): Promise<Buffer> {
  const api = await serveApi();
  const { page, context } = await openPage(browser, DESKTOP);
  await page.goto(api.base);
  const picture = await webpOf(page);
  await context.close();
  await api.stop();
  return picture;
}

async function address(browser: Browser): Promise<Buffer> {
  const { page, close } = await openTest(browser, DESKTOP, [created()]);
  await page.getByText('QR code').click();
  await page.locator('.qr svg').waitFor();
  const picture = await webpOf(page);
  await close();
  return picture;
}

async function report(browser: Browser, options: BrowserContextOptions): Promise<Buffer> {
  const { page, close } = await openTest(browser, options, [...ready()], true);
  await page.getByRole('heading', { name: 'Fix these first' }).waitFor();
  const picture = await webpOf(page);
  await close();
  return picture;
}

async function screen(browser: Browser, events: readonly TestEvent[], heading: string) {
  const { page, close } = await openTest(browser, PHONE, events);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  const picture = await webpOf(page);
  await close();
  return picture;
}

/** Returns three screens of a phone side by side. */
async function phone(browser: Browser): Promise<Buffer> {
  const screens = [
    await report(browser, PHONE),
    await screen(browser, [...ready()], 'Your report is ready'),
    await screen(browser, [created(), REFUSED], 'Your email was refused. You can send again.'),
  ];
  const { page, context } = await openPage(browser, { viewport: { width: 1218, height: 780 } });
  const images = screens.map(
    (one) => `<img src="data:image/webp;base64,${one.toString('base64')}" width="390">`,
  );
  await page.setContent(
    `<body style="margin:0;display:flex;gap:24px;background:#33383f">${images.join('')}</body>`,
  );
  const picture = await webpOf(page);
  await context.close();
  return picture;
}

/** Runs `npm run lab -- pictures`: takes the pictures of the README again, from the present pages. */
export async function takePictures(): Promise<number> {
  if (!chromiumPath) {
    console.error(NO_CHROMIUM);
    return 2;
  }
  const browser = await startChromium();
  const pictures = { start, address, report: (one: Browser) => report(one, DESKTOP), phone };
  for (const [name, take] of Object.entries(pictures)) {
    const file = `${FOLDER}/${name}.webp`;
    writeFileSync(file, await take(browser));
    console.log(file);
  }
  await browser.close();
  return 0;
}
