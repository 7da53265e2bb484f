/** Tests in Chromium how a visitor pays with a wallet, and how refusals are explained. */

import type { Browser } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { ServiceError } from '../../../src/domain/errors.ts';
import { startChromium, textOf } from '../../support/browser/chromium.ts';
import { hasChromium, openTest, paid, reads } from '../../support/browser/open-test.ts';
import { type Behaviour, installWallet, refuse } from '../../support/browser/wallet.ts';
import { ready, TOKEN } from '../harness.ts';

let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

/** Makes storage fail, as in a browser that blocks all cookies and site data. */
const WITHOUT_STORAGE = `
  const deny = () => { throw new DOMException('Access is denied.', 'SecurityError'); };
  for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: deny });
  window.BroadcastChannel = class { constructor() { deny(); } };`;

describe('paying', () => {
  const opening = async (
    context: TestContext,
    options: Parameters<typeof installWallet>[2] = {},
  ) => {
    const opened = await openTest(context, browser, [...ready()]);
    const wallet = await installWallet(opened.page, generatePrivateKey(), options);
    await opened.page.goto(opened.url);
    const button = opened.page.getByRole('button', { name: 'Pay with Test Wallet' });
    await button.waitFor();
    return { ...opened, wallet, button };
  };

  test('shows amount, network and payee before any wallet is opened', async (context) => {
    const { page, wallet } = await opening(context);
    const text = await textOf(page);
    for (const part of ['$0.05', '0.05 USDC', 'Base', `0x${'4'.repeat(40)}`])
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
      says: 'Your wallet already has a request open.',
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
    ...[-32601, 4200, -32603].map((code) => ({
      name: `no way to change the network (${code})`,
      chainId: 1,
      behaviour: {
        wallet_switchEthereumChain: refuse(code),
        wallet_addEthereumChain: refuse(code),
      },
      says: 'Your wallet is still on another network. Choose Base in the wallet',
    })),
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
      name: 'a signature that is none',
      behaviour: { eth_signTypedData_v4: () => null },
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

  test('a wallet that does not know the network, only adds it, and changes to it late can pay', async (context) => {
    const { api, page, wallet, button } = await opening(context);
    let chain = 1;
    let isKnown = false;
    wallet.behave({
      eth_chainId: () => chain,
      wallet_switchEthereumChain: () => {
        // MetaMask on phones reports it like this, without the code 4902.
        if (!isKnown) return refuse(-32603, 'Unrecognized chain ID')();
        setTimeout(() => {
          chain = 8453;
        }, 700);
        return null;
      },
      wallet_addEthereumChain: () => {
        isKnown = true;
        return null;
      },
    });
    api.paid.answer = paid;
    await button.click();
    await reads(page, 'Fix these first');
    expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(1);
  });

  test('a wallet that announces itself again leaves the focus where it is', async (context) => {
    const { page, button } = await opening(context);
    await button.focus();
    await page.evaluate("dispatchEvent(new Event('eip6963:requestProvider'))");
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Test Wallet');
    expect(await button.count()).toBe(1);
  });

  test('a payment that the service cannot read is not sent again', async (context) => {
    const { api, page, wallet, button } = await opening(context);
    api.paid.answer = new ServiceError('invalid_request', { detail: 'No.' });
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'The payment was not accepted.' }).waitFor();
    api.paid.answer = paid;
    await button.click();
    await reads(page, 'Fix these first');
    expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(2);
  });

  test.for([200, 400, 403, 408])(
    'a page of a proxy with status %i does not decide about a payment, and nothing is signed again',
    async (status, context) => {
      const { api, page, wallet, button } = await opening(context);
      const sent: (string | undefined)[] = [];
      await page.route('**/v1/report?*', (route) => {
        const payment = route.request().headers()['payment-signature'];
        if (payment === undefined) return route.continue();
        sent.push(payment);
        return sent.length === 1
          ? route.fulfill({ status, body: '<h1>Proxy</h1>' })
          : route.continue();
      });
      api.paid.answer = paid;
      await button.click();
      await reads(page, 'Fix these first');
      expect(sent).toHaveLength(2);
      expect(new Set(sent).size).toBe(1);
      expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(1);
    },
  );

  test('in a browser that stores nothing, a payment is signed once, and the address opens the report again', async (context) => {
    const { page, url, api } = await openTest(context, browser, [...ready()]);
    const wallet = await installWallet(page, generatePrivateKey());
    await page.addInitScript(WITHOUT_STORAGE);
    await page.goto(url);
    const button = page.getByRole('button', { name: 'Pay with Test Wallet' });
    await button.waitFor();
    api.paid.answer = new ServiceError('internal_error');
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'Your signature is kept' }).waitFor();
    api.paid.answer = paid;
    await button.click();
    await reads(page, 'Fix these first');
    expect(wallet.calls.filter((call) => call === 'eth_signTypedData_v4')).toHaveLength(1);
    await page.reload();
    await reads(page, 'Fix these first');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await reads(page, 'This test was deleted');
  });

  test('every refusal of the service is explained, and the next attempt signs a new one', async (context) => {
    const { api, page, button, wallet } = await opening(context);
    const reasons = [
      ['insufficient_funds', 'does not hold enough USDC'],
      ['invalid_exact_evm_payload_authorization_valid_before', 'came too late'],
      ['invalid_exact_evm_nonce_already_used', 'was used before'],
      ['invalid_exact_evm_payload_signature', 'does not match'],
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

  test('a payment in progress is repeated with the same signature, even after a reload', async (context) => {
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

  test('a wallet that never responds can be given up, and its later signature is not sent', async (context) => {
    const { api, page, button, wallet } = await opening(context);
    const { promise, resolve } = Promise.withResolvers<string>();
    wallet.behave({ eth_signTypedData_v4: () => promise });
    await button.click();
    await page.getByRole('button', { name: 'Stop waiting for the wallet' }).click();
    await page.getByRole('alert').filter({ hasText: 'You stopped waiting.' }).waitFor();
    resolve(`0x${'1'.repeat(130)}`);
    wallet.behave({});
    api.paid.answer = paid;
    await button.click();
    await reads(page, 'Fix these first');
    const sent = api.asked.flatMap(({ paymentHeader }) => paymentHeader ?? []);
    expect(sent).toHaveLength(1);
    expect(atob(sent[0] ?? '')).not.toContain('1'.repeat(130));
  });

  test('a signature whose v is 0 or 1 is sent as the wallet made it', async (context) => {
    const { api, page, button, wallet } = await opening(context);
    const signature = `0x${'2'.repeat(128)}01`;
    wallet.behave({ eth_signTypedData_v4: () => signature });
    api.paid.answer = paid;
    await button.click();
    await reads(page, 'Fix these first');
    const sent = api.asked.flatMap(({ paymentHeader }) => paymentHeader ?? []);
    expect(sent.map((one) => JSON.parse(atob(one)).payload.signature)).toEqual([signature]);
  });

  test('a second tab sees what the first one paid, even while its own wallet is silent', async (context) => {
    const { api, page, context: profile, button, url } = await opening(context);
    const other = await profile.newPage();
    const silent = await installWallet(other, generatePrivateKey());
    silent.behave({ eth_requestAccounts: () => new Promise(() => {}) });
    await other.goto(url);
    await other.getByRole('button', { name: 'Pay with Test Wallet' }).click();
    await other.getByText('Look at your wallet').waitFor();
    api.paid.answer = paid;
    await button.click();
    for (const tab of [page, other]) await reads(tab, 'Fix these first');
  });

  test('a phone without a wallet opens the wallet apps, once the reader has agreed to give them the key', async (context) => {
    const { page, url, api, seen } = await openTest(
      context,
      browser,
      [...ready()],
      {},
      {
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      },
    );
    await page.goto(url);
    await reads(page, 'No wallet was found in this browser.');
    await reads(page, 'Every check, with what was found');
    await reads(page, '0.05 USDC on Base in it.');
    const stage = page.locator('[data-test]');
    const inApps = () => stage.locator('.apps').innerHTML();
    expect(await inApps()).not.toContain(TOKEN);
    await page.getByRole('button', { name: 'Give the link to an app' }).click();
    const links = await stage
      .locator('.apps a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    const encoded = encodeURIComponent(url);
    expect(links).toEqual([
      `metamask://dapp/${url.replace('http://', '')}`,
      `cbwallet://dapp?url=${encoded}`,
      `trust://open_url?coin_id=60&url=${encoded}`,
      `okx://wallet/dapp/url?dappUrl=${encoded}`,
    ]);
    await page.getByText('QR code for your phone').click();
    await page.locator('.apps .qr svg').waitFor();
    // The page that the wallet app opens pays. The page that was left then shows the report on its own.
    api.paid.answer = paid;
    await reads(page, 'Fix these first');
    for (const { url } of seen.requests) expect(new URL(url).origin).toBe(api.base);
    expect(seen.faults).toEqual([]);
  });

  test('without a wallet, the page shows how to get one', async (context) => {
    const { page, url } = await openTest(context, browser, [...ready()]);
    await page.goto(url);
    await reads(page, 'No wallet was found in this browser.');
    await reads(page, /Install a crypto wallet/);
    await reads(page, 'A program or an agent pays');
  });
});
