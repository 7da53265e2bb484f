import { type ClassSign, readHeaderSigns } from '../classification/header-signs.ts';
import { isNamedAfter } from '../classification/person-name.ts';
import type { HeaderFacts } from '../facts.ts';
import { readDate } from '../headers/date.ts';
import { readDisplayName } from '../headers/display-name.ts';
import { type FromReading, readFrom } from '../headers/from.ts';
import { readLeaks } from '../headers/leaks.ts';
import { mailerOf } from '../headers/mailer.ts';
import { readMessageId } from '../headers/message-id.ts';
import { readRecipients } from '../headers/recipients.ts';
import { readReplyTo } from '../headers/reply-to.ts';
import { readSubject } from '../headers/subject.ts';
import { MAX_HEADER_LINE_BYTES } from '../limits.ts';
import { organizationalDomain, toDomain } from '../names/domain-names.ts';
import { isFreemail } from '../names/freemail.ts';
import { judgeIdn } from '../names/homographs.ts';
import { isEightBit } from '../syntax/charset.ts';
import { hasBrokenWords, hasNeedlessWords } from '../syntax/encoded-words.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/split-words.ts';
import {
  type ListUnsubscribeReading,
  readListUnsubscribe,
} from '../unsubscribe/list-unsubscribe.ts';
import { readMarkers } from '../unsubscribe/markers.ts';
import type { GuardResult } from './input-guard.ts';
import type { ReadContext } from './read-context.ts';

/** RFC 5322 §3.6 and RFC 2045 §3: fields that stand once. */
const UNIQUE = splitWords(
  'Subject To Cc Date Message-ID Reply-To Sender MIME-Version Content-Type In-Reply-To',
);

const EXPECTED = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version'] as const;

/** Fields in which people write: an encoded-word that is broken there is seen. */
const WRITTEN = ['Subject', 'From', 'To', 'Cc', 'Reply-To', 'Sender', 'Comments'] as const;

/** Field names that may be shown: those of others are the sender's own words. */
const COMMON = splitWords(
  'Subject From To Cc Reply-To Sender Comments Keywords Organization Message-ID Content-Type ' +
    'Received List-Id List-Unsubscribe X-Mailer',
);

/** The fields with raw non-ASCII text, by name. */
const eightBitFields = (block: HeaderBlock): string[] => {
  const raw = block.fields.filter(({ value }) => isEightBit(value)).map(({ name }) => name);
  const named = COMMON.filter((name) => raw.includes(name.toLowerCase()));
  const isOther = (name: string) => !COMMON.some((common) => common.toLowerCase() === name);
  return [...named, ...(raw.some(isOther) ? ['other fields'] : [])];
};

const NO_REPLY =
  /^(?:no|do[._-]?not|donot|dont|never)[._-]?reply|^(?:ne[._-]?pas[._-]?repondre|nicht[._-]?antworten)/i;

const countOf = (block: HeaderBlock, name: string) => fieldsNamed(block, name.toLowerCase()).length;

const someNamed = (block: HeaderBlock, name: string, holds: (value: string) => boolean) =>
  fieldsNamed(block, name.toLowerCase()).some(({ value }) => holds(value));

const fromOddities = (from: FromReading, raw: boolean): string[] =>
  [
    from.header.fault === null && from.header.addresses > 1 && 'authors',
    from.comments.some((comment) => comment.includes('@')) && 'comment_address',
    raw && 'raw_8bit',
    from.header.domain !== null && !from.header.domain.includes('.') && 'no_dot',
    ...from.oddities,
  ].filter((oddity) => oddity !== false);

const listUnsubscribeReport = ({ facts, host }: ListUnsubscribeReading) => ({
  present: facts.present,
  valid: facts.present && facts.faults.length === 0,
  https: facts.https,
  mailto: facts.mailto,
  one_click: facts.https && facts.post,
  dkim_covered: false,
  host,
});

/** Message-IDs whose domains are read, in characters. */
const MAX_IDS = 4000;

/** The domains of Message-IDs: the mails that this one answers. */
const domainsOfIds = (ids: string): readonly string[] => [
  ...new Set(
    [...ids.slice(0, MAX_IDS).matchAll(/@([a-z0-9.-]{1,253})>/gi)].flatMap(
      ([, domain = '']) => toDomain(domain) ?? [],
    ),
  ),
];

/** Header facts before the body is read: it takes both to know the kind of mail, and who speaks. */
export type UnclassifiedHeaders = Omit<HeaderFacts, 'classification' | 'impersonation'>;

export interface HeaderReading {
  readonly facts: UnclassifiedHeaders;
  readonly signs: readonly ClassSign[];
  /** Whom the mail says it is from, and domains of the mails it answers. Both stay inside. */
  readonly displayName: string;
  readonly answeredDomains: readonly string[];
  /** Decoded; stays inside. */
  readonly subject: string;
}

/**
 * Everything that checks may know of the header fields. What needs authentication is filled in by
 * `completeHeaders`, or by the report for `dkim_covered`; where the longest line stands by `readMail`.
 */
export const readHeaderFacts = (
  block: HeaderBlock,
  guard: GuardResult,
  context: ReadContext,
): HeaderReading => {
  const from = readFrom(block);
  const { domain } = from.header;
  const displayName = readDisplayName(from.displayName, { local: from.local, domain });
  const noReply = NO_REPLY.test(from.local);
  const raw8Bit = !context.smtputf8 && block.fields.some(({ value }) => isEightBit(value));
  const rawFrom = raw8Bit && isEightBit(firstNamed(block, 'from') ?? '');
  const helo = context.helo === null ? null : toDomain(context.helo);
  const date = readDate(block, context.receivedAt);
  const messageId = readMessageId(block, [domain, helo]);
  const subject = readSubject(block);
  const recipients = readRecipients(block, context.testAddress, domain);
  const replyTo = readReplyTo(block, domain);
  const markers = readMarkers(block, { noReply, nullSender: context.nullSender });
  const freemail = isFreemail(domain);
  const unsubscribe = readListUnsubscribe(block);
  const duplicates = UNIQUE.filter((name) => countOf(block, name) > 1);
  const longestBytes = Math.max(guard.longestHeaderLineBytes, guard.longestBodyLineBytes);

  const facts: UnclassifiedHeaders = {
    report: {
      size_bytes: guard.totalBytes,
      header_from: {
        domain,
        organizational_domain: domain === null ? null : organizationalDomain(domain),
        display_name_present: displayName.facts.present,
        display_name_has_domain: displayName.hasDomain,
      },
      envelope_from_domain: context.envelopeDomain,
      envelope_null_sender: context.nullSender,
      reply_to_domain: replyTo.domain,
      message_id_domain: messageId.domain,
      date: date.instant,
      date_skew_seconds: date.facts.skewSeconds,
      subject_length: subject.facts.state === 'missing' ? null : subject.facts.length,
      recipients: {
        to_count: recipients.toCount,
        cc_count: recipients.ccCount,
        test_address_in_to: recipients.testAddressInTo,
      },
      list_unsubscribe: listUnsubscribeReport(unsubscribe),
      list_id: markers.listId,
      feedback_id_present: countOf(block, 'feedback-id') > 0,
      auto_submitted: markers.autoSubmitted,
      precedence: markers.precedence,
      mailer: mailerOf(block),
      received_hops: countOf(block, 'received'),
      // Several From are the business of `from_header`, but duplicates all the same.
      headers_duplicated: [...(countOf(block, 'From') > 1 ? ['From'] : []), ...duplicates],
      headers_missing: EXPECTED.filter((name) => countOf(block, name) === 0),
      longest_line_bytes: longestBytes,
      has_8bit_headers: block.fields.some(({ value }) => isEightBit(value)),
      smtputf8: context.smtputf8,
    },
    from: {
      fault: from.header.fault,
      oddities: fromOddities(from, rawFrom),
      displayName: displayName.facts,
      freemail,
      noReply,
      idn: domain === null ? 'ascii' : judgeIdn(domain),
    },
    duplicates,
    eightBit: {
      raw: raw8Bit,
      fields: raw8Bit ? eightBitFields(block) : [],
      brokenEncodedWords: WRITTEN.some((name) => someNamed(block, name, hasBrokenWords)),
      needlessWords: WRITTEN.filter((name) => someNamed(block, name, hasNeedlessWords)),
    },
    date: date.facts,
    messageId,
    to: recipients.facts,
    subject: subject.facts,
    replyTo: replyTo.facts,
    bulk: markers.facts,
    leaks: readLeaks(block),
    listUnsubscribe: unsubscribe.facts,
    lines: {
      longestBytes,
      longestHeaderBytes: guard.longestHeaderLineBytes,
      longHeaderLines: guard.longestHeaderLineBytes > MAX_HEADER_LINE_BYTES,
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
  return { facts, signs, displayName: displayName.text, answeredDomains, subject: subject.text };
};
