/**
 * @import { Terms } from './api.mjs'
 * @import { Wallet } from './wallets.mjs'
 */
import { formatInstant } from '../view/context.mjs';
import { html } from '../view/html.mjs';
import { context, t } from './context.mjs';
import { countdown, stepper } from './live-views.mjs';
import { chainIdOf, chainName, formatAmount } from './payment.mjs';

/** @param {readonly Wallet[]} wallets */
export const walletButtons = (wallets) =>
  wallets.map(
    ({ id, name, icon }) => html`
<li><button type="button" data-wallet="${id}">${icon !== '' && html`<img src="${icon}" alt="" width="28" height="28">`}<span>${t('pay_with', { wallet: name })}</span></button></li>`,
  );

/**
 * What it costs, what that buys, and who is paid: before any wallet is opened.
 *
 * @param {Terms} terms
 * @param {{ id: string, payBefore: string | undefined }} test
 */
export const payView = (terms, { id, payBefore }) => html`
${stepper(3)}
<h1 tabindex="-1">${t('pay_title')}</h1>
<p class="lead">${t('pay_lead')}</p>
<div class="pay">
<section class="card" aria-labelledby="price"><h2 id="price" class="price">$${formatAmount(terms.amount)}</h2>
<p>${t('pay_once')}</p>
<ul><li>${t('pay_gets_1')}</li><li>${t('pay_gets_2')}</li><li>${t('pay_gets_3')}</li></ul>
<p><a href="${context.href('/sample')}" target="_blank" rel="noopener">${t('see_sample_tab')}</a></p></section>
<section class="card" aria-labelledby="pay-now"><h2 id="pay-now">${t('pay_now')}</h2>
<dl class="facts"><div><dt>${t('pay_amount')}</dt><dd>${formatAmount(terms.amount)} ${terms.extra?.name ?? 'USDC'}</dd></div><div><dt>${t('pay_chain')}</dt><dd>${chainName(terms)} (${chainIdOf(terms)})</dd></div><div><dt>${t('pay_to')}</dt><dd><code>${terms.payTo}</code></dd></div></dl>
<ul class="wallets" data-wallets aria-label="${t('pay_wallets')}"></ul>
<p data-no-wallet hidden>${t('pay_no_wallet')}</p>
<p class="note" role="status" data-pay-step hidden></p>
<div class="note fail" role="alert" data-pay-error hidden></div>
<p class="quiet">${t('pay_fee')}${payBefore && html` ${countdown(payBefore, 'pay_left')}`}</p></section></div>
<details class="panel" data-other-ways><summary><h2>${t('pay_how')}</h2></summary>
<h3>${t('pay_how_wallet')}</h3><ol><li>${t('pay_how_1')}</li><li>${t('pay_how_2', { chain: chainName(terms) })}</li><li>${t('pay_how_3')}</li></ol>
<h3>${t('pay_how_agent')}</h3><p>${t('pay_how_agent_text')}</p>
<pre tabindex="0"><code>curl -i -H "X-Read-Token: $(cat <var>token.txt</var>)" '${location.origin}${context.href('/v1/report')}?test_id=${id}'</code></pre>
<p class="quiet"><a href="${context.href('/llms.txt')}">llms.txt</a></p></details>
${payBefore && html`<p class="quiet">${t('pay_until', { at: formatInstant(context, payBefore) })}</p>`}`;

/** While a payment that was signed before is sent again. */
export const settlingView = () => html`
${stepper(3)}
<h1 tabindex="-1">${t('settling_title')}</h1>
<p class="note" role="status" data-pay-step>${t('pay_settling')}</p>`;
