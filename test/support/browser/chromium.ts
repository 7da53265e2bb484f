/** Runs Chromium, and records the requests and the errors of its pages. */

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { WAIT_MS } from '../../run/limits.mjs';

/**
 * Names under which distributions and their images install it. The headless one uses half of the processor
 * time.
 */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Path of the program, or `undefined` if this machine has none. */
export const chromiumPath = [process.env.CHROMIUM_BIN, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
);

export const NO_CHROMIUM = 'there is no Chromium here: install it, or name it in CHROMIUM_BIN';

export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage'],
    timeout: WAIT_MS,
  });

/** A page's requests, and its complaints. */
export interface Seen {
  readonly requests: { readonly url: string; readonly headers: Record<string, string> }[];
  readonly faults: string[];
}

/** Opens a page with a new profile, whose every request is recorded. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en', ...options });
  context.setDefaultTimeout(WAIT_MS);
  const seen: Seen = { requests: [], faults: [] };
  context.on('request', (request) =>
    seen.requests.push({ url: request.url(), headers: request.headers() }),
  );
  context.on('weberror', (error) => seen.faults.push(String(error.error())));
  context.on('console', (message) => {
    // Error responses are part of the story, and Chromium prints each.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      seen.faults.push(message.text());
  });
  const page = await context.newPage();
  return { context, page, seen };
}

/** Returns the text that a person now reads there. */
export const textOf = (page: Page) => page.locator('main').textContent();
