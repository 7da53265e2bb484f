/**
 * Declares the schemas of a report's facts about the email itself: its envelope, headers and route, its MIME
 * parts and attachments, its content and kind, and the requirements that it meets.
 */

import type { Static } from '@sinclair/typebox';
import { Compliance } from './compliance.ts';
import { Route } from './route.ts';
import {
  count,
  dateTime,
  domain,
  domains,
  flag,
  list,
  maybe,
  nullable,
  object,
  optional,
  share,
  text,
  texts,
  wholeNumber,
  words,
} from './shapes.ts';

/** Schema of a MIME part, described by its structure and never by its name or content. */
const MimePart = object('The shape of one part.', {
  type: text('Media type. A subtype that this service does not know is `other`.', 'text/plain'),
  charset: nullable(text('Declared character set.', 'utf-8')),
  encoding: nullable(text('Content-Transfer-Encoding.', 'quoted-printable')),
  size_bytes: count('Size in bytes.', 820),
  disposition: nullable(words(['inline', 'attachment'], 'Content-Disposition.')),
});

export const Attachment = object('One attachment.', {
  index: count('Its number among the attachments, from 0.', 0),
  declared_type: text(
    'Media type as declared. A subtype that this service does not know is `other`.',
    'application/pdf',
  ),
  detected_type: nullable(text('Media type according to the first bytes.', 'application/pdf')),
  // The file extension, which is the only part of a file name that is ever shown.
  extension: nullable(
    text('Extension of the file name, never the name.', 'pdf', {
      pattern: '^[a-z0-9]{1,10}$',
    }),
  ),
  size_bytes: count('Size in bytes.', 18_000),
  encrypted: flag('Whether a password is needed to open it.', false),
  macros: flag('Whether it contains macros.', false),
});
export type Attachment = Static<typeof Attachment>;

/** Schema of the facts about the text and HTML parts: counts and kinds, never words of the email. */
export const Content = object('Counts and kinds from the text and HTML; never their words.', {
  has_text: flag('Whether there is a text part.'),
  has_html: flag('Whether there is an HTML part.'),
  html_bytes: count('Size of the HTML in bytes.', 2900),
  text_words: count('Words in the text part.', 120),
  html_words: count('Words that the HTML part shows.', 124),
  text_html_similarity: nullable(
    share("Share of the HTML's words that are also in the text.", 0.97),
  ),
  images: count('Images.', 2),
  images_without_alt: count('Images without an alternative text.', 0),
  tracking_pixels: count('Images too small to be seen.', 0),
  data_uri_images: count('Images inside the HTML (data: URIs).', 0),
  links: count('Links.', 3),
  hidden_runs: count('Hidden pieces of text, without a preheader.', 0),
  forms: count('Forms.', 0),
  scripts: count('Scripts.', 0),
  external_css: count('Style sheets loaded from elsewhere.', 0),
  unsubscribe_link_found: flag('Whether the body has an unsubscribe link.'),
  // Template fields by the syntax in which they are written, each with a count. The name of a field is never
  // shown.
  placeholders: count('Template fields that were not replaced.', 0),
  placeholder_syntaxes: texts('How those fields are written.', ['{{ }}']),
  phrase_ids: texts('Ids of phrases that filters weigh.', ['act_now']),
});
export type Content = Static<typeof Content>;

/** The kinds of email, with a description of each. */
export const MAIL_CLASSES = {
  marketing: 'Offers, newsletters and appeals to many readers.',
  transactional:
    "Messages about a reader's own affairs: orders, receipts, codes, appointments, accounts.",
  discussion_list: 'Posts to lists whose members write to each other.',
  automatic: 'Messages that a machine writes on its own: bounces, out-of-office replies, alerts.',
  personal: 'Letters between people.',
  unknown: 'The signs do not point to one kind, or point equally to two.',
} as const;

const CLASSES = Object.keys(MAIL_CLASSES) as (keyof typeof MAIL_CLASSES)[];

/** Schema of the kind of an email, which decides which rules of receivers apply. */
export const Classification = object('What kind of mail this is, as a receiver would sort it.', {
  class: words(CLASSES, 'The kind of mail. `unknown`: the signs do not decide.', 'transactional'),
  confidence: share('Share of the signs that point to this class.', 0.8),
  evidence: texts('The signs, strongest first.', ['words of an order or a payment in the subject']),
});
export type Classification = Static<typeof Classification>;

const ListUnsubscribe = object('How a recipient can leave the list.', {
  present: flag('Whether there is a List-Unsubscribe.'),
  valid: flag('Whether it can be parsed.'),
  https: flag('Whether it contains an HTTPS URL.'),
  mailto: flag('Whether it has an email address.', false),
  one_click: flag('Whether it has both fields of RFC 8058.'),
  dkim_covered: flag('Whether a passing DKIM signature covers both.'),
  host: nullable(domain('Host of the HTTPS or mail address.', 'news.sender.example')),
});

/**
 * Schema of the facts about the message. It never contains body text, the subject, local parts, file names or
 * URL paths.
 */
export const Message = object(
  'Facts about the email; never its subject, text, local parts, file names or URL paths.',
  {
    size_bytes: count('Size of the email in bytes.', 4210),
    header_from: object('The From header field.', {
      domain: nullable(domain('Domain of the From address.')),
      organizational_domain: nullable(domain('Its organizational domain under DMARC.')),
      name_servers: optional(
        domains('Name servers (NS) of its registered domain: who hosts its DNS.', [
          'ns1.provider.example',
        ]),
      ),
      display_name_present: flag('Whether there is a display name.'),
      display_name_has_domain: flag('Whether it looks like a domain.', false),
    }),
    envelope_from_domain: nullable(domain('Domain of the envelope sender (MAIL FROM).')),
    envelope_null_sender: flag('Whether the envelope sender is empty.', false),
    reply_to_domain: maybe(domain('Domain of Reply-To.')),
    message_id_domain: maybe(domain('Domain of Message-ID.')),
    date: maybe(dateTime('The Date header field.', '2026-11-20T10:00:58.000Z')),
    date_skew_seconds: maybe(
      wholeNumber('Seconds from arrival to Date; above 0, Date is in the future.', -2),
    ),
    subject_length: maybe(count('Characters of the subject.', 24)),
    recipients: optional(
      object('The To and Cc header fields.', {
        to_count: count('Addresses in To.', 1),
        cc_count: count('Addresses in Cc.', 0),
        test_address_in_to: flag('Whether the test address is in To.'),
      }),
    ),
    kind: optional(
      object('Whether the email presents itself as bulk mail.', {
        value: words(
          ['bulk', 'transactional_or_personal'],
          'What its headers say.',
          'transactional_or_personal',
        ),
        evidence: texts('The header fields that say so.', ['List-Id']),
      }),
    ),
    list_unsubscribe: ListUnsubscribe,
    list_id: maybe(text('The List-Id, if it is a domain name.', 'news.sender.example')),
    feedback_id_present: optional(flag('Whether there is a Feedback-ID.', false)),
    auto_submitted: maybe(text('The Auto-Submitted header field.', 'auto-generated')),
    precedence: maybe(text('The Precedence header field.', 'bulk')),
    mailer: maybe(
      text(
        'The product in X-Mailer or User-Agent, without its version. `other`: a product that this service does not know.',
        'PHPMailer',
        { pattern: '^[A-Za-z0-9 ._-]{1,40}$' },
      ),
    ),
    way: optional(Route),
    received_hops: optional(count('Received header fields.', 1)),
    headers_duplicated: optional(texts('Header fields that occur too often.', ['Subject'])),
    headers_missing: optional(texts('Header fields that an email should have.', ['Date'])),
    longest_line_bytes: optional(count('Longest line in bytes. The limit is 998.', 320)),
    has_8bit_headers: optional(flag('Whether a header has bytes above 127.', false)),
    smtputf8: optional(flag('Whether the sender asked for SMTPUTF8.', false)),
    mime: optional(
      object('The structure of the email.', {
        structure: text('The tree of media types.', 'multipart/alternative(text/plain,text/html)'),
        parts: list(MimePart, 'The leaves of the tree.'),
        depth: count('Depth of the tree.', 2),
        defects: texts('What is wrong with the structure.', ['missing_boundary']),
      }),
    ),
    content: optional(Content),
    attachments: optional(list(Attachment, 'The shape of each attachment.')),
    compliance: optional(Compliance),
  },
);
export type Message = Static<typeof Message>;
