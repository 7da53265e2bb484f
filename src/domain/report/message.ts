import { type Static, Type } from '@sinclair/typebox';
import { Count, Domain, list, nullable, words } from './shapes.ts';

const o = Type.Optional;

/** A MIME part by its shape; never its name or content. */
const MimePart = Type.Object({
  type: Type.String(),
  charset: nullable(Type.String()),
  encoding: nullable(Type.String()),
  size_bytes: Count,
  disposition: nullable(words('inline', 'attachment')),
});

export const Attachment = Type.Object({
  index: Count,
  declared_type: Type.String(),
  detected_type: nullable(Type.String()),
  /** `[a-z0-9]{1,10}` or null: the only part of a file name that is ever shown. */
  extension: nullable(Type.String({ pattern: '^[a-z0-9]{1,10}$' })),
  size_bytes: Count,
  encrypted: Type.Boolean(),
  macros: Type.Boolean(),
});
export type Attachment = Static<typeof Attachment>;

/** Facts of the text and HTML parts: counts and kinds, never words of the mail. */
export const Content = Type.Object({
  has_text: Type.Boolean(),
  has_html: Type.Boolean(),
  html_bytes: Count,
  text_words: Count,
  html_words: Count,
  /** Share of the HTML's words that the text part has as well; null without both parts. */
  text_html_similarity: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  images: Count,
  images_without_alt: Count,
  tracking_pixels: Count,
  data_uri_images: Count,
  links: Count,
  /** Runs of hidden text, a preheader aside. */
  hidden_runs: Count,
  forms: Count,
  scripts: Count,
  external_css: Count,
  unsubscribe_link_found: Type.Boolean(),
  /** Unreplaced template fields, by number and syntax; never a field's name. */
  placeholders: Count,
  placeholder_syntaxes: list(Type.String()),
  phrase_ids: list(Type.String()),
});
export type Content = Static<typeof Content>;

const Requirement = Type.Object({
  status: words('met', 'not_met', 'partly_observable'),
  /** Ids of the findings that stand in the way. */
  missing: list(Type.String()),
});

/** What the large mailbox providers ask of senders, derived from the findings. */
export const Compliance = Type.Object({
  gmail: Type.Object({ all_senders: Requirement, bulk: Requirement }),
  yahoo: Type.Object({ all_senders: Requirement, bulk: Requirement }),
  microsoft: Type.Object({ high_volume: Requirement }),
  not_measured: list(Type.String()),
});
export type Compliance = Static<typeof Compliance>;

const ListUnsubscribe = Type.Object({
  present: Type.Boolean(),
  valid: Type.Boolean(),
  https: Type.Boolean(),
  mailto: Type.Boolean(),
  /** Both headers of RFC 8058. */
  one_click: Type.Boolean(),
  /** A passing signature covers both. */
  dkim_covered: Type.Boolean(),
  host: nullable(Domain),
});

/** Facts about the mail. Never body text, subject, local parts, file names or URL paths. */
export const Message = Type.Object({
  size_bytes: Count,
  header_from: Type.Object({
    domain: nullable(Domain),
    organizational_domain: nullable(Domain),
    display_name_present: Type.Boolean(),
    display_name_has_domain: Type.Boolean(),
  }),
  envelope_from_domain: nullable(Domain),
  envelope_null_sender: Type.Boolean(),
  reply_to_domain: o(nullable(Domain)),
  message_id_domain: o(nullable(Domain)),
  date: o(nullable(Type.String())),
  /** From arrival to Date: above 0, Date lies in the future. */
  date_skew_seconds: o(nullable(Type.Integer())),
  subject_length: o(nullable(Count)),
  recipients: o(
    Type.Object({ to_count: Count, cc_count: Count, test_address_in_to: Type.Boolean() }),
  ),
  kind: o(
    Type.Object({
      value: words('bulk', 'transactional_or_personal'),
      /** Names of the headers that say so. */
      evidence: list(Type.String()),
    }),
  ),
  list_unsubscribe: ListUnsubscribe,
  list_id: o(nullable(Type.String())),
  feedback_id_present: o(Type.Boolean()),
  auto_submitted: o(nullable(Type.String())),
  precedence: o(nullable(Type.String())),
  mailer: o(nullable(Type.String({ pattern: '^[A-Za-z0-9 ._-]{1,40}$' }))),
  received_hops: o(Count),
  headers_duplicated: o(list(Type.String())),
  headers_missing: o(list(Type.String())),
  longest_line_bytes: o(Count),
  has_8bit_headers: o(Type.Boolean()),
  smtputf8: o(Type.Boolean()),
  mime: o(
    Type.Object({
      structure: Type.String(),
      parts: list(MimePart),
      depth: Count,
      defects: list(Type.String()),
    }),
  ),
  content: o(Content),
  attachments: o(list(Attachment)),
  compliance: o(Compliance),
});
export type Message = Static<typeof Message>;

/** One host that links of the mail name. It was neither opened nor resolved. */
const LinkDomain = Type.Object({
  host: Domain,
  organizational_domain: nullable(Domain),
  count: Count,
  schemes: list(Type.String()),
  roles: list(words('link', 'image', 'unsubscribe')),
  aligned_with_from: Type.Boolean(),
  shortener: Type.Boolean(),
  ip_literal: Type.Boolean(),
  idn: Type.Boolean(),
  non_default_port: Type.Boolean(),
  reputation: words('clean', 'listed', 'not_checked', 'error'),
  threats: list(Type.String()),
  expires_at: nullable(Type.String()),
});

export const Links = Type.Object({
  /** `not_checked` until a web-risk service is configured. */
  status: words('checked', 'partly_checked', 'not_checked'),
  provider: nullable(Type.Literal('google_web_risk')),
  checked_at: nullable(Type.String()),
  total: Count,
  distinct_domains: Count,
  non_https: Count,
  text_mismatches: list(Type.Object({ shown_domain: Domain, target_domain: Domain })),
  domains: list(LinkDomain),
});
export type Links = Static<typeof Links>;
