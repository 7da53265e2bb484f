/**
 * Renders the parts of a report that state facts instead of results: the kind of the email, its route, its
 * size and headers, and the DNS queries.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { StringKey } from '../texts.ts'
 * @import { Context, Value } from './html.mjs'
 */
import { copyable, html } from './html.mjs';

/**
 * Renders the kind that the email was judged to be, and the signs that speak for it.
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
${evidence.length > 0 && html`<p class="quiet">${t('kind_evidence', { n: evidence.length })}</p><ul class="evidence-list">${evidence.map((one) => html`<li>${one}</li>`)}</ul>`}</section>`;
}

/**
 * Lists facts about the email and its connection, but none of its words.
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
  const known = rows.filter(([, value]) => value || value === 0);
  return html`
<details class="panel"><summary><h2>${t('facts_title')}</h2></summary><p class="quiet">${t('facts_help')}</p>
<dl class="facts">${known.map(([key, value]) => html`<div><dt>${t(key)}</dt><dd>${value}</dd></div>`)}</dl></details>`;
}

/** @typedef {NonNullable<Report['message']['way']>} Way */

/** @param {string} version */
const spaced = (version) => version.replace('TLSv', 'TLS ');

/** @type {readonly (readonly [unit: string, seconds: number])[]} */
const UNITS = [
  ['h', 3600],
  ['min', 60],
];

/** @param {number} seconds */
function elapsed(seconds) {
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= 2 * one) ?? ['s', 1];
  return `${Math.round(seconds / size)} ${unit}`;
}

/**
 * Draws one step of the route: whether it was encrypted, and how long it took after the step before.
 *
 * @param {Context} context
 * @param {boolean | null} encrypted
 * @param {string | null} version
 * @param {number | null} delay in seconds
 */
function leg({ t }, encrypted, version, delay) {
  const safety = encrypted ? spaced(version ?? t('way_tls')) : t('way_plain');
  const said = [
    ...(encrypted === null ? [] : [safety]),
    ...(delay === null ? [] : [t('way_delay', { time: elapsed(delay) })]),
  ];
  return html`<span class="leg ${encrypted === null ? '' : encrypted ? 'good' : 'bad'}">${said.join(', ')}</span>`;
}

/**
 * Draws the servers that the email passed through, according to its Received fields.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function routeDrawing(context, { message: { way }, connection, received_at }) {
  const { t } = context;
  const [first] = way?.hops ?? [];
  if (!way || !first) return html``;
  const start = Date.parse(first.at ?? '');
  const seconds = Math.round((Date.parse(received_at) - start) / 1000);
  const { tls } = connection;
  const last = !tls || tls.status === 'not_observable' ? null : tls.status === 'tls';
  const nodes = way.hops.map((hop, at) => {
    const name = hop.by ?? way.hops[at + 1]?.from ?? t('way_nameless');
    return html`
<li>${leg(context, hop.encrypted, hop.tls_version, hop.delay_seconds)}<strong>${name}</strong>${(hop.whose === 'sender' || hop.whose === 'service') && html` <span class="chip">${t(/** @type {StringKey} */ (`way_${hop.whose}`))}</span>`}</li>`;
  });
  return html`
<section class="panel no-print" aria-labelledby="way"><h2 id="way">${t('way_title')}</h2>
<p>${seconds >= 0 ? t('way_lead', { n: way.hops.length + 1, time: elapsed(seconds) }) : t('way_clocks')}</p>
<ol class="way"><li><strong>${first.from ?? t(/** @type {StringKey} */ (`way_from_${first.from_kind}`))}</strong></li>${nodes}
<li>${leg(context, last, tls?.version ?? null, way.last_delay_seconds)}<strong>${t('way_here')}</strong></li></ol>
<p class="quiet">${t('way_help')}</p></section>`;
}

/** @typedef {{ readonly type: string, readonly name: string, readonly answers: readonly string[], readonly what: string }} Lookup */

/** @param {string | null | undefined} record */
const one = (record) => (record ? [record] : []);

/**
 * Lists the DNS queries whose names and answers the report contains.
 *
 * @param {Report} report
 * @returns {Lookup[]}
 */
function lookupsOf({ connection, authentication, transport_policy }) {
  const { spf, dkim, dmarc, bimi } = authentication;
  const { domain, mx, mta_sts, tls_rpt } = transport_policy;
  /** @type {Lookup[]} */
  const found = [];
  /** @param {string} type @param {string} name @param {readonly string[]} answers @param {string} what */
  const add = (type, name, answers, what) => found.push({ type, name, answers, what });

  if (connection.ip && connection.ptr) add('PTR', connection.ip, connection.ptr, 'reverse DNS');
  for (const [name, addresses] of Object.entries(connection.ptr_forward ?? {}))
    add(connection.ip_version === 6 ? 'AAAA' : 'A', name, addresses, 'reverse DNS, forward');
  if (spf.domain && spf.record !== undefined)
    add('TXT', spf.domain, spf.records ?? one(spf.record), 'SPF');
  for (const { key, domain: signer, selector } of dkim)
    add('TXT', key?.record_name ?? `${selector}._domainkey.${signer}`, one(key?.record), 'DKIM');
  for (const { name, found: there } of dmarc.tree_walk ?? [])
    add('TXT', `_dmarc.${name}`, there ? one(dmarc.record) : [], 'DMARC');
  if (domain && mx) add('MX', domain, mx, 'MX');
  if (domain && mta_sts) add('TXT', `_mta-sts.${domain}`, one(mta_sts.record), 'MTA-STS');
  if (domain && tls_rpt) add('TXT', `_smtp._tls.${domain}`, one(tls_rpt.record), 'TLS-RPT');
  if (bimi.domain && bimi.record !== undefined)
    add('TXT', `${bimi.selector ?? 'default'}._bimi.${bimi.domain}`, one(bimi.record), 'BIMI');
  for (const { list, status, codes } of connection.dnsbl ?? [])
    if (status !== 'unavailable') add('A', list, codes, 'blocklist');
  return found;
}

/** @param {Context} context @param {Report} report */
export function lookups(context, report) {
  const { t } = context;
  const rows = lookupsOf(report).map(
    ({ type, name, answers, what }) => html`
<tr><th scope="row"><span class="chip">${type}</span> ${copyable(name)}<span class="quiet"> ${what}</span></th>
<td>${answers.length === 0 ? html`<span class="quiet">${t('no_record')}</span>` : answers.map((answer) => html`${copyable(answer)} `)}</td></tr>`,
  );
  return html`
<details class="panel on-paper"><summary><h2>${t('lookups', { n: rows.length })}</h2></summary>
<p class="quiet">${t('lookups_help')}</p>
<table class="lookups"><thead><tr><th scope="col">${t('lookup_query')}</th><th scope="col">${t('lookup_answer')}</th></tr></thead><tbody>${rows}</tbody></table>
${report.partial_errors && report.partial_errors.length > 0 && html`<p class="note warn">${t('partial_errors')}</p><ul>${report.partial_errors.map((error) => html`<li>${error}</li>`)}</ul>`}
</details>`;
}
