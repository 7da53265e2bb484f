/** Tests whole visits in Chromium, from the first button to the paid report. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { type Environment, startEnvironment } from '../../environment/environment.ts';
import { demoMail, sendMailPatiently } from '../../environment/mail.ts';
import { payingFetch } from '../../environment/payer.ts';
import { startService } from '../../environment/service-process.ts';
import { toHostAndPort } from '../../environment/story.ts';
import {
  chromiumPath,
  NO_CHROMIUM,
  openPage,
  startChromium,
} from '../../support/browser/chromium.ts';
import { installWallet } from '../../support/browser/wallet.ts';
import { needs } from '../../support/process/needs.ts';

let browser: Browser;
let environment: Environment;
let service: Awaited<ReturnType<typeof startService>>;
const log: string[] = [];

beforeAll(async () => {
  if (!chromiumPath) return;
  browser = await startChromium();
  // Vitest sets a BASE_URL of its own, and settings of the environment take precedence over the demo's.
  environment = await startEnvironment({
    PATH: process.env.PATH,
    LOG_LEVEL: 'debug',
  });
  service = await startService({ env: environment.env, onLog: (line) => log.push(line) });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await environment?.stop();
});

/** Opens a page for a new visitor, with a wallet that holds USDC on the local chain. */
async function visit(context: TestContext) {
  needs(context, chromiumPath, NO_CHROMIUM);
  const { http } = service.listening();
  const opened = await openPage(browser);
  context.onTestFinished(() => opened.context.close());
  const { chain } = environment;
  const wallet = await installWallet(opened.page, chain.payer.privateKey, {
    behaviour: { eth_call: (params) => ask(chain.rpcUrl, 'eth_call', params) },
  });
  return { ...opened, wallet, http };
}

async function ask(url: string, method: string, params: unknown) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const { result } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    result: unknown;
  };
  return result;
}

const reads = (page: Page, text: string) => page.getByText(text).first().waitFor();

const addressOn = async (page: Page) =>
  (await page.locator('.address code').textContent())?.trim() ?? '';

/** Sends as the sender's own host, or as a stranger who only claims to be the sender. */
const send = (to: string, client = environment.client) =>
  sendMailPatiently(demoMail(to, environment.key), {
    ...toHostAndPort(service.listening().smtp),
    client,
  });

test('a visitor gets from one button to a report, and the token goes nowhere', async (context) => {
  const { page, context: profile, seen, wallet, http } = await visit(context);
  await page.goto(http);
  await page.getByRole('button', { name: 'Get a test address' }).click();
  await reads(page, 'Send one email to this address');
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/t\/[a-z2-7]{12}$/);
  const { pathname } = new URL(page.url());
  const copyLink = page.getByRole('button', { name: 'Copy link' });
  const link = (await copyLink.getAttribute('data-copy')) ?? '';
  const token = new URL(link).hash.slice(1);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);

  // Going back and forward loses nothing.
  await page.goBack();
  await page.getByRole('link', { name: 'Continue this test' }).click();
  await reads(page, 'Send one email to this address');
  expect(new URL(page.url()).pathname).toBe(pathname);

  await send(await addressOn(page));
  await page.getByRole('button', { name: 'Pay with Test Wallet' }).click();
  await reads(page, 'Fix these first');
  expect(await environment.chain.usdcBalance(environment.chain.payTo)).toBe(50_000n);
  expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(1);

  // Reading is free again after a reload, and in another tab that has the whole link.
  await page.reload();
  await reads(page, 'Fix these first');
  const other = await profile.newPage();
  await other.goto(link);
  await reads(other, 'Fix these first');
  expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(1);

  // On paper, too, the key must not appear: browsers print the address of a page in its margin.
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.actions').isVisible()).toBe(false);

  // Follows a link to the page of a finding, where a Referer would carry whatever it could.
  await page.emulateMedia({ media: null });
  await page
    .getByRole('link', { name: /^What this means/ })
    .first()
    .click();
  await reads(page, 'Why receivers care');

  // No entry of the history contains the key, because it was removed from the link at once.
  for (const tab of [page, other]) {
    const session = await profile.newCDPSession(tab);
    const { entries } = await session.send('Page.getNavigationHistory');
    for (const { url } of entries) expect(url).not.toContain(token);
  }
  expect(seen.faults).toEqual([]);
  for (const { url, headers } of seen.requests) {
    if (!url.startsWith('data:')) expect(new URL(url).origin).toBe(http);
    expect(url.replace(/#.*/, '')).not.toContain(token);
    expect(headers.referer ?? '').toBe('');
    expect(headers.cookie).toBeUndefined();
  }
  expect(log.join('\n')).not.toContain(token);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(
    token,
  );
  const stranger = await profile.newPage();
  await stranger.goto(http + pathname);
  await reads(stranger, 'The key is missing');
  expect(await stranger.evaluate('JSON.stringify(sessionStorage)')).not.toContain(token);
});

test('a refused email is explained and may be sent again, with the keyboard alone', async (context) => {
  const { page, http } = await visit(context);
  await page.goto(http);
  const press = async (name: string) => {
    const wanted = page.getByRole('main').getByRole('button', { name }).first();
    await wanted.waitFor();
    for (let i = 0; i < 40; i++) {
      const focused = await page.evaluate("document.activeElement?.closest('button')?.textContent");
      if (String(focused).includes(name)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  };
  await press('Get a test address');
  await reads(page, 'Send one email to this address');
  const address = await addressOn(page);
  const stranger = { ip: '198.51.100.7', host: 'mail.stranger.example' };
  const forged = { ...demoMail(address, environment.key), dkim: undefined };
  const { host, port } = toHostAndPort(service.listening().smtp);
  const refusal: Error = await sendMailPatiently(
    forged as Parameters<typeof sendMailPatiently>[0],
    { host, port, client: stranger },
  ).then(
    () => expect.fail('It was taken.'),
    (error) => error,
  );
  expect(refusal.message).toMatch(/550/);
  await reads(page, 'Your email was refused. You can send again.');
  await reads(page, 'Send again to the same address before');

  // The link in the reply, as a bounce shows it, leads to a page without a key.
  const linked = /https?:\S+/.exec(refusal.message)?.[0] ?? '';
  const { page: bounced, context: other } = await openPage(browser);
  await bounced.goto(linked);
  await reads(bounced, 'Why it was refused');
  await other.close();

  await send(address);
  await press('Pay with Test Wallet');
  await reads(page, 'Fix these first');
  await press('Delete now');
  // The dialog traps the focus, and Escape closes it.
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await press('Delete now');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await reads(page, 'This test was deleted');
});

test('without JavaScript, a visitor gets an address, sends an email and reads the report', async (context) => {
  needs(context, chromiumPath, NO_CHROMIUM);
  const { http } = service.listening();
  const { page, context: profile, seen } = await openPage(browser, { javaScriptEnabled: false });
  context.onTestFinished(() => profile.close());
  await page.goto(http);
  await page.getByRole('button', { name: 'Get a test address' }).click();
  await reads(page, 'Send one email to this address');
  const link = (await page.locator('noscript code').textContent()) ?? '';
  const token = new URL(link).hash.slice(1);
  const look = async () => {
    // The page that created the test contains the token once. Later pages ask for it.
    const key = page.getByLabel('Paste the part of the link');
    if (await key.isVisible()) await key.fill(token);
    await page.getByRole('button', { name: 'Check for my email' }).click();
  };
  await look();
  await reads(page, 'Send one email to this address');
  expect(await page.content()).not.toContain(token);
  await send(await addressOn(page));
  await look();
  await reads(page, 'Your report is ready');
  // The report is paid for by a program.
  const testId = new URL(page.url()).pathname.slice('/t/'.length);
  const pay = payingFetch(environment.chain.payer.privateKey, environment.env.X402_NETWORK ?? '');
  const headers = { 'x-read-token': token };
  const { status } = await pay(`${http}/v1/report?test_id=${testId}`, { headers });
  expect(status).toBe(200);
  await look();
  await reads(page, 'Fix these first');
  expect(await page.content()).not.toContain(token);

  // On another device, the part of the link after the # sign is pasted.
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByLabel('Paste the part of the link').fill(token);
  await page.getByRole('button', { name: 'Open' }).click();
  await reads(page, 'Fix these first');
  for (const { url, headers } of seen.requests) {
    expect(url.replace(/#.*/, '')).not.toContain(token);
    expect(headers.referer ?? '').toBe('');
  }
  expect(log.join('\n')).not.toContain(token);

  await page.getByRole('link', { name: 'Sample report', exact: true }).click();
  await reads(page, 'Fix these first');
  await page.getByRole('link', { name: 'What is checked', exact: true }).click();
  await page.getByRole('link', { name: 'DKIM signature', exact: true }).click();
  await reads(page, 'Why receivers care');
});
