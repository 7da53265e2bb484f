/** Defines the checks on the Date and Message-ID fields. */

import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import { formatElapsed } from '../format.ts';
import { isPublicDomain } from '../names/host-name.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import type { FieldFacts } from './facts.ts';

const MINUTE_SECONDS = 60;

const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/**
 * Maximum difference between Date and the time of arrival that a delay in a queue can explain, in seconds.
 */
const MAX_DELAY_SECONDS = 24 * HOUR_SECONDS;

/** Maximum difference between clocks that are set by NTP, in seconds. */
const MAX_SKEW_SECONDS = 5 * MINUTE_SECONDS;

const MINUTES = MAX_SKEW_SECONDS / MINUTE_SECONDS;
const HOURS = MAX_DELAY_SECONDS / HOUR_SECONDS;

const WEEKDAY_FAULTS = {
  wrong: 'with a day of the week that does not match the date',
  no_day: 'with a day of the week that does not exist',
} as const;

export const dateHeader = check({
  id: 'date_header',
  family: 'headers',
  title: 'Date header',
  header: 'Date',
  source: 'RFC 5322 §3.3, §3.6.1; SpamAssassin DATE_IN_*, INVALID_DATE',
  about: {
    what: 'Date says when the email was sent.',
    why: 'A missing or wrong date puts the email in the wrong place in the inbox, and is common in spam.',
    how: [
      'Set Date when the email is sent, not when it is written.',
      "Have the server's clock set automatically (NTP).",
    ],
    bad: 'Date: 22/11/2026',
    good: 'Date: Sun, 22 Nov 2026 10:00:00 +0000',
  },
  subject: ({ headers }) => headers,
  states: ({ fail, warn, suggest, pass }) => ({
    unusable: fail(6).when('missing or unparsable', ({ date }) => date.state !== 'ok'),
    far_off: warn(4).when(
      `more than ${HOURS} hours from receipt, an obsolete zone name other than GMT, UT, UTC or Z, or a day of the week that does not exist`,
      ({ date }) =>
        Math.abs(date.skewSeconds ?? 0) > MAX_DELAY_SECONDS ||
        date.obsoleteZone === 'other' ||
        date.weekdayFault === 'no_day',
    ),
    off: suggest.when(
      `${MINUTES} minutes to ${HOURS} hours from receipt, the zone written GMT, UT, UTC or Z, an hour of one digit, or the wrong day of the week`,
      ({ date }) =>
        Math.abs(date.skewSeconds ?? 0) > MAX_SKEW_SECONDS ||
        date.obsoleteZone === 'utc' ||
        date.shortHour ||
        date.weekdayFault === 'wrong',
    ),
    right: pass(`within ${MINUTES} min`),
  }),
  detail: ({ date }) =>
    date.state !== 'ok'
      ? `The Date header ${date.state === 'missing' ? 'is missing' : 'cannot be read'}.`
      : `${[
          skewOf(date),
          ...(date.obsoleteZone ? ['with an obsolete zone name'] : []),
          ...(date.shortHour ? ['with an hour of one digit'] : []),
          ...(date.weekdayFault ? [WEEKDAY_FAULTS[date.weekdayFault]] : []),
        ].join(', ')}.`,
  evidence: ({ date }) => ({
    state: date.state,
    skew_seconds: date.skewSeconds ?? null,
    obsolete_zone: date.obsoleteZone ?? null,
    weekday_fault: date.weekdayFault ?? null,
    short_hour: date.shortHour,
  }),
  fix: {
    why: 'The Date header is missing or cannot be read, so receivers cannot tell when you sent this email.',
    do: 'Have your mail program write Date at the moment it sends, in this form: Fri, 20 Nov 2026 10:00:05 +0000',
  },
  fixes: {
    skew: {
      why: 'The time in the Date header is {skew}.',
      do: 'Have the clock of the sending server set automatically (NTP), and set Date when the email is sent.',
    },
    zone: 'The Date header gives the time zone as letters, which programs interpret differently. Write it as a numeric offset, such as +0000.',
    hour: 'The hour in the Date header has one digit. Write it with two, as in 09:00:00.',
    weekday:
      'The day of the week in the Date header does not match the date. Correct it, or leave it out.',
  },
  cases: ({ date }) =>
    whichHold({
      zone: Boolean(date.obsoleteZone),
      hour: date.shortHour,
      weekday: Boolean(date.weekdayFault),
      skew: Math.abs(date.skewSeconds ?? 0) > MAX_SKEW_SECONDS,
    }),
  values: ({ date }) => ({ skew: skewOf(date) }),
});

function skewOf({ skewSeconds }: FieldFacts['date']): string {
  const seconds = skewSeconds ?? 0;
  return `${formatElapsed(Math.abs(seconds))} ${seconds > 0 ? 'after' : 'before'} this email arrived`;
}

export const messageId = check({
  id: 'message_id',
  family: 'headers',
  title: 'Message-ID',
  header: 'Message-ID',
  source: 'RFC 5322 §3.6.4; Gmail rejects a missing one; SpamAssassin MISSING_MID',
  about: {
    what: 'Message-ID is a unique name for this email.',
    why: 'Gmail refuses mail without one, and mail programs need it to sort replies into conversations.',
    how: [
      'Have the mail library or server create one for each email, with your domain after the @.',
    ],
    bad: '(no Message-ID header)',
    good: 'Message-ID: <5f2c9a7e-1b7d@example.com>',
  },
  subject: ({ headers }) => headers,
  states: ({ fail, warn, suggest, pass }) => ({
    absent_or_repeated: fail(6, REFUSED_IN_PART).when(
      'missing or repeated',
      ({ messageId: { count } }) => count !== 1,
    ),
    no_id: fail(6).when(
      'no <…@…> in it, so Gmail may treat it as missing',
      ({ messageId: { syntaxOk, domainOdd, domain } }) => !syntaxOk && domainOdd && domain === null,
    ),
    faulty: warn(2).when(
      'bad syntax, or a domain that is localhost, .local, a single label or an IP without brackets',
      ({ messageId: { syntaxOk, domainOdd } }) => !syntaxOk || domainOdd,
    ),
    unrelated: suggest.when(
      'an address literal, or a domain that belongs to none of From, DKIM d= and HELO',
      ({ messageId: { related } }) => !related,
    ),
    valid: pass('valid'),
  }),
  detail: ({ messageId: { count, syntaxOk, domain, domainOdd } }) => {
    if (count === 0) return 'The email has no Message-ID header.';
    if (count > 1) return `The email has ${count} Message-ID headers.`;
    if (domain === null && !domainOdd) return 'It names an IP address instead of a domain.';
    return `${syntaxOk ? 'Its' : 'Bad syntax; its'} domain is ${domain ?? 'not readable'}.`;
  },
  evidence: ({ messageId: { count, syntaxOk, domain } }) => ({
    count,
    syntax_ok: syntaxOk,
    domain,
  }),
  fix: {
    why: 'This email has no usable Message-ID, and Gmail refuses mail without one.',
    do: 'Have your mail program create a new Message-ID for each email: in angle brackets, with a unique part before the @ and {id_domain} after it.',
  },
  fixes: {
    repeated: {
      why: 'The email has {n} Message-ID headers, and Gmail refuses such mail.',
      do: 'Send one.',
    },
    odd: 'The Message-ID is not in the usual form: enclosed in angle brackets, with a full domain name after the @.',
    unrelated: 'The Message-ID names a domain that appears nowhere else in this email.',
    literal:
      'The Message-ID names an IP address instead of a domain. That is allowed (RFC 5322 §3.6.4), but some filters count it against the email.',
  },
  cases: ({ messageId: { count, syntaxOk, domain, domainOdd } }) => {
    if (count !== 1) return count > 1 ? ['repeated'] : [];
    if (!syntaxOk || domainOdd) return ['odd'];
    return [domain === null ? 'literal' : 'unrelated'];
  },
  values: ({ messageId: { count } }, { names: { fromDomain, envelopeDomain } }) => ({
    n: count,
    id_domain: [fromDomain ?? '', envelopeDomain].find(isPublicDomain) ?? 'a domain that you own',
  }),
});
