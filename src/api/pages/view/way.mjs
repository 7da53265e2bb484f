/**
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Context } from './context.mjs'
 * @import { StringKey } from '../texts.ts'
 */
import { html } from './html.mjs';

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
 * What a step shows: how the mail went, and how long since the one before.
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
 * The servers that the mail went through, as its Received fields name them.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function wayDrawing(context, { message: { way }, connection, received_at }) {
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
