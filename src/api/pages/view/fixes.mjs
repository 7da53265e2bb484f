/**
 * @import { Finding, Fix, Report } from '../../../domain/report/report.ts'
 * @import { Action } from '../../../domain/report/action.ts'
 * @import { Context } from './context.mjs'
 * @import { StringKey } from '../language.ts'
 */
import { html } from './html.mjs';

/**
 * @param {Context} context
 * @param {string} what what is copied, for who does not see it
 * @param {string} value
 */
export const copyButton = ({ t }, what, value) =>
  html`<button type="button" class="copy" data-copy="${value}" aria-label="${t('copy_what', { what })}">${t('copy')}</button>`;

/**
 * The name as most DNS hosts want it: without the domain that the form is of.
 *
 * @param {string} name
 * @param {string | null} domain
 */
function hostOf(name, domain) {
  if (!domain) return name;
  if (name === domain) return '@';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
}

/**
 * A DNS record to publish, a field a row, each ready to copy.
 *
 * @param {Context} context
 * @param {Action} action
 * @param {string | null} domain that the reader publishes at
 */
function record(context, { operation, name, type, value, replaces }, domain) {
  const { t } = context;
  /** @param {string} label @param {string} text @param {string} [full] */
  const row = (label, text, full = text) => html`
<div class="record-row"><dt>${label}</dt><dd><code>${text}</code>${full !== text && html` <span class="quiet">${t('in_full')} <code>${full}</code></span>`}</dd><dd>${copyButton(context, label, text)}</dd></div>`;
  const old = replaces.filter((one) => one !== value);
  return html`
<div class="record"><p class="record-title">${t(/** @type {StringKey} */ (`operation_${operation}`))}</p>
<dl>${type && html`<div class="record-row"><dt>${t('record_type')}</dt><dd><code>${type}</code></dd></div>`}
${name && row(t('record_name'), hostOf(name, domain), name)}
${value && operation !== 'delete' && row(t('record_value'), value)}
${old.length > 0 && html`<div class="record-row old"><dt>${t('record_old')}</dt><dd>${old.map((one) => html`<del><code>${one}</code></del> `)}</dd></div>`}</dl>
${
  domain &&
  html`<details class="where"><summary>${t('where_enter')}</summary>
<ol><li>${t('where_1', { domain })}</li><li>${t('where_2')}</li><li>${t(operation === 'publish' ? 'where_3_new' : 'where_3_edit', { type: type ?? '', host: hostOf(name ?? '', domain) })}</li><li>${t('where_4')}</li></ol>
<p class="quiet">${t('where_hosts')}</p></details>`
}
</div>`;
}

/** @param {Action} action */
const isRecord = ({ kind, name, value, operation }) =>
  kind === 'dns' && name !== null && (value !== null || operation === 'delete');

/**
 * The text of a fix, with each record that a line ends in set apart, ready to copy.
 *
 * @param {Context} context
 * @param {string} fix
 * @param {readonly Action[]} actions
 * @param {string | null} domain
 */
export function steps(context, fix, actions, domain) {
  const records = actions.filter(isRecord);
  const shown = new Set();
  const lines = fix.split('\n').map((line) => {
    const found = records.find(
      (one) =>
        !shown.has(one) && one.value !== null && one.value !== '' && line.endsWith(one.value),
    );
    if (!found?.value) return html`<p lang="en">${line}</p>`;
    shown.add(found);
    return html`<p lang="en">${line.slice(0, -found.value.length).trimEnd()}</p>${record(context, found, domain)}`;
  });
  const others = records.filter((one) => !shown.has(one));
  return html`${lines}${others.map((one) => record(context, one, domain))}`;
}

/** @param {Report} report */
export const ownDomain = ({ message }) =>
  message.header_from.organizational_domain ?? message.header_from.domain;

/**
 * One card.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {Fix} fix
 * @param {number} [number] its place among those to make first
 */
function card(context, report, { id, title, fix }, number) {
  const { t, href } = context;
  /** @type {Finding | undefined} */
  const finding = report.findings.find((one) => one.id === id);
  const actions = finding?.actions ?? [];
  const owners = [...new Set(actions.map(({ owner }) => owner))];
  const points = finding?.points ?? 0;
  return html`
<li class="card fix">
<header>${number && html`<span class="number" aria-hidden="true">${number}</span>`}<h3 lang="en">${title}</h3>
${points > 0 && html`<span class="chip gain">${t('gain', { points })}</span>`}</header>
${finding?.detail && html`<p class="evidence" lang="en">${finding.detail}</p>`}
${steps(context, fix, actions, ownDomain(report))}
<footer class="quiet">${owners.map((owner) => html`<span class="chip">${t(/** @type {StringKey} */ (`owner_${owner}`))}</span> `)}
<a href="${href(`/findings/${id}`)}">${t('learn_more')}<span class="visually-hidden" lang="en">: ${title}</span></a></footer>
</li>`;
}

/** @param {Context} context @param {Report} report */
export function fixes(context, report) {
  const { t } = context;
  const { top_fixes, suggestions } = report;
  return html`
<section aria-labelledby="fixes">
<h2 id="fixes">${t('fix_first')}</h2>
${top_fixes.length === 0 ? html`<p class="note pass">${t('nothing_to_fix')}</p>` : html`<ol class="cards">${top_fixes.map((fix, i) => card(context, report, fix, i + 1))}</ol>`}
${suggestions.length > 0 && html`<details class="panel"><summary>${t('suggestions', { n: suggestions.length })}</summary><ul class="cards">${suggestions.map((fix) => card(context, report, fix))}</ul></details>`}
</section>`;
}
