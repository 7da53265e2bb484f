import type { Links } from '../domain/report/links.ts';
import type { Attachment, Classification, Content, Message } from '../domain/report/message.ts';

/** A sign that receivers read as speaking for somebody else; domains and public names only. */
export interface ImpersonationSign {
  readonly id:
    | 'brand_name'
    | 'brand_domain'
    | 'brand_link'
    | 'embedded_domain'
    | 'near_domain'
    | 'mixed_letters'
    | 'hidden_letters'
    | 'money_reply'
    | 'wording'
    | 'mail_system';
  /** What the reader sees, or is meant to think of. */
  readonly shown: string;
  /** The domain that it really is. */
  readonly real: string;
}

export interface HeaderFacts {
  readonly report: Omit<Message, 'content' | 'attachments' | 'compliance' | 'mime'>;
  readonly from: {
    /** Why there is no usable From; null: there is one mailbox. */
    readonly fault: string | null;
    /**
     * `authors` (several, with a Sender), `comment_address`, `raw_8bit`, `no_dot`, `dot_at_end`,
     * `route`, `group`, `unquoted` (a display name that reads as addresses).
     */
    readonly oddities: readonly string[];
    readonly displayName: {
      /** A name, and not just the address once more. */
      readonly present: boolean;
      /** What it holds that it should not: `domain`, `address`, `direction_override`, `zero_width`. */
      readonly faults: readonly string[];
    };
    readonly freemail: boolean;
    readonly noReply: boolean;
    readonly idn: 'ascii' | 'single_script' | 'suspicious';
  };
  readonly duplicates: readonly string[];
  readonly eightBit: {
    readonly raw: boolean;
    /** Names of the fields with raw non-ASCII text, as far as they are common ones. */
    readonly fields: readonly string[];
    readonly brokenEncodedWords: boolean;
    /** Names of the fields whose encoded-words hold nothing but ASCII. */
    readonly needlessWords: readonly string[];
  };
  readonly date: {
    readonly state: 'ok' | 'missing' | 'unparsable';
    /** A zone by name: one of UTC, which everybody knows, or another; null: a number. */
    readonly obsoleteZone: 'utc' | 'other' | null;
    readonly skewSeconds: number | null;
    /** The day of the week: of another date, or no day at all; null: right, or left out. */
    readonly weekdayFault: 'wrong' | 'no_day' | null;
  };
  readonly messageId: {
    readonly count: number;
    readonly syntaxOk: boolean;
    readonly domain: string | null;
    readonly domainOdd: boolean;
    readonly related: boolean;
  };
  readonly to: {
    readonly present: boolean;
    readonly undisclosed: boolean;
    readonly testAddressFound: boolean;
    /** On its way it was for an address at a domain that is neither the test's nor the sender's. */
    readonly sentElsewhere: boolean;
    /** A forwarder says so; it leaves the address that was written to. */
    readonly forwarded: boolean;
  };
  readonly subject: {
    readonly state: 'ok' | 'missing' | 'empty';
    readonly length: number;
    readonly allCapitals: boolean;
    readonly exclamations: number;
    readonly falseReply: boolean;
    readonly url: boolean;
    readonly edgeSpaces: boolean;
  };
  readonly replyTo: {
    readonly state: 'absent' | 'ok' | 'unparsable';
    readonly freemail: boolean;
    readonly sameOrganization: boolean;
  };
  readonly classification: Classification;
  readonly impersonation: readonly ImpersonationSign[];
  readonly bulk: {
    /** Of the class that receivers ask for one-click unsubscribing. */
    readonly isBulk: boolean;
    readonly automated: boolean;
    readonly hasAutoSubmitted: boolean;
    readonly hasListIdOrFeedbackId: boolean;
    readonly oddPrecedence: boolean;
  };
  /** Header names that show the sender's insides. */
  readonly leaks: readonly string[];
  readonly listUnsubscribe: {
    readonly present: boolean;
    /** `no_brackets`, `separator`, `space`, `http`, `several`, `placeholder`. */
    readonly faults: readonly string[];
    readonly https: boolean;
    readonly mailto: boolean;
    /** `List-Unsubscribe-Post: List-Unsubscribe=One-Click` (RFC 8058 §2). */
    readonly post: boolean;
    /** Why `post` does not hold although the header is there: another value, or there twice. */
    readonly postFault: 'value' | 'repeated' | null;
  };
  readonly lines: {
    readonly longestBytes: number;
    /** Of the header alone. */
    readonly longestHeaderBytes: number;
    readonly longHeaderLines: boolean;
    readonly bareNewlines: boolean;
    readonly nul: boolean;
    /** Media type of the part with the longest line. */
    readonly longestIn: string;
  };
}

export interface ContentFacts {
  readonly content: Content;
  readonly mime: NonNullable<Message['mime']>;
  readonly attachments: readonly Attachment[];
  /** Worst first, by the rungs of `mime_structure`. */
  readonly structureFaults: readonly StructureFault[];
  readonly charsetFaults: readonly CharsetFault[];
  readonly attachmentFaults: readonly {
    readonly severity: 'fail' | 'warn';
    readonly extension: string | null;
    readonly kind: string;
  }[];
  readonly textAlternative: 'both' | 'text_only' | 'html_only' | 'none';
  /** The text part: `empty`, `boilerplate`, or in step with the HTML. */
  readonly textState: 'ok' | 'empty' | 'boilerplate' | 'too_short';
  /** Preview text at the top, hidden or named so; not among `hidden_runs`. */
  readonly preheader: boolean;
  readonly hiddenPreheader: boolean;
  /** Ids of faults: `unclosed`, `unknown_tags`, `no_html`, `no_body`; `no_lang`, `no_title`, … */
  readonly htmlFaults: { readonly fail: readonly string[]; readonly lint: readonly string[] };
  /** Rules of fraud that the text fits: those that count alone, and beside a sign of imitation. */
  readonly phrasePatterns: readonly string[];
  readonly wording: readonly string[];
  /** Without tracking pixels. */
  readonly contentImages: number;
  readonly cidMissing: number;
  /** Pictures too small to hold the text of a mail, such as a logo and icons. */
  readonly logoImages: number;
  /** Hosts that tracking pixels are loaded from. */
  readonly pixelHosts: readonly string[];
  /** Tags and kinds that make HTML active; `hard` blocks, `soft` is only stripped. */
  readonly active: { readonly hard: readonly string[]; readonly soft: readonly string[] };
}

/** Text that is not what it says, or says nothing: `missing_charset`, `unknown_charset`, `invalid_bytes`. */
export interface CharsetFault {
  readonly id: string;
  /** Media type of the part. */
  readonly type: string;
  readonly charset: string | null;
}

/** A fault without a remedy of its own. */
export interface StructureFault {
  readonly severity: 'fail' | 'warn' | 'info';
  readonly id: string;
}

export interface LinkFacts {
  readonly report: Omit<Links, 'status' | 'provider' | 'checked_at'>;
  /** The mail has more links than were looked at. */
  readonly truncated: boolean;
  readonly mismatches: Links['text_mismatches'];
  readonly shorteners: readonly string[];
  /** Hosts that lead on to another organization, which stands behind them in the link. */
  readonly redirectors: readonly string[];
  readonly ipHosts: readonly string[];
  /** Hosts of links with a name before an `@`. */
  readonly userinfoHosts: readonly string[];
  readonly oddPorts: readonly string[];
  readonly httpHosts: readonly string[];
  readonly homographs: { readonly suspicious: readonly string[]; readonly idn: readonly string[] };
  readonly organizationalDomains: number;
  readonly underFromDomain: boolean;
  /** `empty`, `relative`, `unparsable`, `file`, `localhost`, `private_host`, with how often. */
  readonly malformed: readonly { readonly shape: string; readonly count: number }[];
}
