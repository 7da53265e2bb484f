/** @import { StringKey, Translate } from '../texts.ts' */

/**
 * What every part of a page is written with.
 *
 * @typedef {object} Context
 * @property {Translate} t
 * @property {(path: string) => string} href the path below the prefix of this service
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
 * An instant for people.
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

/**
 * A day for people, on one line.
 *
 * @param {string} day
 */
export const formatDay = (day) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(day))
    .replaceAll(' ', '\u00a0');
