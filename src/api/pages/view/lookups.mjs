/**
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Context } from './context.mjs'
 */
import { html } from './html.mjs';

/** @typedef {{ readonly type: string, readonly name: string, readonly answers: readonly string[], readonly what: string }} Lookup */

/** @param {string | null | undefined} record */
const one = (record) => (record ? [record] : []);

/**
 * The DNS queries whose names and answers the report holds.
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
<tr><th scope="row"><span class="chip">${type}</span> <code>${name}</code><span class="quiet"> ${what}</span></th>
<td>${answers.length === 0 ? html`<span class="quiet">${t('no_record')}</span>` : answers.map((answer) => html`<code>${answer}</code> `)}</td></tr>`,
  );
  return html`
<details class="panel"><summary><h2>${t('lookups', { n: rows.length })}</h2></summary>
<p class="quiet">${t('lookups_help')}</p>
<table class="lookups"><thead><tr><th scope="col">${t('lookup_query')}</th><th scope="col">${t('lookup_answer')}</th></tr></thead><tbody>${rows}</tbody></table>
${report.partial_errors && report.partial_errors.length > 0 && html`<p class="note warn">${t('partial_errors')}</p><ul>${report.partial_errors.map((error) => html`<li>${error}</li>`)}</ul>`}
</details>`;
}
