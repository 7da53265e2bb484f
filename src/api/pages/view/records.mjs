/**
 * What a fix asks to publish, delete or set, as a form whose every field can be copied.
 *
 * @import { Action } from '../../../domain/report/action.ts'
 * @import { Context } from './context.mjs'
 * @import { StringKey } from '../texts.ts'
 *
 * @typedef {{ readonly domain: string | null, readonly servers: readonly string[] }} Publisher the domain that the reader publishes at, and its name servers
 */
import { copyButton } from './copy-button.mjs';
import { DNS_HOSTS, findDnsHost } from './dns-hosts.mjs';
import { html } from './html.mjs';

/** The domain that a name is entered at: the sender's own, or the name without its service labels. @param {string} name @param {string | null} domain */
const zoneOf = (name, domain) =>
  domain && (name === domain || name.endsWith(`.${domain}`))
    ? domain
    : name.replace(/^([^.]+\.(?=_domainkey\.|_bimi\.))?(_[^.]+\.)+/, '');

/** The name as most DNS hosts want it: without the domain that the form is of. @param {string} name @param {string} zone */
const hostOf = (name, zone) => (name === zone ? '@' : name.slice(0, -zone.length - 1));

/**
 * The company where the records of the reader's domain are entered, as far as its name servers say.
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
  return html`<details class="where"><summary>${t('where_enter')}</summary>
${
  type === 'PTR'
    ? html`<p>${t('where_ptr')}</p>`
    : html`${company(context, at)}<ol><li>${t('where_open')}</li><li>${t(operation === 'delete' ? 'where_delete' : operation === 'replace' ? 'where_edit' : 'where_new', { type: type ?? 'TXT', host })}</li><li>${t('where_save')}</li></ol>`
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

/** Whether a step names what can be shown as a form. @param {Action} action */
export const isRecord = ({ kind, operation, name, value }) =>
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
  const row = (label, text, full = text) => html`
<div class="record-row"><dt>${label}</dt><dd><code>${text}</code>${full !== text && html` <span class="quiet">${t('in_full')} <code>${full}</code></span>`}</dd><dd>${copyButton(context, label, text)}</dd></div>`;
  const old = replaces.filter((one) => one !== value);
  return html`
<div class="record"><p class="record-title">${t(titleOf(action))}</p>
<dl>${dns && type && html`<div class="record-row"><dt>${t('record_type')}</dt><dd><code>${type}</code></dd></div>`}
${name && row(t('record_name'), dns && !reverse ? hostOf(name, zone) : name, name)}
${operation === 'do' ? html`<div class="record-row"><dt>${t('record_value')}</dt><dd>${t('record_value_shown')}</dd></div>` : value && operation !== 'delete' && row(t('record_value'), value)}
${old.length > 0 && html`<div class="record-row old"><dt>${t(operation === 'delete' ? 'record_value' : 'record_old')}</dt><dd>${old.map((one) => html`<del><code>${one}</code></del> `)}</dd></div>`}</dl>
${dns && where(context, action, zone, publisher)}
</div>`;
}
