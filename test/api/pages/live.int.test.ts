import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { sampleReport } from '../../../src/analysis/sample.ts';
import type { ApiSettings } from '../../../src/api/options.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { TestEvent } from '../../../src/domain/events.ts';
import {
  chromiumPath,
  NO_CHROMIUM,
  openPage,
  startChromium,
  textOf,
} from '../../support/browser/chromium.ts';
import { serveApi } from '../../support/browser/served-api.ts';
import { type Behaviour, installWallet, refuse } from '../../support/browser/wallet.ts';
import { anEvent } from '../../support/log/events.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import { needs } from '../../support/process/needs.ts';
import { arrived, created, given, ready, TOKEN } from '../harness.ts';

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath) browser = await startChromium();
});
afterAll(() => browser?.close());

const paid = {
  report: { ...sampleReport, test_id: TEST_ID },
  receipt: { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:8453' },
};

/** A page of the test of the fixture, in the state that the events lead to. */
async function open(
  context: TestContext,
  events: readonly TestEvent[] = [],
  overrides: Partial<ApiSettings> = {},
) {
  needs(context, chromiumPath, NO_CHROMIUM);
  const api = await serveApi(overrides);
  await given(api, ...events);
  const opened = await openPage(browser);
  context.onTestFinished(async () => {
    await opened.context.close();
    await api.stop();
  });
  return { api, ...opened, url: `${api.base}/t/${TEST_ID}#${TOKEN}` };
}

/** Waits until a person could read it. */
const reads = (page: Page, text: string | RegExp) =>
  page.locator('main').getByText(text).first().waitFor();

describe('the page follows a test', () => {
  test('from the address to the mail, without being touched', async (context) => {
    const { api, page, url, seen } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, `${TEST_ID}@in.mailtest.example`);
    await reads(page, /Send it within \d/);
    await given(api, arrived());
    await reads(page, 'Your mail is here');
    expect(seen.faults).toEqual([]);
    expect(seen.requests.at(-1)?.headers.prefer).toBe('wait=30');
  });

  test('through a refusal to its end, and to its deletion', async (context) => {
    const { api, page, url } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one mail to this address');
    await given(api, anEvent('MailRefused', 30));
    await reads(page, 'Your mail was refused. You can send again.');
    await reads(page, /Time left: \d/);
    expect(await page.locator('.reasons li').count()).toBe(1);
    await reads(page, /Add its address to the domain’s SPF record/);
    await given(api, anEvent('RefusalTimeout', 930));
    await reads(page, 'There is no report on a refused mail');
    await page.getByRole('link', { name: 'Start a new test' }).waitFor();
    await given(api, anEvent('TestDeleted', 940));
    await page.reload();
    await reads(page, 'This test was deleted');
  });

  test.for([
    {
      name: 'no mail',
      events: [created(), anEvent('WindowClosed', 3600)],
      title: 'No mail arrived',
    },
    {
      name: 'a failed analysis',
      events: [created(), arrived(), anEvent('AnalysisFailed', 61)],
      title: 'The analysis did not finish',
    },
  ])('$name ends it with what to do', async ({ events, title }, context) => {
    const { page, url } = await open(context, events);
    await page.goto(url);
    await reads(page, title);
    await page.getByRole('link', { name: 'Start a new test' }).waitFor();
  });

  test('without its key, and with a wrong one, the page says what is missing', async (context) => {
    const { page, api } = await open(context, [...ready()]);
    await page.goto(`${api.base}/t/${TEST_ID}`);
    await reads(page, 'The key is missing');
    await page.goto('about:blank');
    await page.goto(`${api.base}/t/${TEST_ID}#${'x'.repeat(43)}`);
    await reads(page, 'This key does not fit');
  });

  test('offline it says so, and goes on by itself', async (context) => {
    const { api, page, context: profile, url } = await open(context, [created()]);
    await page.goto(url);
    await reads(page, 'Send one mail to this address');
    await profile.setOffline(true);
    await page.locator('[data-offline]').waitFor();
    await given(api, arrived());
    await profile.setOffline(false);
    await reads(page, 'Your mail is here');
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
  });

  test('while the service does not answer it says why, and goes on by itself', async (context) => {
    const { page, url } = await open(context, [created()]);
    const answer = {
      status: 503,
      headers: { 'retry-after': '1' },
      json: { code: 'log_unavailable' },
    };
    await page.route('**/status', (route) => route.fulfill(answer));
    await page.goto(url);
    await page.locator('[data-offline]', { hasText: 'cannot do this at the moment' }).waitFor();
    await page.unroute('**/status');
    await reads(page, 'Send one mail to this address');
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
  });

  test('an answer that nobody can read ends in a button to try again', async (context) => {
    const { api, page, url } = await open(context, [...ready()]);
    const unreadable = { status: 402, headers: { 'payment-required': '%' }, json: {} };
    await page.route('**/v1/report?*', (route) => route.fulfill(unreadable));
    await page.goto(url);
    await reads(page, 'This did not work');
    await page.unroute('**/v1/report?*');
    api.paid.answer = { ...paid, report: { ...paid.report, findings: 7 as never } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await reads(page, 'Something went wrong on our side.');
    api.paid.answer = paid;
    await page.getByRole('button', { name: 'Try again' }).click();
    await reads(page, 'Fix these first');
  });

  test('behind a path prefix all of it is below the prefix', async (context) => {
    let base = '';
    const { api, page, seen } = await open(context, [...ready()], {
      baseUrl: () => `${base || 'http://127.0.0.1'}/tools/mail`,
    });
    base = api.base;
    api.paid.answer = paid;
    await page.goto(`${base}/tools/mail/`);
    await page.getByRole('button', { name: 'Get a test address' }).click();
    await reads(page, 'Send one mail to this address');
    await page.goto(`${base}/tools/mail/t/${TEST_ID}#${TOKEN}`);
    await reads(page, 'Fix these first');
    for (const { url } of seen.requests) expect(url).toContain(`${base}/tools/mail/`);
    expect(seen.faults).toEqual([]);
  });

  test('where nothing is sold, no page names a price or a wallet', async (context) => {
    const { api, page, url } = await open(context, [...ready()], { payment: null });
    api.paid.answer = paid;
    await page.goto(url);
    await reads(page, 'Fix these first');
    const texts = [await textOf(page)];
    for (const path of ['/', '/sample', '/privacy', '/errors', '/method', '/t/abc']) {
      await page.goto(api.base + path);
      texts.push(await textOf(page));
    }
    expect(texts.join(' ')).not.toMatch(/wallet|USDC|\$\d|payment|\b402\b/i);
  });

  test('a deletion in one tab ends the report in the other', async (context) => {
    const { api, page, context: profile, url } = await open(context, [...ready()]);
    api.paid.answer = paid;
    const other = await profile.newPage();
    for (const tab of [page, other]) {
      await tab.goto(url);
      await reads(tab, 'Fix these first');
    }
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await reads(page, 'Fix these first');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    for (const tab of [page, other]) await reads(tab, 'This test was deleted');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(TOKEN);
  });
});

describe('paying', () => {
  const opening = async (
    context: TestContext,
    options: Parameters<typeof installWallet>[2] = {},
  ) => {
    const opened = await open(context, [...ready()]);
    const wallet = await installWallet(opened.page, generatePrivateKey(), options);
    await opened.page.goto(opened.url);
    const button = opened.page.getByRole('button', { name: 'Pay with Test Wallet' });
    await button.waitFor();
    return { ...opened, wallet, button };
  };

  test('shows amount, network and payee before any wallet is opened', async (context) => {
    const { page, wallet } = await opening(context);
    const text = await textOf(page);
    for (const part of ['$0.05', '0.05 USD Coin', 'Base (8453)', `0x${'4'.repeat(40)}`])
      expect(text).toContain(part);
    expect(wallet.calls).toEqual([]);
  });

  const cases: { name: string; behaviour: Behaviour; chainId?: number; says: string }[] = [
    {
      name: 'the connection declined',
      behaviour: { eth_requestAccounts: refuse(4001) },
      says: 'You did not let this page see an account.',
    },
    {
      name: 'no account',
      behaviour: { eth_requestAccounts: () => [] },
      says: 'Your wallet has no account for this page.',
    },
    {
      name: 'a question open already',
      behaviour: { eth_requestAccounts: refuse(-32002) },
      says: 'Your wallet has a question open already.',
    },
    {
      name: 'locked',
      behaviour: { eth_requestAccounts: refuse(4100) },
      says: 'Your wallet is locked',
    },
    {
      name: 'the change of network declined',
      chainId: 1,
      behaviour: { wallet_switchEthereumChain: refuse(4001) },
      says: 'You did not change the network.',
    },
    {
      name: 'a network that is not known, and declined',
      chainId: 1,
      behaviour: {
        wallet_switchEthereumChain: refuse(4902),
        wallet_addEthereumChain: refuse(4001),
      },
      says: 'Your wallet does not know Base, and you did not add it.',
    },
    {
      name: 'still on another network',
      chainId: 1,
      behaviour: {},
      says: 'Your wallet is still on another network.',
    },
    {
      name: 'no USDC',
      behaviour: { eth_call: () => `0x${(49_999).toString(16).padStart(64, '0')}` },
      says: 'This account has 0.049999 USDC on Base, and the report costs 0.05.',
    },
    {
      name: 'the signature declined',
      behaviour: { eth_signTypedData_v4: refuse(4001) },
      says: 'You did not sign. Nothing was paid.',
    },
    {
      name: 'unable to sign this',
      behaviour: { eth_signTypedData_v4: refuse(-32601) },
      says: 'This wallet cannot sign this kind of payment.',
    },
    {
      name: 'at a loss',
      behaviour: { eth_signTypedData_v4: refuse(-32603, '<b>out of order</b>') },
      says: 'It says: <b>out of order</b>',
    },
  ];
  test('every refusal of a wallet is explained, and nothing is sent', async (context) => {
    const { api, page, wallet, button } = await opening(context);
    for (const { name, behaviour, chainId, says } of cases) {
      wallet.behave({ ...(chainId && { eth_chainId: () => '0x1' }), ...behaviour });
      await button.click();
      await page.getByRole('alert').filter({ hasText: says }).waitFor();
      expect(
        api.asked.filter(({ paymentHeader }) => paymentHeader),
        name,
      ).toEqual([]);
    }
    wallet.behave({});
    api.paid.answer = paid;
    await button.click();
    await reads(page, 'Fix these first');
  });

  test('every refusal of the service is explained, and the next attempt signs a new one', async (context) => {
    const { api, page, button, wallet } = await opening(context);
    const reasons = [
      ['insufficient_funds', 'does not hold enough USDC'],
      ['invalid_exact_evm_payload_authorization_valid_before', 'came too late'],
      ['invalid_exact_evm_nonce_already_used', 'was used before'],
      ['invalid_exact_evm_payload_signature', 'does not fit'],
      ['something_new', 'The payment was not accepted.'],
    ] as const;
    for (const [error, says] of reasons) {
      api.paid.answer = api.refused('payment_invalid', error);
      await button.click();
      const alert = page.getByRole('alert').filter({ hasText: 'You were not charged.' });
      await alert.filter({ hasText: says }).waitFor();
    }
    const signed = wallet.calls.filter((call) => call === 'eth_signTypedData_v4');
    expect(signed).toHaveLength(reasons.length);
    const sent = api.asked.flatMap(({ paymentHeader }) => paymentHeader ?? []);
    expect(new Set(sent).size).toBe(reasons.length);
  });

  test('a payment under way is repeated with the same signature, also after a reload', async (context) => {
    const { api, page, button, wallet } = await opening(context);
    api.paid.answer = new ServiceError('settlement_pending', { headers: { 'retry-after': '1' } });
    await button.click();
    const waits = page.locator('[data-pay-step]').filter({ hasText: 'Do not sign again.' });
    await waits.waitFor();
    await expect.poll(() => api.asked.length).toBeGreaterThan(2);
    await page.reload();
    await waits.waitFor();
    api.paid.answer = paid;
    await reads(page, 'Fix these first');
    const sent = api.asked.flatMap(({ paymentHeader }) => paymentHeader ?? []);
    expect(new Set(sent).size).toBe(1);
    expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(1);
  });

  test('without a wallet the page shows how to get there', async (context) => {
    const { page, url } = await open(context, [...ready()]);
    await page.goto(url);
    await reads(page, 'No wallet was found in this browser.');
    await reads(page, /Install a wallet/);
    await reads(page, 'A program or an agent pays');
  });
});

test('a second report is compared with the first one, until that is forgotten', async (context) => {
  const { api, page, url } = await open(context, [...ready()]);
  const worse = sampleReport.findings.map((one) =>
    one.id === 'spf_record' ? { ...one, severity: 'fail' as const } : one,
  );
  api.paid.answer = { ...paid, report: { ...paid.report, score: 60, findings: worse } };
  await page.goto(url);
  await reads(page, 'Fix these first');
  const kept = String(await page.evaluate('JSON.stringify(localStorage)'));
  expect(kept).not.toContain(TOKEN);
  expect(kept).not.toMatch(/example|@|192/);

  await page.evaluate('sessionStorage.clear()');
  api.paid.answer = paid;
  await page.reload();
  await reads(page, '27 points better.');
  expect(await page.locator('.comparison').textContent()).toContain('SPF record');
  // A place of the page is not the key in its address.
  await page.locator('.tile').first().click();
  expect(new URL(page.url()).hash).toBe(`#${TOKEN}`);
  expect(await page.evaluate('document.activeElement?.id')).toMatch(/^area-/);
  await page.reload();
  await reads(page, '27 points better.');
  await page.getByRole('button', { name: 'Forget' }).click();
  expect(await page.evaluate('localStorage.length')).toBe(0);
});
