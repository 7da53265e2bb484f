import { headerStep, wordsStep } from '../advice/actions.ts';
import { defineCheck } from '../define-check.ts';
import { formatElapsed, formatFound, formatList } from '../format.ts';
import type { HeaderFacts } from '../mail-facts.ts';

export const duplicateHeaders = defineCheck({
  id: 'duplicate_headers',
  subject: ({ headers }) => headers,
  ladder: [['fail', ({ duplicates }) => duplicates.length > 0]],
  detail: ({ duplicates }) =>
    duplicates.length > 0 ? `More than once: ${duplicates.join(', ')}.` : 'Each once.',
  values: ({ duplicates }) => ({ header: formatList(duplicates) }),
});

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 3600;

/** Clocks that NTP keeps differ by less than this. */
const MAX_SKEW_SECONDS = 5 * MINUTE_SECONDS;

/** Longer subjects are cut off in most lists of mails, in characters. */
const LONG_SUBJECT = 70;

/** Exclamation marks from which a subject reads as shouted. */
const MANY_EXCLAMATIONS = 3;

/** Fields that have no place for encoded-words (RFC 2047 §5): their grammar is ASCII. */
const WITHOUT_WORDS = ['Message-ID', 'Content-Type', 'Received', 'List-Unsubscribe'];

const withWords = ({ eightBit }: HeaderFacts) =>
  eightBit.fields.filter((name) => !WITHOUT_WORDS.includes(name));

const withoutWords = ({ eightBit }: HeaderFacts) =>
  eightBit.fields.filter((name) => WITHOUT_WORDS.includes(name));

export const eightBitHeaders = defineCheck({
  id: 'eight_bit_headers',
  subject: ({ headers }) => headers,
  // RFC 6532: with SMTPUTF8, headers are UTF-8 by right.
  ladder: [
    [
      'warn',
      ({ eightBit, report }) => (eightBit.raw && !report.smtputf8) || eightBit.brokenEncodedWords,
    ],
    ['info', ({ eightBit }) => eightBit.needlessWords.length > 0],
  ],
  detail: ({ eightBit }) => {
    const found = [
      eightBit.raw ? `raw non-ASCII text in ${formatList(eightBit.fields)}` : '',
      eightBit.brokenEncodedWords ? 'broken encoded-words' : '',
      eightBit.needlessWords.length > 0
        ? `ASCII encoded in ${formatList(eightBit.needlessWords)}`
        : '',
    ];
    return `Found: ${found.filter(Boolean).join('; ') || 'nothing to encode'}.`;
  },
  fixes: (headers) => {
    const { eightBit, report } = headers;
    const raw = eightBit.raw && !report.smtputf8;
    return [
      ...(raw && withWords(headers).length > 0 ? ['raw'] : []),
      ...(raw && withoutWords(headers).length > 0 ? ['ascii'] : []),
      ...(eightBit.brokenEncodedWords ? ['broken'] : []),
      ...(eightBit.needlessWords.length > 0 ? ['needless'] : []),
    ];
  },
  values: (headers) => ({
    headers: formatList(withWords(headers)),
    ascii_headers: formatList(withoutWords(headers)),
    plain_headers: formatList(headers.eightBit.needlessWords),
  }),
});

const WEEKDAY_FAULTS = {
  wrong: 'with another day of the week than the date has',
  no_day: 'with a day of the week that does not exist',
} as const;

export const dateHeader = defineCheck({
  id: 'date_header',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ date }) => date.state !== 'ok'],
    [
      'warn',
      ({ date }) =>
        Math.abs(date.skewSeconds ?? 0) > DAY_SECONDS ||
        date.obsoleteZone === 'other' ||
        date.weekdayFault === 'no_day',
    ],
    [
      'info',
      ({ date }) =>
        Math.abs(date.skewSeconds ?? 0) > MAX_SKEW_SECONDS ||
        date.obsoleteZone === 'utc' ||
        date.weekdayFault === 'wrong',
    ],
  ],
  detail: ({ date }) =>
    date.state !== 'ok'
      ? `The Date header ${date.state === 'missing' ? 'is missing' : 'cannot be read'}.`
      : `${[
          skewOf(date),
          ...(date.obsoleteZone ? ['with an obsolete zone name'] : []),
          ...(date.weekdayFault ? [WEEKDAY_FAULTS[date.weekdayFault]] : []),
        ].join(', ')}.`,
  fixes: ({ date }) => [
    ...(date.obsoleteZone ? ['zone'] : []),
    ...(date.weekdayFault ? ['weekday'] : []),
    ...(Math.abs(date.skewSeconds ?? 0) > MAX_SKEW_SECONDS ? ['skew'] : []),
  ],
  values: ({ date }) => ({ skew: skewOf(date) }),
});

function skewOf({ skewSeconds }: HeaderFacts['date']): string {
  const seconds = skewSeconds ?? 0;
  return `${formatElapsed(Math.abs(seconds))} ${seconds > 0 ? 'after' : 'before'} this mail arrived`;
}

export const messageId = defineCheck({
  id: 'message_id',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ messageId: { count } }) => count !== 1],
    ['warn', ({ messageId: { syntaxOk, domainOdd } }) => !syntaxOk || domainOdd],
    ['info', ({ messageId: { related } }) => !related],
  ],
  detail: ({ messageId: { count, syntaxOk, domain } }) => {
    if (count !== 1) return `${count} Message-ID headers.`;
    return `${syntaxOk ? 'Its' : 'Bad syntax; its'} domain is ${domain ?? 'not readable'}.`;
  },
  fixes: ({ messageId: { count, syntaxOk, domainOdd } }) => {
    if (count !== 1) return count > 1 ? ['repeated'] : [];
    return [syntaxOk && !domainOdd ? 'unrelated' : 'odd'];
  },
  values: ({ messageId: { count } }, { names: { fromDomain, envelopeDomain } }) => ({
    n: count,
    id_domain: fromDomain ?? envelopeDomain,
  }),
});

export const toHeader = defineCheck({
  id: 'to_header',
  subject: ({ headers }) => headers,
  // A list or a forward rightly leaves the address that its members wrote to.
  ladder: [
    [
      'warn',
      ({ to, classification }) =>
        !to.present ||
        to.undisclosed ||
        (!to.testAddressFound && classification.class !== 'discussion_list' && !to.forwarded),
    ],
  ],
  detail: ({ to }) => {
    if (!to.present) return 'No To and no Cc.';
    if (to.undisclosed) return 'The recipients are undisclosed.';
    if (to.testAddressFound) return 'The test address is in it.';
    return `The test address is not in it${to.forwarded ? '; the mail was forwarded' : ''}.`;
  },
});

export const subjectHeader = defineCheck({
  id: 'subject_header',
  subject: ({ headers }) => headers,
  ladder: [
    ['warn', ({ subject }) => subject.state !== 'ok'],
    [
      'warn',
      ({ subject: { allCapitals, exclamations, falseReply, url } }) =>
        allCapitals || exclamations >= MANY_EXCLAMATIONS || falseReply || url,
    ],
    ['info', ({ subject: { length, edgeSpaces } }) => length > LONG_SUBJECT || edgeSpaces],
  ],
  detail: ({ subject }) => {
    if (subject.state !== 'ok') return `The subject is ${subject.state}.`;
    const found = [
      subject.allCapitals ? 'all capitals' : '',
      subject.exclamations >= MANY_EXCLAMATIONS ? `${subject.exclamations} "!"` : '',
      subject.falseReply ? 'Re: or Fwd: without References' : '',
      subject.url ? 'a URL in it' : '',
      subject.edgeSpaces ? 'spaces at an end' : '',
    ].filter(Boolean);
    return `${[`${subject.length} characters`, ...found].join(', ')}.`;
  },
  fixes: ({
    subject: { state, length, allCapitals, exclamations, falseReply, url, edgeSpaces },
  }) =>
    state !== 'ok'
      ? ['missing']
      : [
          ...(allCapitals ? ['capitals'] : []),
          ...(exclamations >= MANY_EXCLAMATIONS ? ['exclamations'] : []),
          ...(falseReply ? ['false_reply'] : []),
          ...(url ? ['url'] : []),
          ...(length > LONG_SUBJECT ? ['long'] : []),
          ...(edgeSpaces ? ['spaces'] : []),
        ],
  values: ({ subject: { length } }) => ({ n: length }),
});

export const internalHeadersLeak = defineCheck({
  id: 'internal_headers_leak',
  subject: ({ headers }) => headers,
  ladder: [['info', ({ leaks }) => leaks.length > 0]],
  detail: ({ leaks }) => formatFound(leaks),
  fixes: ({ leaks }) => [
    ...(leaks.some((name) => name !== 'Received') ? ['headers'] : []),
    ...(leaks.includes('Received') ? ['received'] : []),
  ],
  values: ({ leaks }) => ({ header: formatList(leaks.filter((name) => name !== 'Received')) }),
  steps: ({ leaks }, _, name) =>
    name === 'received'
      ? [
          wordsStep(
            'server',
            'Leave internal host names and private addresses out of Received at the outbound relay.',
            'sender',
            'Received',
          ),
        ]
      : leaks.filter((one) => one !== 'Received').map((one) => headerStep(one, null)),
});
