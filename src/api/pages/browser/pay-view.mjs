/**
 * Renders the part of a test's page that asks for a payment, and the links that open it in a wallet app.
 *
 * @import { Terms } from './api.mjs'
 * @import { Wallet } from './pay-flow.mjs'
 */
import { html, networkName, stepsToPay } from '../view/html.mjs';
import { deadline, keyNote, stepper } from '../view/live.mjs';
import { context, t } from './page.mjs';
import { formatAmount } from './payment.mjs';

/** @param {readonly Wallet[]} wallets */
export const walletButtons = (wallets) =>
  wallets.map(
    ({ id, name, icon }) => html`
<li><button type="button" data-wallet="${id}">${icon !== '' && html`<img src="${icon}" alt="" width="28" height="28">`}<span>${t('pay_with', { wallet: name })}</span></button></li>`,
  );

/**
 * Renders what the report costs, what the reader gets and needs, and who is paid, before any wallet is
 * opened.
 *
 * @param {Terms} terms
 * @param {{ id: string, link: string, payBefore: string | undefined }} test
 */
export function payView(terms, { id, link, payBefore }) {
  const amount = formatAmount(terms.amount);
  const network = networkName(terms.network);
  return html`
${stepper(context, 3)}
<h1 tabindex="-1">${t('pay_title')}</h1>
<p class="lead">${t('pay_lead', { price: `$${amount}`, amount, network })}</p>
<div class="pay">
<section class="card" aria-labelledby="price"><h2 id="price" class="price">$${amount}</h2>
<p>${t('pay_once')}</p>
<ul><li>${t('pay_gets_1')}</li><li>${t('pay_gets_2')}</li><li>${t('pay_gets_3')}</li></ul>
<p><a href="${context.href('/sample')}" target="_blank" rel="noopener">${t('see_sample_tab')}</a></p>
<h3>${t('pay_needs')}</h3><ul><li>${t('pay_needs_wallet')}</li><li>${t('pay_needs_money', { amount, network })}</li></ul></section>
<section class="card" aria-labelledby="pay-now"><h2 id="pay-now">${t('pay_now')}</h2>
<dl class="facts"><div><dt>${t('pay_amount')}</dt><dd>${amount} USDC</dd></div><div><dt>${t('pay_chain')}</dt><dd>${network}</dd></div><div><dt>${t('pay_to')}</dt><dd><code translate="no">${terms.payTo}</code></dd></div></dl>
<ul class="wallets" data-wallets aria-label="${t('pay_wallets')}"></ul>
<p data-no-wallet hidden>${t('pay_no_wallet')}</p>
${walletApps()}
<div class="note" data-pay-step hidden><p role="status"></p><button type="button" data-pay-cancel hidden>${t('pay_cancel')}</button></div>
<div class="note fail" role="alert" data-pay-error hidden></div>
<p class="quiet">${t('pay_fee')}</p></section></div>
<details class="panel" data-other-ways><summary><h2>${t('pay_how')}</h2></summary>
<h3>${t('pay_how_wallet')}</h3><ol>${stepsToPay(context, { network, dollars: Number(amount) })}<li>${t('pay_how_3')}</li></ol>
<h3>${t('pay_how_agent')}</h3><p>${t('pay_how_agent_text')}</p>
<pre tabindex="0"><code translate="no">curl -i -H "X-Read-Token: $(cat <var>token.txt</var>)" '${location.origin}${context.href('/v1/report')}?test_id=${id}'</code></pre>
<p class="quiet"><a href="${context.href('/llms.txt')}">llms.txt</a></p></details>
${payBefore && html`<p class="quiet">${deadline(context, 'pay_until', payBefore)} ${t('pay_until_help')}</p>`}
${keyNote(context, link)}`;
}

/**
 * Wallet apps that open a page in a browser of their own, with the URL scheme that each registers on a phone.
 * A link to the website of the app's maker is never used, because it would send the key to the report there.
 *
 * @type {readonly (readonly [string, (link: string) => string])[]}
 */
const APPS = [
  ['MetaMask', (link) => `metamask://dapp/${link.replace(/^https?:\/\//, '')}`],
  ['Coinbase Wallet', (link) => `cbwallet://dapp?url=${encodeURIComponent(link)}`],
  ['Trust Wallet', (link) => `trust://open_url?coin_id=60&url=${encodeURIComponent(link)}`],
  ['OKX Wallet', (link) => `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(link)}`],
];

/** Renders the warning about what a wallet app will receive, which is shown before any link to an app. */
const walletApps = () => html`
<details class="apps" data-apps><summary>${t('pay_app')}</summary><p>${t('pay_app_key')}</p><button type="button" data-agree>${t('pay_app_agree')}</button></details>`;

/**
 * Renders the links that open wallet apps, which are shown once the reader has agreed that they contain the
 * key.
 *
 * @param {string} link
 */
const ways = (link) => html`
<ul class="wallets">${APPS.map(([name, toLink]) => html`<li><a class="button" href="${toLink(link)}">${t('pay_app_open', { app: name })}</a></li>`)}</ul>
<p class="quiet">${t('pay_app_none')}</p>
<details data-qr="${link}"><summary>${t('pay_app_qr')}</summary><div class="qr" role="img" aria-label="${t('pay_app_qr')}"></div></details>`;

/** @param {HTMLElement} stage @param {string} link */
export function offerWalletApps(stage, link) {
  const agree = stage.querySelector('[data-agree]');
  agree?.addEventListener('click', () => {
    agree.insertAdjacentHTML('afterend', ways(link).markup);
    const qr = agree.parentElement?.querySelector('details');
    if (qr && matchMedia('(pointer: fine)').matches) qr.open = true;
    agree.parentElement?.querySelector('a')?.focus();
    agree.remove();
  });
}
