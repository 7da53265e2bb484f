import { html } from '../view/html.mjs';
import { t } from './context.mjs';

/**
 * Apps that open a page in a browser of their own, by the schemes that they register on a phone. Never by
 * a link to a site of their makers: it would take the key of the report there.
 *
 * @type {readonly (readonly [string, (link: string) => string])[]}
 */
const APPS = [
  ['MetaMask', (link) => `metamask://dapp/${link.replace(/^https?:\/\//, '')}`],
  ['Coinbase Wallet', (link) => `cbwallet://dapp?url=${encodeURIComponent(link)}`],
  ['Trust Wallet', (link) => `trust://open_url?coin_id=60&url=${encodeURIComponent(link)}`],
  ['OKX Wallet', (link) => `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(link)}`],
];

/** What an app gets, before any does. */
export const walletApps = () => html`
<details class="apps" data-apps><summary>${t('pay_app')}</summary><p>${t('pay_app_key')}</p><button type="button" data-agree>${t('pay_app_agree')}</button></details>`;

/** The ways, once the reader agreed that the key is in them. @param {string} link */
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
