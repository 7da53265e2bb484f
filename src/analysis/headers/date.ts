/**
 * Parses the Date field, notes obsolete time zones and wrong days of the week, and compares the date with the
 * time of arrival.
 */

import { toDateTime } from '../../domain/instant.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';
import type { FieldFacts } from './facts.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Offsets of obsolete named time zones, in hours from UTC (RFC 5322 §4.3). The military zones are not
 * included, because their meaning is not reliable.
 */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
]);

// Matches a date-time in lower case, in which the day of the week and the seconds are optional (RFC 5322
// §3.3). Receivers also read an hour of one digit.
const DATE =
  /^(?:([a-z]{3}) ?, ?)?(\d{1,2}) ([a-z]{3}) (\d{2,4}) (\d{1,2}) ?: ?(\d{2})(?: ?: ?(\d{2}))? ([+-]\d{4}|[a-z]{1,5})$/;

const UTC = ['ut', 'gmt', 'utc', 'z'];

const offsetMinutes = (zone: string): number | null => {
  // An unknown zone name counts as -0000 (RFC 5322 §4.3). AM and PM are not zones, so they make the date
  // invalid.
  if (/^[a-z]/.test(zone)) return /^[ap]m$/.test(zone) ? null : (ZONES.get(zone) ?? 0) * 60;
  const minutes = Number(zone.slice(3));
  return minutes > 59
    ? null
    : (zone[0] === '-' ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + minutes);
};

/**
 * Returns the year with four digits. A year with two or three digits is obsolete: 00 to 49 count from 2000,
 * and any other from 1900 (RFC 5322 §4.3).
 */
const fullYear = (digits: string): number => {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return digits.length === 2 && year < 50 ? 2000 + year : 1900 + year;
};

const utcOf = (parts: RegExpExecArray): number | null => {
  const [, , day = '', monthName = '', year = '', hour = '', minute = '', second = '0', zone = ''] =
    parts;
  const month = MONTHS.indexOf(monthName);
  const offset = offsetMinutes(zone);
  if (month === -1 || offset === null) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const days = new Date(Date.UTC(fullYear(year), month + 1, 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > days) return null;
  return (
    Date.UTC(fullYear(year), month, Number(day), Number(hour), Number(minute), Number(second)) -
    offset * 60_000
  );
};

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/**
 * Returns the fault in the day of the week, if any. RFC 5322 §3.3 says that it "MUST be the day implied by
 * the date", in the sender's zone.
 */
const weekdayFault = ([, name, day, month = '', year = '']: RegExpExecArray) => {
  if (name === undefined) return null;
  const said = WEEKDAYS.indexOf(name);
  if (said === -1) return 'no_day';
  const date = new Date(Date.UTC(fullYear(year), MONTHS.indexOf(month), Number(day)));
  return date.getUTCDay() === said ? null : 'wrong';
};

const MAX_DATE_LENGTH = 1000;

const obsoleteZone = (zone: string): FieldFacts['date']['obsoleteZone'] => {
  if (!/^[a-z]/.test(zone)) return null;
  return UTC.includes(zone) ? 'utc' : 'other';
};

/**
 * Parses an RFC 5322 date-time into milliseconds since 1970, and reports how its zone and its day of the week
 * were written. Returns null if the value is not a date-time.
 */
export const parseDate = (
  value: string,
):
  | (Pick<FieldFacts['date'], 'obsoleteZone' | 'weekdayFault' | 'shortHour'> & { at: number })
  | null => {
  if (value.length > MAX_DATE_LENGTH) return null;
  const plain = withoutComments(value).replace(/\s+/g, ' ').trim().toLowerCase();
  const parts = DATE.exec(plain);
  const at = parts && utcOf(parts);
  if (!parts || at === null) return null;
  return {
    at,
    obsoleteZone: obsoleteZone(parts[8] ?? ''),
    weekdayFault: weekdayFault(parts),
    shortHour: parts[5]?.length === 1,
  };
};

/**
 * Reads the Date field and compares it with the time of arrival. A positive skew means that the date is in
 * the future.
 */
export const readDate = (block: HeaderBlock, receivedAt: string): FieldFacts['date'] => {
  const value = fieldsNamed(block, 'date')[0]?.value;
  const parsed = value === undefined ? null : parseDate(value);
  if (!parsed)
    return {
      state: value === undefined ? 'missing' : 'unparsable',
      instant: null,
      obsoleteZone: null,
      skewSeconds: null,
      weekdayFault: null,
      shortHour: false,
    };
  const { at, ...faults } = parsed;
  const skewSeconds = Math.round((at - Date.parse(receivedAt)) / 1000);
  return { state: 'ok', instant: toDateTime(at), skewSeconds, ...faults };
};
