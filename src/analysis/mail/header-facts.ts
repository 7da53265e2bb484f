/**
 * Collects the facts about the header fields of an email that need no lookups, and the signs in them that
 * help to classify the email.
 */

import { isNamedAfter, readHeaderSigns } from '../classification/header-signs.ts';
import type { ClassSign } from '../classification/sign.ts';
import type { HeaderFacts } from '../facts.ts';
import { type FromReading, readRecipients, readReplyTo } from '../headers/address-fields.ts';
import { readDate } from '../headers/date.ts';
import { mailerOf, readDisplayName, readLeaks, readMessageId } from '../headers/fields.ts';
import { hasRawWords, readRawDomains } from '../headers/raw-domains.ts';
import { readSubject } from '../headers/subject.ts';
import { ownershipOf } from '../impersonation/brands.ts';
import { speakerOf } from '../impersonation/speaker.ts';
import { isFreemail, toDomain } from '../names/domain-names.ts';
import { judgeIdn } from '../names/homographs.ts';
import { isEightBit } from '../syntax/charset.ts';
import { hasBrokenWords, hasNeedlessWords } from '../syntax/encoded-words.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/words.ts';
import { readListUnsubscribe, readMarkers } from '../unsubscribe/list-unsubscribe.ts';
import type { GuardResult } from './input-guard.ts';
import type { MailHead, ReadContext } from './scan-headers.ts';

/** Fields that may appear only once (RFC 5322 §3.6, RFC 2045 §3). */
const UNIQUE = splitWords(
  'Subject To Cc Date Message-ID Reply-To Sender MIME-Version Content-Type In-Reply-To',
);

const EXPECTED = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version'] as const;

/** Fields with text for people, who would see a broken encoded-word in them. */
const WRITTEN = ['Subject', 'From', 'To', 'Cc', 'Reply-To', 'Sender', 'Comments'] as const;

/** Field names that the report may show. Any other names may be the sender's own words. */
const COMMON = splitWords(
  'Subject From To Cc Reply-To Sender Comments Keywords Organization Message-ID Content-Type ' +
    'Received List-Id List-Unsubscribe X-Mailer',
);

/** Returns the names of the fields that contain raw non-ASCII text outside domain names. */
const eightBitFields = (block: HeaderBlock): string[] => {
  const raw = block.fields.filter(hasRawWords).map(({ name }) => name);
  const named = COMMON.filter((name) => raw.includes(name.toLowerCase()));
  const isOther = (name: string) => !COMMON.some((common) => common.toLowerCase() === name);
  return [...named, ...(raw.some(isOther) ? ['other fields'] : [])];
};

const NO_REPLY =
  /^(?:no|do[._-]?not|donot|dont|never)[._-]?reply|^(?:ne[._-]?pas[._-]?repondre|nicht[._-]?antworten)/i;

/**
 * Matches local parts that a domain reserves for its own use: those in RFC 2142, and those under which its
 * servers send mail.
 */
const OF_HOST =
  /^(?:abuse|hostmaster|info|mailer-daemon|no-?reply|noc|postmaster|sales|security|support|webmaster)$/i;

type DisplayName = HeaderFacts['from']['displayName'];

/**
 * Ignores the `domain` fault of a display name that is another domain of the sender's own organization, such
 * as `impots.gouv.fr`.
 */
function withoutOwnDomain(facts: DisplayName, text: string, domain: string | null): DisplayName {
  if (domain === null || !facts.faults.includes('domain')) return facts;
  const speaker = speakerOf(text);
  return speaker && ownershipOf(domain, speaker) === 'own'
    ? { ...facts, faults: facts.faults.filter((fault) => fault !== 'domain') }
    : facts;
}

/**
 * Matches local parts of Exchange bounces, which Exchange sends in the name of each customer under its own
 * display name.
 */
const OF_EXCHANGE = /^microsoftexchange[0-9a-f]{32}$/i;

const countOf = (block: HeaderBlock, name: string) => fieldsNamed(block, name.toLowerCase()).length;

const someNamed = (block: HeaderBlock, name: string, holds: (value: string) => boolean) =>
  fieldsNamed(block, name.toLowerCase()).some(({ value }) => holds(value));

const fromOddities = (from: FromReading, raw: Readonly<Record<string, boolean>>): string[] =>
  [
    from.header.fault === null && from.header.addresses > 1 && 'authors',
    from.comments.some((comment) => comment.includes('@')) && 'comment_address',
    ...Object.keys(raw).filter((id) => raw[id]),
    from.header.domain !== null && !from.header.domain.includes('.') && 'no_dot',
    ...from.oddities,
  ].filter((oddity) => oddity !== false);

/** Number of characters of a field with Message-IDs that are searched for domains. */
const MAX_IDS = 4000;

/** Returns the domains in a list of Message-IDs, which belong to the emails to which this one replies. */
const domainsOfIds = (ids: string): readonly string[] => [
  ...new Set(
    [...ids.slice(0, MAX_IDS).matchAll(/@([a-z0-9.-]{1,253})>/gi)].flatMap(
      ([, domain = '']) => toDomain(domain) ?? [],
    ),
  ),
];

/**
 * Header facts that are known before the body is read. The kind of email, and whom it claims to come from,
 * depend on the body too.
 */
interface UnclassifiedHeaders
  extends Omit<HeaderFacts, 'classification' | 'impersonation' | 'isLetter' | 'passesOn' | 'bulk'> {
  readonly bulk: Omit<HeaderFacts['bulk'], 'isBulk' | 'mayBe'>;
}

interface HeaderReading {
  readonly facts: UnclassifiedHeaders;
  readonly signs: readonly ClassSign[];
  /**
   * The display name in From. Neither it nor `answeredDomains`, the domains of the emails to which this one
   * replies, ever leaves the code that reads the email.
   */
  readonly displayName: string;
  /** True if the From address is one that a domain reserves for its own use (RFC 2142). */
  readonly isOfHost: boolean;
  readonly answeredDomains: readonly string[];
  /** The decoded subject. It never leaves the code that reads the email. */
  readonly subject: string;
}

/**
 * Reads everything that checks may know about the header fields. Later, `completeHeaders` adds what depends
 * on authentication, and `readMail` adds where the longest line is.
 */
export const readHeaderFacts = (
  { block, from }: MailHead,
  guard: GuardResult,
  context: ReadContext,
): HeaderReading => {
  const { domain } = from.header;
  const displayName = readDisplayName(from.displayName, { local: from.local, domain });
  const noReply = NO_REPLY.test(from.local);
  const found = block.fields.some(({ value }) => isEightBit(value));
  const { smtputf8 } = context;
  const raw = found && !smtputf8;
  const fromFields = raw ? fieldsNamed(block, 'from') : [];
  const domains = raw ? readRawDomains(block) : [];
  const helo = context.helo === null ? null : toDomain(context.helo);
  const subject = readSubject(block);
  const freemail = isFreemail(domain);

  const facts: UnclassifiedHeaders = {
    from: {
      fault: from.header.fault,
      count: countOf(block, 'From'),
      oddities: fromOddities(from, {
        raw_8bit: fromFields.slice(0, 1).some(hasRawWords),
        raw_domain: domains.some(({ field }) => field === 'From'),
      }),
      displayName: withoutOwnDomain(displayName.facts, displayName.text, domain),
      freemail,
      noReply,
      idn: domain === null ? 'ascii' : judgeIdn(domain),
    },
    duplicates: UNIQUE.filter((name) => countOf(block, name) > 1),
    missing: EXPECTED.filter((name) => countOf(block, name) === 0),
    mailer: mailerOf(block),
    hops: countOf(block, 'Received'),
    eightBit: {
      found,
      smtputf8,
      raw,
      fields: raw ? eightBitFields(block) : [],
      domains,
      brokenEncodedWords: WRITTEN.some((name) => someNamed(block, name, hasBrokenWords)),
      needlessWords: WRITTEN.filter((name) => someNamed(block, name, hasNeedlessWords)),
    },
    date: readDate(block, context.receivedAt),
    messageId: readMessageId(block, [domain, helo]),
    to: readRecipients(block, context.testAddress, domain),
    subject: subject.facts,
    replyTo: readReplyTo(block, domain),
    bulk: readMarkers(block, { noReply, nullSender: context.nullSender }),
    leaks: readLeaks(block),
    listUnsubscribe: readListUnsubscribe(block, domain),
    lines: {
      longestBytes: Math.max(guard.longestHeaderLineBytes, guard.longestBodyLineBytes),
      longestHeaderBytes: guard.longestHeaderLineBytes,
      bareNewlines: guard.bareNewlines,
      nul: guard.nul,
      longestIn: 'message header',
    },
  };
  const { nullSender } = context;
  const isPerson = isNamedAfter(from.local, displayName.words);
  const signs = readHeaderSigns(block, {
    nullSender,
    local: from.local,
    freemail,
    isPerson,
    subject: subject.text,
  });
  const answeredDomains = ['in-reply-to', 'references'].flatMap((name) =>
    domainsOfIds(firstNamed(block, name) ?? ''),
  );
  return {
    facts,
    signs,
    displayName: OF_EXCHANGE.test(from.local) ? '' : displayName.text,
    isOfHost: OF_HOST.test(from.local),
    answeredDomains,
    subject: subject.text,
  };
};
