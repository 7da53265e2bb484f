/**
 * Provides the basic functions for rendering pages: safe markup, texts, times, names of networks, values to
 * copy, and explanations of errors and of how to pay. Nearly every other module uses them.
 *
 * @import { StringKey, Translate } from '../texts.ts'
 */

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Matches characters that are invisible or that change the direction of the text around them. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** @param {string} one */
const codePoint = (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * Makes text safe for HTML and XML, between tags and in quoted attributes. Characters that someone hid in a
 * name or a record are shown as code points.
 *
 * @param {string} text
 */
export const escapeHtml = (text) =>
  text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one).replace(INVISIBLE, codePoint);

/**
 * Markup that may be inserted into other markup without escaping.
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
 * Builds markup from a template. Values are escaped unless they are markup themselves, and missing values are
 * omitted.
 *
 * @param {TemplateStringsArray} parts
 * @param {...Value} values
 * @returns {Html}
 */
export const html = (parts, ...values) => ({
  markup: parts.map((part, i) => part + (i < values.length ? toMarkup(values[i]) : '')).join(''),
});

/**
 * The functions and facts with which every part of a page is rendered.
 *
 * @typedef {object} Context
 * @property {Translate} t
 * @property {(path: string) => string} href returns a path with the prefix of this service
 * @property {string} [timeZone] for showing times; by default, the reader's
 */

/**
 * Matches a placeholder for a value, or for one of two words that the value selects: `{n|result|results}`.
 */
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
 * Formats a time for people to read.
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

/** Returns the name that wallets and exchanges use for a network. @param {string} network as a CAIP-2 id */
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
 * Formats a day for people to read, on one line.
 *
 * @param {string} day
 */
export const formatDay = (day) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(day))
    .replaceAll(' ', '\u00a0');

/** Matches spaces and hyphens, with the characters on both sides. */
const SEAMS = /.?(?:[ -]{1,8}.?){1,16}/gu;

/**
 * Renders a name or value that readers may copy. In print, its lines break only inside words, because a PDF
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
  return html`<code translate="no">${seams}${text.slice(end)}</code>`;
}

/**
 * @param {Context} context
 * @param {string} what names the copied value, for people who cannot see it
 * @param {string} value
 */
export const copyButton = ({ t }, what, value) =>
  html`<button type="button" class="copy" data-copy="${value}" aria-label="${t('copy_what', { what })}">${t('copy')}</button>`;

/**
 * Renders one part of a record, with a button that copies it.
 *
 * @param {Context} context
 * @param {string} label
 * @param {string} text
 * @param {string} [full] the whole value, if the text is only a part of it
 */
export const recordRow = (context, label, text, full = text) => html`
<div class="record-row"><dt>${label}</dt><dd>${copyable(text)}${full !== text && html` <span class="quiet">${context.t('in_full')} ${copyable(full)}</span>`}</dd><dd>${copyButton(context, label, text)}</dd></div>`;

/**
 * @typedef {{ readonly code: string, readonly title?: string, readonly detail?: string, readonly retryAfter:
 * number }} Problem the members of a problem document that pages read, with the seconds until another attempt
 */

/**
 * Explains what went wrong and what to do. For a code without a text of its own, the words of the problem
 * document are used.
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
