/**
 * Renders a test without a report, whether it waits for the email, is being analysed or has ended, and
 * notices that explain what the reader sees instead. The server renders it first, and the browser from then
 * on.
 *
 * @import { TestStatus } from '../../schemas/tests.ts'
 * @import { StringKey } from '../texts.ts'
 * @import { Context } from './html.mjs'
 *
 * @typedef {{ readonly price: string, readonly network: string }} Offer what a report costs, and on which
 * network it is paid
 * @typedef {{ readonly address: string, readonly link?: string | undefined, readonly command?: string | null
 * | undefined, readonly offer: Offer | undefined }} Test `link` leads to this page with its key, if the key
 * is known; `command` sends an email to `{address}`, the test of `{link}`; `offer` is undefined if reports
 * are free
 */
import { copyButton, formatInstant, html, recordRow } from './html.mjs';

/** @type {readonly StringKey[]} */
const STEPS = ['step_address', 'step_arrived', 'step_analysed', 'step_report'];

/**
 * Shows the progress of the test as a line of steps.
 *
 * @param {Context} context
 * @param {number} at the index of the current step
 */
export const stepper = ({ t }, at) => html`
<ol class="steps no-print" aria-label="${t('steps')}">${STEPS.map((step, i) => html`<li class="${i < at ? 'done' : i === at ? 'now' : ''}"${i === at && html` aria-current="step"`}>${t(step)}</li>`)}</ol>`;

/** Renders the content until the state of the test is known. @param {Context} context */
export const loading = ({ t }) =>
  html`<p class="live"><span class="pulse" aria-hidden="true"></span><span>${t('loading')}</span></p>`;

/**
 * Renders a sentence with a time. In a browser with scripts, it also shows the time that is left until then.
 *
 * @param {Context} context
 * @param {StringKey} key
 * @param {string} until
 */
export const deadline = (context, key, until) =>
  html`${context.t(key, { at: formatInstant(context, until) })} <span data-until="${until}"></span>`;

/** @param {Context} context @param {string} link */
export const keyNote = ({ t }, link) =>
  html`<p class="quiet no-print">${t('keep_link')} <button type="button" class="copy" data-copy="${link}">${t('share')}</button></p>`;

/** @param {Context} context */
const again = ({ t, href }) =>
  html`<form method="post" action="${href('/')}"><button class="primary">${t('new_test')}</button></form><p class="quiet">${t('new_test_free')}</p>`;

/**
 * Renders a command with a button that copies it.
 *
 * @param {Context} context
 * @param {string} name
 * @param {string} command
 */
const commandLine = (context, name, command) => html`
<div class="command"><pre tabindex="0"><code translate="no">${command}</code></pre>${copyButton(context, name, command)}</div>`;

/** @param {Context} context @param {string} command */
const sendCommand = (context, command) => html`
<p>${context.t('send_command')}</p>${commandLine(context, context.t('send_command_label'), command)}`;

/** @param {Context} context @param {Test} test */
const ways = (context, { address, link, command }) => {
  const { t } = context;
  const filled = link && command?.replaceAll('{address}', address).replaceAll('{link}', link);
  return html`${filled && sendCommand(context, filled)}
<div class="ways no-print">
<details data-qr="mailto:${address}"><summary>${t('qr')}</summary><p class="quiet">${t('qr_help')}</p><div class="qr" role="img" aria-label="${t('qr_alt', { address })}"></div></details>
<details><summary>${t('terminal')}</summary><p class="quiet">${t('terminal_help')}</p>
${commandLine(context, 'sendmail', `printf 'To: ${address}\\nSubject: Test\\n\\nHello.\\n' | sendmail -t`)}
${commandLine(context, 'swaks', `swaks --to ${address} --from you@your.domain --server your.mail.server`)}</details>
<details><summary>${t('how_to_send')}</summary><ul><li>${t('how_to_send_1')}</li><li>${t('how_to_send_2')}</li><li>${t('how_to_send_3')}</li></ul></details>
</div>`;
};

/**
 * The id of the check that explains a reason for a refusal, by the reason's code. @type
 * {Readonly<Record<string, string>>}
 */
const EXPLAINED_BY = {
  spf_and_dkim_failed: 'spf_record',
  dmarc_policy: 'dmarc_alignment',
  blocklisted: 'dnsbl_listed',
};

/** @typedef {NonNullable<NonNullable<TestStatus['refusal']>['reasons']>[number]} Reason */

/** @param {Context} context @param {NonNullable<Reason['record']>} record */
const recordToPublish = (context, { name, type, value }) => html`
<div class="record"><p class="record-title">${context.t('operation_publish')}</p>
<dl><div class="record-row"><dt>${context.t('record_type')}</dt><dd><code translate="no">${type}</code></dd></div>${recordRow(context, context.t('record_name'), name)}${recordRow(context, context.t('record_value'), value)}</dl>
<p class="quiet">${context.t('refused_record_help', { name })}</p></div>`;

/** @param {Context} context */
const reasonItem =
  (context) =>
  /** @param {Reason} reason */
  ({ code, detail, remedy, record }) => {
    const { t, href } = context;
    const finding = EXPLAINED_BY[code];
    return html`<li>${detail}${remedy && html`<br><strong>${remedy}.</strong>`}${finding && html` <a href="${href(`/findings/${finding}`)}" target="_blank" rel="noopener">${t('learn_more_tab')}</a>`}${record && recordToPublish(context, record)}</li>`;
  };

/**
 * @param {Context} context
 * @param {NonNullable<TestStatus['refusal']>} refusal
 */
const refused = (context, { refused_at, reasons = [], send_again_before }) => html`
<section class="card refusal" aria-labelledby="refused"><h2 id="refused">${context.t('refused_title')}</h2><p>${context.t('refused_text')}${refused_at && ` ${context.t('refused_at', { at: formatInstant(context, refused_at) })}`}</p>
<ol class="reasons">${reasons.map(reasonItem(context))}</ol>
${send_again_before && html`<p class="note warn">${deadline(context, 'refused_again', send_again_before)}</p>`}</section>`;

/** @param {Context} context @param {TestStatus} status @param {Test} test */
function waiting(context, { send_before, refusal }, test) {
  const { t } = context;
  const { address, link, offer } = test;
  return html`
${stepper(context, 0)}
<h1 tabindex="-1">${refusal ? t('waiting_again_title') : t('waiting_title')}</h1>
${refusal && refused(context, refusal)}
<div class="card address-card"><p class="eyebrow" id="address-label">${t('address_label')}</p>
<p class="address"><code translate="no" aria-labelledby="address-label">${address.split('@').map((part, i) => (i === 0 ? html`${part}` : html`<wbr>@${part}`))}</code></p>
<div class="row no-print">${copyButton(context, t('address_label'), address)}<a class="button" href="mailto:${address}?subject=Test">${t('mailto')}</a></div>
${ways(context, test)}</div>
<p class="live"><span class="pulse" aria-hidden="true"></span><span>${t('waiting_text')}</span></p>
${!refusal?.send_again_before && html`<p class="quiet">${deadline(context, 'send_before', send_before)}</p>`}
${offer && html`<p class="quiet">${t('report_costs', { ...offer })}</p>`}
${link && keyNote(context, link)}`;
}

/** @param {Context} context */
const processing = (context) => html`
${stepper(context, 2)}
<h1 tabindex="-1">${context.t('processing_title')}</h1><p class="lead">${context.t('processing_text')}</p>
<p class="live"><span class="pulse" aria-hidden="true"></span><span>${context.t('processing_live')}</span></p>`;

/** @param {Context} context @param {TestStatus} status */
function ended(context, { refusal, failure }) {
  const { t } = context;
  if (failure)
    return html`<h1 tabindex="-1">${t('failed_title')}</h1><p class="note fail">${failure.detail}</p>${again(context)}`;
  const reasons = refusal?.reasons;
  if (reasons)
    return html`<h1 tabindex="-1">${t('rejected_title')}</h1><p class="lead">${t('rejected_text')}</p><ol class="reasons card">${reasons.map(reasonItem(context))}</ol>${again(context)}`;
  const possible = refusal?.reasons_possible ?? [];
  return html`<h1 tabindex="-1">${t('not_received_title')}</h1><p class="lead">${t('not_received_text')}</p><ul class="reasons card">${possible.map(({ detail }) => html`<li>${detail}</li>`)}</ul>${again(context)}`;
}

/**
 * Renders a test without a report. `key` changes whenever there is something new to see.
 *
 * @param {Context} context
 * @param {TestStatus} status
 * @param {Test} test
 */
export function liveView(context, status, test) {
  const { refusal } = status;
  switch (status.status) {
    case 'waiting': {
      const reasons = refusal?.reasons?.map(({ detail }) => detail) ?? '';
      return {
        key: `waiting ${refusal?.send_again_before ?? ''}${reasons}`,
        said: /** @type {StringKey} */ (refusal ? 'refused_title' : 'said_waiting'),
        view: waiting(context, status, test),
      };
    }
    case 'processing':
      return {
        key: 'processing',
        said: /** @type {StringKey} */ ('processing_title'),
        view: processing(context),
      };
    default:
      return {
        key: 'ended',
        said: /** @type {StringKey} */ ('said_ended'),
        view: ended(context, status),
      };
  }
}

/** @param {Context} context @param {StringKey} title @param {StringKey} text */
export const notice = (context, title, text) =>
  html`<h1 tabindex="-1">${context.t(title)}</h1><p class="lead">${context.t(text)}</p>${again(context)}`;

/** @param {Context} context @param {string} problem */
export const failedToRead = ({ t }, problem) =>
  html`<h1 tabindex="-1">${t('read_failed_title')}</h1><p class="note fail" role="alert">${problem}</p><p><button type="button" class="primary" data-retry>${t('try_again')}</button></p>`;
