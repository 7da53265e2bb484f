/**
 * What is shown of a test that has no report yet, or none any more.
 *
 * @import { TestStatus } from '../../schemas/tests.ts'
 * @import { StringKey } from '../texts.ts'
 */

import { formatInstant } from '../view/context.mjs';
import { copyButton } from '../view/copy-button.mjs';
import { html } from '../view/html.mjs';
import { context, t } from './context.mjs';

/** @type {readonly StringKey[]} */
const STEPS = ['step_address', 'step_arrived', 'step_analysed', 'step_report'];

/**
 * Where the test stands, as a line of steps.
 *
 * @param {number} at the index of the current one
 */
export const stepper = (at) => html`
<ol class="steps no-print" aria-label="${t('steps')}">${STEPS.map((step, i) => html`<li class="${i < at ? 'done' : i === at ? 'now' : ''}"${i === at && html` aria-current="step"`}>${t(step)}</li>`)}</ol>`;

/** Until it is known where the test stands. */
export const loading = () =>
  html`<p class="live"><span class="pulse" aria-hidden="true"></span><span>${t('loading')}</span></p>`;

/** A time left that counts down. @param {string} until @param {StringKey} key */
export const countdown = (until, key) =>
  html`<span data-until="${until}" data-key="${key}"></span>`;

const again = () =>
  html`<p><a class="button primary" href="${context.href('/')}">${t('new_test')}</a></p>`;

/** @param {string} address */
const ways = (address) => html`
<div class="ways no-print">
<details data-qr="mailto:${address}"><summary>${t('qr')}</summary><p class="quiet">${t('qr_help')}</p><div class="qr" role="img" aria-label="${t('qr_alt', { address })}"></div></details>
<details><summary>${t('terminal')}</summary><p class="quiet">${t('terminal_help')}</p>
<pre tabindex="0"><code>printf 'To: ${address}\nSubject: Test\n\nHello.\n' | sendmail -t</code></pre>
<pre tabindex="0"><code>swaks --to ${address} --from <var>you@your.domain</var> --server <var>your.mail.server</var></code></pre></details>
<details><summary>${t('how_to_send')}</summary><ul><li>${t('how_to_send_1')}</li><li>${t('how_to_send_2')}</li><li>${t('how_to_send_3')}</li></ul></details>
</div>`;

/** What to change, by the code of a reason, and the page that explains it. @type {Readonly<Record<string, readonly [StringKey, string]>>} */
const CHANGES = {
  spf_and_dkim_failed: ['refused_do_spf_and_dkim_failed', 'spf_record'],
  dmarc_policy: ['refused_do_dmarc_policy', 'dmarc_alignment'],
  blocklisted: ['refused_do_blocklisted', 'dnsbl_listed'],
};

/** @param {{ readonly code: string, readonly detail: string }} reason */
function reasonItem({ code, detail }) {
  const [what, finding] = CHANGES[code] ?? [];
  return html`<li><span>${detail}</span>${what && html`<br>${t(what)} <a href="${context.href(`/findings/${finding}`)}" target="_blank" rel="noopener">${t('learn_more_tab')}</a>`}</li>`;
}

/**
 * @param {NonNullable<TestStatus['refusal']>} refusal
 */
const refused = ({ refused_at, reasons = [], send_again_before }) => html`
<section class="card refusal" aria-labelledby="refused"><h2 id="refused">${t('refused_title')}</h2><p>${t('refused_text')}${refused_at && ` ${t('refused_at', { at: formatInstant(context, refused_at) })}`}</p>
<ol class="reasons">${reasons.map(reasonItem)}</ol>
${send_again_before && html`<p class="note warn"><strong>${t('refused_again')}</strong> ${countdown(send_again_before, 'time_left')}</p>`}</section>`;

/** @param {TestStatus} status @param {string} address */
export const waiting = ({ send_before, refusal }, address) => html`
${stepper(0)}
<h1 tabindex="-1">${refusal ? t('waiting_again_title') : t('waiting_title')}</h1>
${refusal && refused(refusal)}
<div class="card address-card"><p class="eyebrow" id="address-label">${t('address_label')}</p>
<p class="address"><code aria-labelledby="address-label">${address.split('@').map((part, i) => (i === 0 ? html`${part}` : html`<wbr>@${part}`))}</code></p>
<div class="row no-print">${copyButton(context, t('address_label'), address)}<a class="button" href="mailto:${address}?subject=Test">${t('mailto')}</a></div>
${ways(address)}</div>
<p class="live"><span class="pulse" aria-hidden="true"></span><span>${t('waiting_text')}</span></p>
<p class="quiet">${!refusal?.send_again_before && countdown(send_before, 'send_left')} ${t('keep_link')}</p>`;

export const processing = () => html`
${stepper(2)}
<h1 tabindex="-1">${t('processing_title')}</h1><p class="lead">${t('processing_text')}</p>
<p class="live"><span class="pulse" aria-hidden="true"></span><span>${t('processing_live')}</span></p>`;

/** @param {TestStatus} status */
export function endedTest({ refusal, failure }) {
  if (failure)
    return html`<h1 tabindex="-1">${t('failed_title')}</h1><p class="note fail">${failure.detail}</p>${again()}`;
  const reasons = refusal?.reasons;
  if (reasons)
    return html`<h1 tabindex="-1">${t('rejected_title')}</h1><p class="lead">${t('rejected_text')}</p><ol class="reasons card">${reasons.map(reasonItem)}</ol>${again()}`;
  const possible = refusal?.reasons_possible ?? [];
  return html`<h1 tabindex="-1">${t('not_received_title')}</h1><p class="lead">${t('not_received_text')}</p><ul class="reasons card">${possible.map(({ detail }) => html`<li>${detail}</li>`)}</ul>${again()}`;
}

/** @param {StringKey} title @param {StringKey} text */
const notice = (title, text) =>
  html`<h1 tabindex="-1">${t(title)}</h1><p class="lead">${t(text)}</p>${again()}`;

export const deleted = () => notice('deleted_title', 'deleted_text');
export const keyMissing = () => notice('key_missing_title', 'key_missing_text');
export const keyWrong = () => notice('key_wrong_title', 'key_wrong_text');

/** @param {string} problem */
export const failedToRead = (problem) =>
  html`<h1 tabindex="-1">${t('read_failed_title')}</h1><p class="note fail" role="alert">${problem}</p><p><button type="button" class="primary" data-retry>${t('try_again')}</button></p>`;
