/** Defines the checks on duplicate, non-ASCII and revealing header fields, and on Reply-To. */

import { headerStep, type Step, serverStep, wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { HeaderFacts } from '../facts.ts';
import { formatFound, formatList } from '../format.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import type { RawDomain } from './facts.ts';

export const duplicateHeaders = check({
  id: 'duplicate_headers',
  family: 'structure',
  title: 'Repeated headers',
  source: 'RFC 5322 §3.6; Gmail 550-5.7.1 duplicate headers',
  about: {
    what: 'Headers such as From, To, Subject and Date may appear only once in an email.',
    why: 'Programs disagree on which one counts, and forgers exploit that. Gmail refuses such mail.',
    how: [
      'Look at the code or plug-in that builds the email: often the template and the mail library both write the header.',
    ],
    bad: 'Subject: Hello\nSubject: Your order',
    good: 'Subject: Your order',
  },
  subject: ({ headers }) => headers,
  states: ({ fail, pass }) => ({
    repeated: fail(10, REFUSED_IN_PART).when(
      'Subject, To, Cc, Date, Message-ID, Reply-To, Sender, MIME-Version, Content-Type or In-Reply-To more than once',
      ({ duplicates }) => duplicates.length > 0,
    ),
    unique: pass('unique'),
  }),
  detail: ({ duplicates }) =>
    duplicates.length > 0
      ? `These appear more than once: ${duplicates.join(', ')}.`
      : 'Each header appears once.',
  evidence: ({ duplicates }) => ({ headers: duplicates }),
  fix: {
    why: 'The {header} header appears more than once, and Gmail refuses mail with repeated headers.',
    do: 'Include {header} only once.',
  },
  values: ({ duplicates }) => ({ header: formatList(duplicates) }),
});

/** Header fields in which encoded-words are not allowed (RFC 2047 §5), because their grammar is ASCII. */
const WITHOUT_WORDS = ['Message-ID', 'Content-Type', 'Received', 'List-Unsubscribe'];

const withWords = ({ eightBit }: HeaderFacts) =>
  eightBit.fields.filter((name) => !WITHOUT_WORDS.includes(name));

const withoutWords = ({ eightBit }: HeaderFacts) =>
  eightBit.fields.filter((name) => WITHOUT_WORDS.includes(name));

const toALabel = ({ field, aLabel }: RawDomain): Step =>
  field === 'DKIM-Signature'
    ? serverStep('dkim.d', aLabel)
    : wordsStep('header', `Write the domain in ${field} as ${aLabel}.`, 'sender', field);

export const eightBitHeaders = check({
  id: 'eight_bit_headers',
  family: 'headers',
  title: 'Header encoding',
  source: 'RFC 2047; RFC 6532; rspamd SUBJ_EXCESS_BASE64',
  about: {
    what: 'Headers are written in ASCII. Other letters, such as ä or é, are written in encoded form.',
    why: 'Unencoded letters are shown as garbage, and some servers refuse the email.',
    how: ['Use the mail library to set the headers: it encodes them.'],
    bad: 'Subject: Schöne Grüße',
    good: 'Subject: =?UTF-8?B?U2Now7ZuZSBHcsO8w59l?=',
  },
  subject: ({ headers }) => headers,
  states: ({ warn, suggest, pass }) => ({
    unencoded: warn(3).when(
      'raw non-ASCII in headers without SMTPUTF8, or broken encoded-words',
      ({ eightBit }) => eightBit.raw || eightBit.brokenEncodedWords,
    ),
    needlessly_encoded: suggest.when(
      'encoded-words that contain only ASCII',
      ({ eightBit }) => eightBit.needlessWords.length > 0,
    ),
    encoded: pass('encoded'),
  }),
  detail: ({ eightBit }) => {
    const found = [
      eightBit.fields.length > 0 ? `raw non-ASCII text in ${formatList(eightBit.fields)}` : '',
      ...eightBit.domains.map(({ field, aLabel }) => `${aLabel} in non-ASCII letters in ${field}`),
      eightBit.brokenEncodedWords ? 'broken encoded-words' : '',
      eightBit.needlessWords.length > 0
        ? `needless encoding in ${formatList(eightBit.needlessWords)}`
        : '',
    ];
    const named = found.filter(Boolean).join('; ');
    return named === '' ? 'No errors.' : `Found: ${named}.`;
  },
  evidence: ({ eightBit }) => ({
    raw: eightBit.raw,
    fields: eightBit.fields,
    domains: eightBit.domains.map(({ aLabel }) => aLabel),
    broken_encoded_words: eightBit.brokenEncodedWords,
    needlessly_encoded: eightBit.needlessWords,
  }),
  fix: {
    why: 'Some headers contain unencoded non-ASCII text.',
    do: 'Have your mail program encode it as UTF-8 (RFC 2047).',
  },
  fixes: {
    broken: {
      why: 'The encoding of a header is broken, so readers see the raw code.',
      do: 'Have your mail program write each encoded piece in full, as valid base64, in at most 75 characters (RFC 2047).',
    },
    needless: {
      why: '{plain_headers} encodes plain ASCII text, as spam often does.',
      do: 'Write the text of {plain_headers} without encoding it.',
    },
    raw: {
      why: '{headers} contains unencoded non-ASCII text.',
      do: 'Have your mail program encode {headers} as UTF-8 (RFC 2047).',
    },
    ascii: {
      why: '{ascii_headers} contains non-ASCII text, which is not allowed there.',
      do: 'Write {ascii_headers} in ASCII, with each domain in the form that begins with xn--.',
    },
    domain: {
      why: '{domain_headers} contains a domain in non-ASCII letters. Servers that accept only ASCII addresses cannot read it, and a DKIM signature has to name its domain in ASCII (RFC 6376 §3.5).',
      do: 'Write the domain in its ASCII form, which begins with xn--.',
    },
  },
  cases: (headers) => {
    const { eightBit } = headers;
    return whichHold({
      raw: eightBit.raw && withWords(headers).length > 0,
      ascii: eightBit.raw && withoutWords(headers).length > 0,
      domain: eightBit.domains.length > 0,
      broken: eightBit.brokenEncodedWords,
      needless: eightBit.needlessWords.length > 0,
    });
  },
  values: (headers) => ({
    headers: formatList(withWords(headers)),
    ascii_headers: formatList(withoutWords(headers)),
    plain_headers: formatList(headers.eightBit.needlessWords),
    domain_headers: formatList([...new Set(headers.eightBit.domains.map(({ field }) => field))]),
  }),
  steps: ({ eightBit }, _, name) =>
    name === 'domain' ? eightBit.domains.map(toALabel) : undefined,
});

export const replyTo = check({
  id: 'reply_to',
  family: 'identity',
  title: 'Reply-To',
  header: 'Reply-To',
  source: 'SpamAssassin FREEMAIL_FORGED_REPLYTO; rspamd REPLYTO_*',
  about: {
    what: 'Reply-To says where replies go, if not to the From address.',
    why: 'Replies that go to another organization are typical of fraud; replies that go nowhere annoy readers.',
    how: ['Set Reply-To to a mailbox at your domain that somebody reads, or leave it out.'],
    bad: 'From: shop@example.com\nReply-To: noreply@other.example',
    good: 'From: shop@example.com\nReply-To: help@example.com',
  },
  subject: ({ headers }) => headers,
  states: ({ warn, suggest, pass }) => ({
    doubtful: warn(3).when('unparsable', ({ replyTo: { state } }) => state === 'unparsable'),
    // A contact form or a list has good reason to set a different Reply-To. The check `impersonation` judges
    // whether it suggests fraud.
    elsewhere: suggest.when(
      'another organizational domain or a free email provider, or From is a no-reply address and there is no Reply-To',
      ({ replyTo: { state, sameOrganization }, from }) =>
        state === 'absent' ? from.noReply : !sameOrganization,
    ),
    fine: pass('ok'),
  }),
  detail: ({ replyTo: { state, domain }, from }) => {
    if (state === 'absent')
      return `No Reply-To${from.noReply ? ', and From is a no-reply address' : ''}.`;
    return state === 'ok' ? `Replies go to ${domain ?? 'its domain'}.` : 'Reply-To cannot be read.';
  },
  evidence: ({ replyTo: { state, domain }, from }) => ({
    state,
    domain,
    no_reply: from.noReply,
  }),
  fix: {
    why: 'Replies to this email go to another organization, {reply_domain}.',
    do: 'Set Reply-To to a mailbox at {from_org_domain} that somebody reads.',
  },
  fixes: {
    nobody: 'Replies to this email go to a no-reply address.',
    freemail:
      'Replies to this email go to an address at a free email provider, {reply_domain}. That is fine for a contact form or a mailing list; otherwise filters may count it against you.',
    unparsable: {
      why: 'The Reply-To header cannot be read, so replies are lost.',
      do: 'Write one valid address, for example one at {from_org_domain}.',
    },
  },
  cases: ({ replyTo: { state, freemail } }) => {
    if (state !== 'ok') return [state === 'absent' ? 'nobody' : 'unparsable'];
    return freemail ? ['freemail'] : [];
  },
  values: ({ replyTo }) => ({ reply_domain: replyTo.domain ?? 'another domain' }),
});

export const internalHeadersLeak = check({
  id: 'internal_headers_leak',
  family: 'identity',
  title: 'Internal details in headers',
  source: 'privacy practice',
  about: {
    what: 'Headers can reveal names, addresses and versions of systems inside your network.',
    why: 'They help attackers, and no receiver needs them.',
    how: [
      'Remove them on the last of your own servers: in Postfix with header_checks, in Exchange with a header firewall.',
    ],
    bad: 'X-Originating-IP: 10.0.3.7',
    good: '(no such header)',
  },
  subject: ({ headers }) => headers,
  states: ({ suggest, pass }) => ({
    leaking: suggest.when(
      'X-PHP-Originating-Script, X-Originating-IP, internal host names or private IPs in Received',
      ({ leaks }) => leaks.length > 0,
    ),
    clean: pass('none'),
  }),
  detail: ({ leaks }) => formatFound(leaks),
  evidence: ({ leaks }) => ({ headers: leaks }),
  fix: '{header} reveals how your systems are built.',
  fixes: {
    received: 'The Received fields reveal internal host names and private addresses.',
    headers: '{header} reveals how your systems are built.',
  },
  cases: ({ leaks }) =>
    whichHold({
      headers: leaks.some((name) => name !== 'Received'),
      received: leaks.includes('Received'),
    }),
  values: ({ leaks }) => ({ header: formatList(leaks.filter((name) => name !== 'Received')) }),
  steps: ({ leaks }, _, name) =>
    name === 'received'
      ? [
          wordsStep(
            'server',
            'At the outbound relay, leave internal host names and private addresses out of the Received field.',
            'sender',
            'Received',
          ),
        ]
      : leaks.filter((one) => one !== 'Received').map((one) => headerStep(one, null)),
});
