import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { given, TOKEN } from '../../api/harness.ts';
import {
  chromiumPath,
  NO_CHROMIUM,
  openPage,
  startChromium,
} from '../../support/browser/chromium.ts';
import { serveApi } from '../../support/browser/served-api.ts';
import { installWallet } from '../../support/browser/wallet.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import { layoutFaults } from './layout-faults.ts';
import { makeReports } from './reports.ts';
import { type State, statesOf } from './states.ts';

interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/**
 * Takes a picture of every page and state at both widths, in light and dark, and names what is
 * clipped or wider than its box. Resolves to the exit code: 1 when there is such a fault.
 */
export async function runScreens(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string', default: 'screens' },
      only: { type: 'string', default: '' },
      widths: { type: 'string', default: '1280,390' },
      schemes: { type: 'string', default: 'light,dark' },
    },
  });
  if (!chromiumPath) throw new Error(NO_CHROMIUM);
  await mkdir(values.out, { recursive: true });
  const browser = await startChromium();
  const chosen = statesOf(await makeReports()).filter(({ name }) =>
    new RegExp(values.only).test(name),
  );
  let faults = 0;
  for (const width of values.widths.split(',').map(Number))
    for (const colorScheme of values.schemes.split(',') as Look['colorScheme'][])
      for (const state of chosen) {
        const look = { width, colorScheme };
        const file = `${state.name}-${width}-${colorScheme}.png`;
        const found = await take(browser, state, look, `${values.out}/${file}`);
        for (const fault of found) console.log(`${file}: ${fault}`);
        faults += found.length;
      }
  await browser.close();
  console.log(`${chosen.length} states in ${values.out}, ${faults} faults`);
  return faults > 0 ? 1 : 0;
}

/** One picture; gives what is wrong with the layout. */
async function take(browser: Browser, state: State, look: Look, path: string) {
  const api = await serveApi();
  api.clock.now = Date.now();
  await given(api, ...(state.events ?? []));
  if (state.answer) api.paid.answer = state.answer;
  const { width, colorScheme } = look;
  const { page, context, seen } = await openPage(browser, {
    viewport: { width, height: width < 500 ? 844 : 860 },
    colorScheme,
    reducedMotion: 'reduce',
    javaScriptEnabled: !state.withoutScript,
  });
  page.setDefaultTimeout(20_000);
  try {
    if (state.wallet) await installWallet(page, generatePrivateKey(), { behaviour: state.wallet });
    await page.goto(api.base + (state.path ?? `/t/${TEST_ID}#${TOKEN}`));
    if (state.answerToPayment) {
      await page.getByRole('button', { name: 'Pay with' }).waitFor();
      api.paid.answer = state.answerToPayment;
    }
    await reach(page, state);
    if (state.offline) await context.setOffline(true);
    await page.screenshot({ path, fullPage: true });
    return [...(state.withoutScript ? [] : await layoutFaults(page)), ...seen.faults];
  } catch (error) {
    return [String(error)];
  } finally {
    await context.close();
    await api.stop();
  }
}

/** Does what a person would do to get there. */
async function reach(page: Page, { shows, press = [] }: State) {
  for (const text of press)
    await page.locator('main').locator('button, summary').filter({ hasText: text }).first().click();
  if (shows) await page.locator('main').getByText(shows).first().waitFor();
}
