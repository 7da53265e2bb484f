/** Opens the page of a test in Chromium, in any state, and waits for text on it. */

import type { Browser, Page } from 'playwright-core';
import type { TestContext } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import type { ApiSettings } from '../../../src/api/options.ts';
import type { TestEvent } from '../../../src/domain/events.ts';
import { given, TOKEN } from '../../api/harness.ts';
import { TEST_ID } from '../process/instants.ts';
import { needs } from '../process/needs.ts';
import { chromiumPath, NO_CHROMIUM, openPage } from './chromium.ts';
import { serveApi } from './served-api.ts';

/** The response to a payment that was accepted. */
export const paid = {
  report: { ...sampleReport, test_id: TEST_ID },
  receipt: { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:8453' },
};

/** True if there is a browser to start. */
export const hasChromium = chromiumPath !== undefined;

/** Returns a page with a new profile, and the fixture's test in the state to which the events lead. */
export async function openTest(
  context: TestContext,
  browser: Browser,
  events: readonly TestEvent[] = [],
  overrides: Partial<ApiSettings> = {},
  options: Parameters<typeof openPage>[1] = {},
) {
  needs(context, chromiumPath, NO_CHROMIUM);
  const api = await serveApi(overrides);
  await given(api, ...events);
  const opened = await openPage(browser, options);
  context.onTestFinished(async () => {
    await opened.context.close();
    await api.stop();
  });
  return { api, ...opened, url: `${api.base}/t/${TEST_ID}#${TOKEN}` };
}

/** Waits until a person could read the text on the page. */
export const reads = (page: Page, text: string | RegExp) =>
  page.locator('main').getByText(text).first().waitFor();
