/**
 * Renders the results of all checks (an overview by area, the problems, and all other results) and whether
 * the email meets the requirements of the large receivers. Also draws the sign of each severity.
 *
 * @import { RequirementRow } from '../../../domain/report/compliance.ts'
 * @import { Finding, Report, Severity } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 * @import { Context, Html } from './html.mjs'
 */
import { steps } from './fixes.mjs';
import { formatDay, html } from './html.mjs';
import { digest } from './report-words.mjs';

/** @param {readonly Finding[]} findings @param {Severity} severity */
const count = (findings, severity) => findings.filter((one) => one.severity === severity).length;

/**
 * Returns the severity that the sign of an area shows: that of its worst problem, or a pass if everything
 * that was checked passes. An unknown result that could cost points does not count as a pass, and a note does
 * not count as a problem.
 *
 * @param {Report} report
 * @param {readonly Finding[]} findings
 * @returns {Severity}
 */
function standing({ score_breakdown }, findings) {
  if (count(findings, 'fail') > 0) return 'fail';
  if (count(findings, 'warn') > 0) return 'warn';
  const open = score_breakdown?.unknown?.findings ?? [];
  const passes = count(findings, 'pass') > 0 && !findings.some(({ id }) => open.includes(id));
  return passes ? 'pass' : 'info';
}

/** @param {Context} context @param {string} area */
export const areaName = ({ t }, area) => t(/** @type {StringKey} */ (`area_${area}`));

/**
 * Draws the severity as a sign with its word, so that it never depends on colour alone.
 *
 * @param {Context} context
 * @param {Severity} severity
 */
export const sign = ({ t }, severity) =>
  html`<span class="sign ${severity}"><svg viewBox="0 0 16 16" aria-hidden="true"><use href="#sign-${severity}"/></svg><span class="visually-hidden">${t(`severity_${severity}`)}</span></span>`;

/** The shapes of all severity signs, which each page contains once. */
export const signs = html`<svg class="visually-hidden" aria-hidden="true" focusable="false"><defs>
<symbol id="sign-pass" viewBox="0 0 16 16"><path d="m3.5 8.5 3 3 6-7"/></symbol>
<symbol id="sign-info" viewBox="0 0 16 16"><path d="M8 7.2v4.3M8 4.4v.2"/></symbol>
<symbol id="sign-warn" viewBox="0 0 16 16"><path d="M8 4v5M8 11.6v.1"/></symbol>
<symbol id="sign-fail" viewBox="0 0 16 16"><path d="m4.5 4.5 7 7m0-7-7 7"/></symbol></defs></svg>`;

/** @param {Report} report */
const byArea = ({ findings }) => [...Map.groupBy(findings, ({ area }) => area)];

/**
 * Sums up an area in one phrase. An area that could not be checked is not called fine.
 *
 * @param {Context} context
 * @param {readonly Finding[]} findings
 */
function resultOf({ t }, findings) {
  const { unchecked, passed } = digest(findings);
  const bad = count(findings, 'fail') + count(findings, 'warn');
  const said = [
    bad > 0 && t('to_fix', { n: bad }),
    bad === 0 && passed.length > 0 && t('all_good', { n: passed.length }),
    unchecked.length > 0 && t('not_checked', { n: unchecked.length }),
  ].filter((one) => one !== false);
  return said.length > 0 ? said.join(', ') : t('nothing_found');
}

/**
 * Draws one tile per area, worst result first, each with a link to its findings.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function areaStrip(context, report) {
  const { t } = context;
  const tiles = byArea(report).map(([area, findings]) => {
    return html`
<li><a class="tile" href="#area-${area}">${sign(context, standing(report, findings))}<span><strong>${areaName(context, area)}</strong><span class="quiet">${resultOf(context, findings)}</span></span></a></li>`;
  });
  return html`
<section aria-labelledby="areas"><h2 id="areas">${t('areas')}</h2><ul class="tiles">${tiles}</ul></section>`;
}

/**
 * @param {Context} context
 * @param {Report} report
 * @param {Finding} finding
 * @param {readonly Finding[]} [consequences] other findings with the same cause
 */
function entry(context, report, finding, consequences = []) {
  const { id, severity, title, detail, fix, points, actions = [] } = finding;
  const { t, href } = context;
  const bad = severity === 'fail' || severity === 'warn';
  // The fix is not repeated if a card above already shows it.
  const number = report.top_fixes.findIndex((one) => one.id === id) + 1;
  return html`
<li class="finding" id="finding-${id}"><details${bad && html` open`}><summary>${sign(context, severity)}<h4>${title}</h4>${points ? html`<span class="chip">−${points}</span>` : ''}</summary>
<div class="finding-body">${detail && html`<p class="evidence">${detail}</p>`}
${consequences.length > 0 && html`<p>${t('also_because')} ${consequences.map((one, n) => html`${n > 0 && ', '}<span id="finding-${one.id}">${one.title}</span>`)}</p>`}
${number > 0 ? html`<p><a href="#fix-${number}">${t('see_fix', { n: number })}</a></p>` : fix && steps(context, report, { fix, actions })}
<p><a href="${href(`/findings/${id}`)}">${t('learn_more')}<span class="visually-hidden">: ${title}</span></a></p></div></details></li>`;
}

/**
 * Puts findings into a section that can be opened.
 *
 * @param {string} title
 * @param {Html} list
 */
const folded = (title, list) => html`
<details class="area"><summary><h3>${title}</h3></summary>${list}</details>`;

/**
 * Lists the problems, one per cause, followed by three sections that can be opened: unchecked findings,
 * suggestions, and passes.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function findingList(context, report) {
  const { t } = context;
  const { problems, unchecked, extras, passed } = digest(report.findings, report.top_fixes);
  /** @param {readonly Finding[]} all */
  const list = (all) =>
    html`<ul class="findings">${all.map((finding) => entry(context, report, finding))}</ul>`;
  const areas = byArea(report).map(([area, findings]) => {
    const good = findings.filter((one) => passed.includes(one));
    const others = findings.filter((one) => !good.includes(one));
    return html`
<details class="area" id="area-${area}"><summary>${sign(context, standing(report, findings))}<h3>${areaName(context, area)}</h3><span class="quiet">${resultOf(context, findings)}</span></summary>
${others.length > 0 && html`<p>${others.map(({ id, title }, n) => html`${n > 0 && ', '}<a href="#finding-${id}">${title}</a>`)}</p>`}
${good.length > 0 && list(good)}</details>`;
  });
  return html`<section class="all-areas" aria-labelledby="findings"><h2 id="findings">${t('findings_title', { n: report.findings.length })}</h2>
${problems.length > 0 && html`<h3>${t('problems_title', { n: problems.length })}</h3><ul class="findings">${problems.map(({ finding, consequences }) => entry(context, report, finding, consequences))}</ul>`}
${unchecked.length > 0 && folded(t('unchecked_title', { n: unchecked.length }), list(unchecked))}
${extras.length > 0 && folded(t('extras_title', { n: extras.length }), list(extras))}
${areas}</section>`;
}

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
 * Lists the requirements of one receiver: first those that are not met, then the others in a section that can
 * be opened.
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
  const unseen = rest.length - met;
  const results = [
    missed.length > 0 && t('not_met', { n: missed.length }),
    t(met === asked.length ? 'met_all' : 'met', { n: met }),
    unseen > 0 && t('not_visible', { n: unseen }),
  ].filter((one) => one !== false);
  return html`
<section class="card receiver" aria-labelledby="receiver-${receiver}"><header><h3 id="receiver-${receiver}">${NAMES[receiver]}</h3><span class="chip ${missed.length > 0 ? 'fail' : 'pass'}">${results[0]}</span></header>
${results.length > 1 && html`<p class="quiet">${results.slice(1).join(', ')}</p>`}
${missed.length > 0 && list(missed)}
<details><summary>${t(missed.length > 0 ? 'show_others' : 'show_requirements')}</summary>${list(rest)}</details>
<footer><a href="${asked[0]?.source ?? ''}" rel="noreferrer">${t('source')}<span class="visually-hidden">: ${NAMES[receiver]}</span></a></footer></section>`;
}

/**
 * Renders the large providers' requirements, and whether the email meets them.
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
  const byReceiver = Map.groupBy(rows, ({ receiver }) => receiver);
  const columns = [...byReceiver].map(([receiver, asked]) =>
    column(context, report, receiver, asked),
  );
  if (columns.length === 0) return html``;
  const names = new Intl.ListFormat('en').format(
    [...byReceiver.keys()].map((one) => NAMES[one] ?? one),
  );
  return html`
<section aria-labelledby="receivers"><h2 id="receivers">${t('receivers_title', { names })}</h2><p class="quiet">${t('receivers_help')}</p><div class="columns">${columns}</div></section>`;
}
