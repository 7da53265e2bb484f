/** @import { StringKey, Translate } from '../language.ts' */

/**
 * What every part of a page is written with.
 *
 * @typedef {object} Context
 * @property {string} lang the language of the page's own texts
 * @property {Translate} t
 * @property {(path: string) => string} href the path of a page, below the prefix of this service and
 *   in the language that was chosen
 * @property {(path: string) => string} data as `href`, for what has no language
 * @property {string} [timeZone] of the instants; default: the reader's
 */

/** A value, or one of two words for it: `{n|result|results}`. */
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
 * @param {string} root the prefix of the service's paths
 * @param {string | undefined} chosen the language that the address names
 */
export const linker = (root, chosen) => ({
  /** @param {string} path */
  href(path) {
    if (!chosen) return root + path;
    const [page, anchor] = path.split('#');
    return `${root}${page}?lang=${chosen}${anchor === undefined ? '' : `#${anchor}`}`;
  },
  /** @param {string} path */
  data: (path) => root + path,
});

/**
 * An instant for people.
 *
 * @param {Context} context
 * @param {string} instant
 */
export const formatInstant = ({ lang, timeZone }, instant) =>
  new Intl.DateTimeFormat(lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(instant)) + (timeZone ? ` ${timeZone}` : '');

/**
 * A day for people, on one line.
 *
 * @param {Context} context
 * @param {string} day
 */
export const formatDay = ({ lang }, day) =>
  new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(day))
    .replaceAll(' ', '\u00a0');
