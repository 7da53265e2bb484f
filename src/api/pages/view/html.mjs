/**
 * The tools for writing every part of a page: safe markup, texts, times, copy buttons and problems. It is one
 * module, because each module is a request.
 *
 * @import { StringKey, Translate } from '../texts.ts'
 */

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that change the direction of the text around them, or that nobody can see. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** @param {string} one */
const codePoint = (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * Makes text safe for HTML and XML, between tags and in quoted attributes. Characters that a stranger hid in
 * a name or a record are shown as code points.
 *
 * @param {string} text
 */
export const escapeHtml = (text) =>
  text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one).replace(INVISIBLE, codePoint);

/**
 * Markup that is safe to put into markup.
 *
 * @typedef {{ readonly markup: string }} Html
 * @typedef {string | number | Html | false | null | undefined | readonly Html[]} Value
 */

/**
 * @param {Value} value
 * @returns {string}
 */
function toMarkup(value) {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/**
 * A template whose values are escaped unless they are markup themselves. Missing values are omitted.
 *
 * @param {TemplateStringsArray} parts
 * @param {...Value} values
 * @returns {Html}
 */
export const html = (parts, ...values) => ({
  markup: parts.map((part, i) => part + (i < values.length ? toMarkup(values[i]) : '')).join(''),
});

/**
 * The functions with which every part of a page is written.
 *
 * @typedef {object} Context
 * @property {Translate} t
 * @property {(path: string) => string} href the path below the prefix of this service
 * @property {string} [timeZone] of the instants; default: the reader's
 */

/** A placeholder for a value, or for one of two words that the value chooses: `{n|result|results}`. */
const VALUE = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g;

/**
 * @param {Readonly<Record<string, string>>} texts
 * @returns {Translate}
 */
export const translator =
  (texts) =>
  /** @param {StringKey} key */
  (key, values = {}) =>
    (texts[key] ?? key).replace(VALUE, (_all, name, one, other) =>
      one === undefined ? String(values[name] ?? '') : values[name] === 1 ? one : other,
    );

/**
 * Writes a time for people.
 *
 * @param {Context} context
 * @param {string} instant
 */
export const formatInstant = ({ timeZone }, instant) =>
  new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(instant)) + (timeZone ? ` ${timeZone}` : '');

/** @type {Readonly<Record<string, string>>} */
const NETWORKS = { 'eip155:8453': 'Base', 'eip155:84532': 'Base Sepolia' };

/** Returns the name that wallets and exchanges use for a network. @param {string} network by CAIP-2 */
export const networkName = (network) => NETWORKS[network] ?? network;

/**
 * Explains in steps how to get a wallet and USDC.
 *
 * @param {Context} context
 * @param {{ readonly network: string, readonly dollars: number }} price
 */
export const stepsToPay = ({ t }, { network, dollars }) =>
  html`<li>${t('pay_how_1')}</li><li>${t('pay_how_2', { network, reports: Math.floor(1 / dollars) })}</li>`;

/**
 * Writes a day for people, on one line.
 *
 * @param {string} day
 */
export const formatDay = (day) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(day))
    .replaceAll(' ', '\u00a0');

/** Spaces and hyphens, with the characters on both sides. */
const SEAMS = /.?(?:[ -]{1,8}.?){1,16}/gu;

/**
 * Writes a name or a value that is to be copied. In print, its lines break only inside words, because a PDF
 * loses a space or hyphen at the end of a line.
 *
 * @param {string} text
 */
export function copyable(text) {
  let end = 0;
  const seams = [...text.matchAll(SEAMS)].map(({ 0: seam, index }) => {
    const before = text.slice(end, index);
    end = index + seam.length;
    return html`${before}<span class="seam">${seam}</span>`;
  });
  return html`<code>${seams}${text.slice(end)}</code>`;
}

/**
 * @param {Context} context
 * @param {string} what names what is copied, for people who do not see it
 * @param {string} value
 */
export const copyButton = ({ t }, what, value) =>
  html`<button type="button" class="copy" data-copy="${value}" aria-label="${t('copy_what', { what })}">${t('copy')}</button>`;

/**
 * One part of a record, with a button that copies it.
 *
 * @param {Context} context
 * @param {string} label
 * @param {string} text
 * @param {string} [full] the whole value, if the text is only a part of it
 */
export const recordRow = (context, label, text, full = text) => html`
<div class="record-row"><dt>${label}</dt><dd>${copyable(text)}${full !== text && html` <span class="quiet">${context.t('in_full')} ${copyable(full)}</span>`}</dd><dd>${copyButton(context, label, text)}</dd></div>`;

/**
 * @typedef {{ readonly code: string, readonly title?: string, readonly detail?: string, readonly retryAfter: number }} Problem what is read of a problem document, with the seconds until another attempt
 */

/**
 * Says what went wrong and what to do. If no text exists for it, the service's own words are used.
 *
 * @param {Translate} t
 * @param {Problem} problem
 */
export function problemText(t, { code, title, detail, retryAfter }) {
  switch (code) {
    case 'offline':
      return t('problem_offline');
    case 'rate_limited':
      return t('problem_rate_limited', { seconds: retryAfter });
    case 'creation_paused':
      return t('problem_creation_paused', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
    case 'log_unavailable':
    case 'facilitator_unavailable':
    case 'test_damaged':
      return t('problem_unavailable');
    case 'internal_error':
      return t('problem_internal');
    default:
      return [title, detail].filter(Boolean).join(' ') || t('problem_internal');
  }
}
