/** Measures how long the pages take on a slow network. */

import type { Browser } from 'playwright-core';
import { readOptions } from '../../../src/config/command-line.ts';
import { created, given, ready, TOKEN } from '../../api/harness.ts';
import {
  chromiumPath,
  NO_CHROMIUM,
  openPage,
  startChromium,
} from '../../support/browser/chromium.ts';
import { paid } from '../../support/browser/open-test.ts';
import { serveApi } from '../../support/browser/served-api.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import { median } from '../bench/statistics.ts';
import { SLOW_3G } from './slow-3g.ts';

/** Number of visits to each page, unless one is given. */
const RUNS = 7;

/** Seconds within which a paid report is shown, in every run. */
const MAX_REPORT_SECONDS = 3;

interface SlowPage {
  readonly name: string;
  readonly path: string;
  /** CSS selector of the element that shows that the reader has what the page is for. */
  readonly shows: string;
  /** True if its test has a report that is paid for; undefined if the page is about no test. */
  readonly isPaid?: boolean;
}

const TEST_PATH = `/t/${TEST_ID}#${TOKEN}`;

const PAGES: readonly SlowPage[] = [
  { name: 'first visit of /', path: '/', shows: '[data-create] button' },
  { name: 'waiting page', path: TEST_PATH, shows: '.address code', isPaid: false },
  { name: 'sample report', path: '/sample', shows: '.report #fixes' },
  { name: 'paid report', path: TEST_PATH, shows: '.report #fixes', isPaid: true },
];

/** Resolves to the milliseconds until a person could see the element: the frame after the next is painted. */
const WATCH = (selector: string) => `
  window.shown = new Promise((resolve) => {
    const look = () => requestAnimationFrame(() => {
      if (!document.querySelector(${JSON.stringify(selector)})?.checkVisibility()) look();
      else requestAnimationFrame(() => resolve(performance.now()));
    });
    look();
  });`;

interface Visit {
  /** Seconds from the beginning of the visit until the page shows what it is for. */
  readonly shown: number;
  readonly requests: number;
  /** Bytes of all responses with their headers, as they are sent. */
  readonly bytes: number;
}

/** Visits a page with an empty cache. */
async function visit(browser: Browser, { path, shows, isPaid }: SlowPage): Promise<Visit> {
  const api = await serveApi();
  if (isPaid !== undefined) await given(api, ...(isPaid ? ready() : [created()]));
  if (isPaid) api.paid.answer = paid;
  const { page, context, seen } = await openPage(browser);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_3G);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(WATCH(shows));
  await page.goto(api.base + path, { waitUntil: 'commit' });
  const shown = Number(await page.evaluate('window.shown')) / 1000;
  await page.waitForLoadState('load');
  await context.close();
  await api.stop();
  return { shown, requests: seen.requests.length, bytes };
}

/**
 * Runs `npm run lab -- slow-page [--runs N]`: visits pages on a slow network, and prints what each loads and how
 * long it takes. Resolves to 1 if a paid report took too long.
 */
export async function runSlowPage(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, { runs: { type: 'string', default: String(RUNS) } });
  if (!chromiumPath) {
    console.error(NO_CHROMIUM);
    return 2;
  }
  const browser = await startChromium();
  const runs = Number(values.runs);
  let worst = 0;
  console.log('page              requests    KiB   seconds, median (worst)');
  for (const page of PAGES) {
    const visits: Visit[] = [];
    for (let run = 0; run < runs; run += 1) visits.push(await visit(browser, page));
    const seconds = visits.map(({ shown }) => shown);
    const [requests, bytes] = [visits.map((one) => one.requests), visits.map((one) => one.bytes)];
    worst = Math.max(...seconds);
    console.log(
      [
        page.name.padEnd(18),
        String(median(requests)).padStart(8),
        (median(bytes) / 1024).toFixed(1).padStart(7),
        `   ${median(seconds).toFixed(2)} (${worst.toFixed(2)})`,
      ].join(''),
    );
  }
  await browser.close();
  console.log(
    `The paid report took at most ${worst.toFixed(2)} s in ${runs} runs; the limit is ${MAX_REPORT_SECONDS} s.`,
  );
  return worst > MAX_REPORT_SECONDS ? 1 : 0;
}
