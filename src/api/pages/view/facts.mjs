/**
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Context } from './context.mjs'
 * @import { StringKey } from '../texts.ts'
 * @import { Value } from './html.mjs'
 */
import { html } from './html.mjs';

/**
 * What kind of mail it was taken for, and by which signs.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function kind({ t }, { classification }) {
  if (!classification) return html``;
  const { class: name, confidence, evidence } = classification;
  return html`
<section class="panel" aria-labelledby="kind"><h2 id="kind">${t('kind_title')}</h2>
<p class="kind"><strong>${t(/** @type {StringKey} */ (`class_${name}`))}</strong>${name === 'unknown' ? '' : html` <span class="chip">${t('confidence', { percent: Math.round(confidence * 100) })}</span>`}</p>
<p>${t(/** @type {StringKey} */ (`class_${name}_why`))}</p>
${evidence.length > 0 && html`<p class="quiet">${t('kind_evidence')}</p><ul class="evidence-list">${evidence.map((one) => html`<li>${one}</li>`)}</ul>`}</section>`;
}

/**
 * The facts of the mail and its way here; never a word of it.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function mailFacts({ t }, { message, connection }) {
  const { content, recipients, mime } = message;
  const number = new Intl.NumberFormat('en');
  /** @type {[StringKey, Value][]} */
  const rows = [
    ['fact_from', message.header_from.domain],
    ['fact_envelope', message.envelope_from_domain],
    ['fact_message_id', message.message_id_domain],
    ['fact_ip', connection.ip],
    ['fact_helo', connection.helo],
    ['fact_tls', connection.tls && (connection.tls.version ?? connection.tls.status)],
    ['fact_size', `${number.format(Math.ceil(message.size_bytes / 1024))} KiB`],
    ['fact_structure', mime?.structure],
    ['fact_words', content && number.format(Math.max(content.text_words, content.html_words))],
    ['fact_images', content && number.format(content.images)],
    ['fact_links', content && number.format(content.links)],
    ['fact_to', recipients && number.format(recipients.to_count)],
  ];
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`
<details class="panel"><summary><h2>${t('facts_title')}</h2></summary><p class="quiet">${t('facts_help')}</p>
<dl class="facts">${known.map(([key, value]) => html`<div><dt>${t(key)}</dt><dd>${value}</dd></div>`)}</dl></details>`;
}
