/**
 * Renders the page of a test on the server: a frame that the browser fills, or a page with what the server
 * knows, such as the address, a notice, or how to pay. The page works with and without scripts.
 */

import type { ApiSettings } from '../options.ts';
import type { TestStatus } from '../schemas/tests.ts';
import type { Page } from './layout.ts';
import { offerOf, type Site } from './site.ts';
import type { StringKey } from './texts.ts';
import { type Html, html } from './view/html.mjs';
import { liveView, loading, notice } from './view/live.mjs';

/** Facts that the server knows about the test when it renders the page. */
interface Known {
  readonly id: string;
  /**
   * The read token. It is set only for the client that has just created the test, because a token is returned
   * only once.
   */
  readonly token?: string;
  readonly stage: Html;
  /** Key of the content that the server has rendered, so that the browser does not draw it again. */
  readonly shows?: string;
  /** True if the page may show something else when it is loaded again. */
  readonly open?: boolean;
}

const addressOf = (id: string, { mailDomain }: ApiSettings) => `${id}@${mailDomain}`;

/** Renders a form for the read token. Without a script, the page cannot read the token from the address. */
const tokenForm = ({ t }: Site, button: StringKey) =>
  html`<form class="ask" method="post"><label for="key">${t('ask_key')}</label><input id="key" name="read_token" required autocomplete="off" spellcheck="false" maxlength="200"><button class="primary">${t(button)}</button></form>`;

const askForKey = (site: Site) => html`
<noscript><h1>${site.t('test_title')}</h1>${tokenForm(site, 'ask_key_open')}</noscript>`;

/**
 * Renders a button that shows the same test again in a browser without a script. The page that creates the
 * test contains its token; later pages ask for it, because a token is returned only once.
 */
const lookAgain = (site: Site, id: string, token: string | undefined) => {
  const { t, href, baseUrl } = site;
  if (token === undefined)
    return html`
<noscript>${tokenForm(site, 'look_again')}</noscript>`;
  return html`
<noscript><form class="ask" method="post" action="${href(`/t/${id}`)}"><input type="hidden" name="read_token" value="${token}"><button class="primary">${t('look_again')}</button><p class="quiet">${t('look_again_help')} <code translate="no">${baseUrl}/t/${id}#${token}</code></p></form></noscript>`;
};

/**
 * Renders the page of a test. Under `/t/{test_id}`, the page is a frame that is the same for every test, and
 * the browser fills it. As the response to a form, the page contains what the server knows about the test.
 */
export function testPage(site: Site, settings: ApiSettings, known?: Known): Page {
  const { t } = site;
  const offer = offerOf(settings);
  const { id, token, stage, shows, open } = known ?? {};
  return {
    path: '/t/',
    title: t('test_title'),
    description: t('test_description'),
    hidden: true,
    modules: ['browser/test.mjs'],
    first: 'browser/start.mjs',
    // If the page is opened by its link or loaded again, it usually has a report to show.
    soon: known ? [] : ['browser/report-page.mjs'],
    later: [
      ...['browser/pay-flow.mjs', 'browser/report-page.mjs'],
      ...(settings.asksFilters ? ['view/filters.mjs'] : []),
    ],
    body: html`
<p class="visually-hidden" role="status" data-status></p>
<div class="note warn no-print" data-offline hidden>${t('offline')}</div>
<div class="stage" data-test data-mail-domain="${settings.mailDomain}"${settings.sendCommand && html` data-send-command="${settings.sendCommand}"`}${id && html` data-id="${id}"`}${token && html` data-token="${token}"`}${shows && html` data-shows="${shows}"`}${offer && html` data-sells="${offer.price}" data-network="${offer.network}"`}>${stage ?? html`${loading(site)}${askForKey(site)}`}</div>
${id && open && lookAgain(site, id, token)}`,
  };
}

/** Returns the content for a test that has no report yet, or no longer has one. */
export function liveTest(site: Site, settings: ApiSettings, status: TestStatus, token?: string) {
  const id = status.test_id;
  const test = {
    address: addressOf(id, settings),
    link: token && `${site.baseUrl}/t/${id}#${token}`,
    command: settings.sendCommand,
    offer: offerOf(settings) ?? undefined,
  };
  const { key, view } = liveView(site, status, test);
  return {
    id,
    ...(token && { token }),
    stage: view,
    shows: key,
    open: status.poll_after_seconds > 0,
  };
}

/**
 * Returns the content for a report that is not paid for, in a browser without a script that could use a
 * wallet.
 */
export const unpaidTest = (site: Site, settings: ApiSettings, id: string): Known => {
  const { t, baseUrl } = site;
  const offer = offerOf(settings);
  return {
    id,
    open: true,
    stage: html`<h1>${t('pay_title')}</h1><p class="lead">${offer && t('pay_lead', { ...offer })}</p><noscript><p>${t('pay_without_script')}</p>
<pre tabindex="0"><code translate="no">curl -i -H "X-Read-Token: $(cat <var>token.txt</var>)" '${baseUrl}/v1/report?test_id=${id}'</code></pre></noscript>`,
  };
};

/** Returns a notice that something is not as the reader expected. */
export const noticeOf = (site: Site, id: string, title: StringKey, text: StringKey): Known => ({
  id,
  stage: notice(site, title, text),
});
