/**
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { RequirementRow } from '../../../domain/report/compliance.ts'
 * @import { Context } from './context.mjs'
 * @import { StringKey } from '../texts.ts'
 */
import { formatDay } from './context.mjs';
import { sign } from './findings.mjs';
import { html } from './html.mjs';

const NAMES = { gmail: 'Gmail', yahoo: 'Yahoo', microsoft: 'Microsoft', apple: 'Apple' };

/** @typedef {Omit<RequirementRow, 'receiver'> & { readonly receiver: keyof typeof NAMES }} Asked */

/** @type {Readonly<Record<RequirementRow['status'], 'pass' | 'fail' | 'info'>>} */
const SIGNS = { met: 'pass', not_met: 'fail', not_observable: 'info' };

/**
 * @param {Context} context
 * @param {Report} report
 * @param {Asked} row
 */
function requirement(context, { findings }, { requirement, status, missing, applies_to, since }) {
  const { t } = context;
  const ways = missing.flatMap((id) => findings.find((one) => one.id === id) ?? []);
  return html`
<li>${sign(context, SIGNS[status])}<div><span>${requirement}</span>
<span class="quiet">${status === 'not_observable' && `${t('status_not_observable')} · `}${t(/** @type {StringKey} */ (`applies_${applies_to}`))} · ${t('since', { day: formatDay(since) })}</span>
${status === 'not_met' && ways.map(({ id, title }) => html`<a href="#finding-${id}">${title}</a> `)}</div></li>`;
}

/**
 * What one receiver asks: what is not met first, the rest folded.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {Asked['receiver']} receiver
 * @param {readonly Asked[]} asked
 */
function column(context, report, receiver, asked) {
  const { t } = context;
  /** @param {readonly Asked[]} rows */
  const list = (rows) =>
    html`<ul class="checks">${rows.map((row) => requirement(context, report, row))}</ul>`;
  const missed = asked.filter(({ status }) => status === 'not_met');
  const rest = asked.filter((row) => !missed.includes(row));
  const met = rest.filter(({ status }) => status === 'met').length;
  return html`
<section class="card receiver" aria-labelledby="receiver-${receiver}"><header><h3 id="receiver-${receiver}">${NAMES[receiver]}</h3><span class="chip ${missed.length > 0 ? 'fail' : 'pass'}">${missed.length > 0 ? t('not_met', { n: missed.length }) : t('met', { n: met, all: asked.length })}</span></header>
${missed.length > 0 && list(missed)}
<details><summary>${missed.length > 0 ? t('more_met', { n: met }) : t('show_requirements')}</summary>${list(rest)}</details>
<footer><a href="${asked[0]?.source ?? ''}" rel="noreferrer">${t('source')}<span class="visually-hidden">: ${NAMES[receiver]}</span></a></footer></section>`;
}

/**
 * What the large providers ask, and what of it is met.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function receivers(context, report) {
  const { t } = context;
  const { requirements = [], apple } = report.message.compliance ?? {};
  /** @type {readonly Asked[]} */
  const rows = [
    ...requirements,
    ...(apple?.requirements ?? []).map((row) => ({
      receiver: /** @type {const} */ ('apple'),
      ...row,
    })),
  ];
  const columns = [...Map.groupBy(rows, ({ receiver }) => receiver)].map(([receiver, asked]) =>
    column(context, report, receiver, asked),
  );
  if (columns.length === 0) return html``;
  return html`
<section aria-labelledby="receivers"><h2 id="receivers">${t('receivers_title')}</h2><p class="quiet">${t('receivers_help')}</p><div class="columns">${columns}</div></section>`;
}
