/**
 * Renders the fixes of a report as cards, with each record in fields that can be copied, and where to enter
 * it at the reader's DNS host.
 *
 * @import { Action } from '../../../domain/report/action.ts'
 * @import { Fix, Report } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 * @import { Context } from './html.mjs'
 */
import { DNS_HOSTS, findDnsHost } from './dns-hosts.mjs';
import { copyable, html, recordRow } from './html.mjs';

/** @param {Report} report */
const publisherOf = ({ message: { header_from } }) => ({
  domain: header_from.organizational_domain ?? header_from.domain,
  servers: header_from.name_servers ?? [],
});

/** @param {Report} report @param {string} id */
const findingOf = ({ findings }, id) => findings.find((one) => one.id === id);

/** Returns a key that is equal for two steps about the same record. @param {Action} action */
const keyOf = ({ operation, name, type, value }) => [operation, name, type, value].join(' ');

/**
 * Returns, for each record, the number of the first fix that shows it. @param {Report} report @returns
 * {ReadonlyMap<string, number>}
 */
function firstShown(report) {
  const first = new Map();
  report.top_fixes.forEach(({ id }, i) => {
    for (const action of findingOf(report, id)?.actions ?? [])
      if (isRecord(action) && !first.has(keyOf(action))) first.set(keyOf(action), i + 1);
  });
  return first;
}

/**
 * Splits a fix into lines. A value of several lines, such as a file, stays in one piece. @param {string} fix
 * @param {readonly Action[]} records
 */
function linesOf(fix, records) {
  const joined = records.reduce(
    (text, { value }) =>
      value ? text.replace(value, () => value.replaceAll('\n', '\u2028')) : text,
    fix,
  );
  return joined.split('\n').map((line) => line.replaceAll('\u2028', '\n'));
}

/**
 * Renders the text of a fix. A record at the end of a line is shown separately, ready to copy. A record that
 * an earlier fix shows is not repeated.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {{ readonly fix: string, readonly actions: readonly Action[], readonly number?: number | undefined
 * }} step
 */
export function steps(context, report, { fix, actions, number = Number.POSITIVE_INFINITY }) {
  const first = firstShown(report);
  const records = actions.filter(isRecord);
  const shown = new Set();
  /** @param {Action} action */
  const show = (action) => {
    shown.add(action);
    const before = first.get(keyOf(action)) ?? number;
    return before < number
      ? html`<p class="quiet"><a href="#fix-${before}">${context.t('same_record', { n: before })}</a></p>`
      : recordForm(context, action, publisherOf(report));
  };
  const lines = linesOf(fix, records).map((line) => {
    const found = records.find(
      (one) =>
        !shown.has(one) && one.value !== null && one.value !== '' && line.endsWith(one.value),
    );
    if (!found?.value) return html`<p>${line}</p>`;
    // If the value is an instruction, it is itself the text.
    const text = found.operation === 'do' ? line : line.slice(0, -found.value.length).trimEnd();
    return html`${text !== '' && html`<p>${text}</p>`}${show(found)}`;
  });
  return html`${lines}${records.filter((one) => !shown.has(one)).map(show)}`;
}

/**
 * Draws the card of one fix.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {Fix} fix
 * @param {number} [number] its position among the fixes to make first
 */
function card(context, report, { id, title, fix }, number) {
  const { t, href } = context;
  const finding = findingOf(report, id);
  const actions = finding?.actions ?? [];
  const owners = [...new Set(actions.map(({ owner }) => owner))];
  // The points that the fix gains, as the service computed them. Near a score of 0 or under a cap, the gain
  // is less than the cost of the finding.
  const gain = Math.max(0, ...actions.map((action) => action.points));
  const cost = finding?.points ?? 0;
  return html`
<li class="card fix"${number && html` id="fix-${number}"`}>
<header>${number && html`<span class="number" aria-hidden="true">${number}</span>`}<h3>${title}</h3>
${gain > 0 ? html`<span class="chip gain">${t('gain', { points: gain })}</span>` : cost > 0 && html`<span class="chip">${t('costs', { points: cost })}</span>`}</header>
${steps(context, report, { fix, actions, number })}
${finding?.detail && html`<p class="evidence">${t('seen')} <span>${finding.detail}</span></p>`}
<footer class="quiet">${owners.map((owner) => html`<span class="chip">${t(/** @type {StringKey} */ (`owner_${owner}`))}</span> `)}
<a href="${href(`/findings/${id}`)}">${t('learn_more')}<span class="visually-hidden">: ${title}</span></a></footer>
</li>`;
}

/** @param {Context} context @param {Report} report */
export function fixes(context, report) {
  const { t } = context;
  const { top_fixes, suggestions, score_breakdown } = report;
  const sum = score_breakdown?.sum ?? 100;
  return html`
<section aria-labelledby="fixes">
<h2 id="fixes">${t(top_fixes.length === 0 ? 'fix_nothing' : 'fix_first')}</h2>
${sum < 0 && html`<p class="quiet">${t('costs_floor', { lost: 100 - sum })}</p>`}
${top_fixes.length === 0 ? html`<p class="note pass">${t('nothing_to_fix')}</p>` : html`<ol class="cards">${top_fixes.map((fix, i) => card(context, report, fix, i + 1))}</ol>`}
${suggestions.length > 0 && html`<details class="panel"><summary>${t('suggestions', { n: suggestions.length })}</summary><ul class="cards">${suggestions.map((fix) => card(context, report, fix))}</ul></details>`}
</section>`;
}

/**
 * Renders what a fix asks the reader to publish, delete or set, as a form in which every field can be copied.
 *
 * @typedef {{ readonly domain: string | null, readonly servers: readonly string[] }} Publisher the domain
 * where the reader publishes records, and its name servers
 */

/**
 * Returns the domain in which a record is entered: the sender's own, or the record's name without its service
 * labels.
 * @param {string} name @param {string | null} domain
 */
const zoneOf = (name, domain) =>
  domain && (name === domain || name.endsWith(`.${domain}`))
    ? domain
    : name.replace(/^([^.]+\.(?=_domainkey\.|_bimi\.))?(_[^.]+\.)+/, '');

/**
 * Returns a record's name as most DNS hosts expect it: without the domain in which it is entered. @param
 * {string} name
 * @param {string} zone
 */
const hostOf = (name, zone) => (name === zone ? '@' : name.slice(0, -zone.length - 1));

/**
 * Names the company at which the reader enters DNS records, if the name servers show it.
 *
 * @param {Context} context
 * @param {Publisher} publisher
 */
function company({ t }, { domain, servers }) {
  const known = findDnsHost(servers);
  if (known)
    return html`<p>${t('where_known', { domain: domain ?? '', company: known.name })}</p><p class="path">${known.path}</p>`;
  const named = servers.length > 0;
  return html`<p>${named ? t('where_named', { domain: domain ?? '', servers: servers.join(', ') }) : t('where_unknown', { domain: domain ?? '' })}</p>
<details><summary>${t('where_hosts')}</summary><dl class="hosts">${DNS_HOSTS.map(({ name, path }) => html`<div><dt>${name}</dt><dd>${path}</dd></div>`)}</dl></details>`;
}

/**
 * @param {Context} context
 * @param {Action} action
 * @param {string} zone
 * @param {Publisher} publisher
 */
function where(context, { type, operation, name }, zone, { domain, servers }) {
  const { t } = context;
  const host = hostOf(name ?? '', zone);
  const at = { domain: zone, servers: zone === domain ? servers : [] };
  const isKnown = findDnsHost(at.servers) !== undefined;
  return html`<details class="where"><summary>${t('where_enter')}</summary>
${
  type === 'PTR'
    ? html`<p>${t('where_ptr')}</p>`
    : html`${company(context, at)}<ol>${!isKnown && html`<li>${t('where_open')}</li>`}<li>${t(operation === 'delete' ? 'where_delete' : operation === 'replace' ? 'where_edit' : 'where_new', { type: type ?? 'TXT', host })}</li><li>${t('where_save')}</li></ol>`
}</details>`;
}

/** @param {Action} action @returns {StringKey} */
const titleOf = ({ kind, operation }) =>
  kind === 'dns'
    ? operation === 'do'
      ? 'record_here'
      : /** @type {StringKey} */ (`operation_${operation}`)
    : kind === 'header'
      ? 'header_set'
      : 'file_publish';

/** Returns whether a step can be shown as a form. @param {Action} action */
const isRecord = ({ kind, operation, name, value }) =>
  name !== null &&
  (kind === 'dns'
    ? true
    : value !== null &&
      (kind === 'header' ? operation !== 'do' : kind === 'server' && operation === 'publish'));

/**
 * @param {Context} context
 * @param {Action} action
 * @param {Publisher} publisher
 */
export function recordForm(context, action, publisher) {
  const { t } = context;
  const { kind, operation, name, type, value, replaces } = action;
  const dns = kind === 'dns';
  const reverse = type === 'PTR';
  const zone = zoneOf(name ?? '', publisher.domain);
  /** @param {string} label @param {string} text @param {string} [full] */
  const row = (label, text, full) => recordRow(context, label, text, full);
  const old = replaces.filter((one) => one !== value);
  return html`
<div class="record"><p class="record-title">${t(titleOf(action))}</p>
<dl>${dns && type && html`<div class="record-row"><dt>${t('record_type')}</dt><dd><code translate="no">${type}</code></dd></div>`}
${name && row(t('record_name'), dns && !reverse ? hostOf(name, zone) : name, name)}
${operation === 'do' ? html`<div class="record-row"><dt>${t('record_value')}</dt><dd>${t('record_value_shown')}</dd></div>` : value && operation !== 'delete' && row(t('record_value'), value)}
${old.length > 0 && html`<div class="record-row old"><dt>${t(operation === 'delete' ? 'record_value' : 'record_old')}</dt><dd>${old.map((one) => html`<del>${copyable(one)}</del> `)}</dd></div>`}</dl>
${dns && where(context, action, zone, publisher)}
</div>`;
}
