/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What turns the direction of the text around it, or is not seen at all. */
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** @param {string} one */
const codePoint = (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * Text made safe for HTML and XML, between tags and in quoted attributes. What a stranger hid in a
 * name or a record is shown by its code point.
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
 * A template whose values are escaped unless they are markup themselves. What is not there, is left
 * out.
 *
 * @param {TemplateStringsArray} parts
 * @param {...Value} values
 * @returns {Html}
 */
export const html = (parts, ...values) => ({
  markup: parts.map((part, i) => part + (i < values.length ? toMarkup(values[i]) : '')).join(''),
});
