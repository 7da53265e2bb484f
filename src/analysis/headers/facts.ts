import type { IdnShape } from '../names/homographs.ts';

/** A domain written in letters outside ASCII, where only its A-label has a place (RFC 5890 §2.3.2.1). */
export interface RawDomain {
  /** The field, or the tag of a DKIM-Signature. */
  readonly field: string;
  /** As it should be written. */
  readonly aLabel: string;
}

/** What the fields say that every mail has. */
export interface FieldFacts {
  readonly from: {
    /** Why there is no usable From; null: there is one mailbox. */
    readonly fault: string | null;
    /** From fields. */
    readonly count: number;
    /**
     * `authors` (several, with a Sender), `comment_address`, `raw_8bit`, `raw_domain`, `no_dot`,
     * `dot_at_end`, `route`, `group`, `unquoted` (a display name that reads as addresses).
     */
    readonly oddities: readonly string[];
    readonly displayName: {
      /** A name, and not just the address once more. */
      readonly present: boolean;
      /** Any domain at all, the author's own too. */
      readonly hasDomain: boolean;
      /** What it holds that it should not: `domain`, `address`, `direction_override`, `zero_width`. */
      readonly faults: readonly string[];
    };
    readonly freemail: boolean;
    readonly noReply: boolean;
    readonly idn: IdnShape;
  };
  readonly duplicates: readonly string[];
  /** Of those that a mail should have. */
  readonly missing: readonly string[];
  /** The product that says it made the mail; `other`: not known here. */
  readonly mailer: string | null;
  /** Received fields. */
  readonly hops: number;
  readonly eightBit: {
    /** Bytes above 127 in some field. */
    readonly found: boolean;
    /** The sender asked for it: headers are UTF-8 by right (RFC 6532). */
    readonly smtputf8: boolean;
    /** Found, and not by right. */
    readonly raw: boolean;
    /** Names of the fields with raw non-ASCII text, as far as they are common ones. */
    readonly fields: readonly string[];
    /** Domains that are all that is raw in their fields, or a part of it. */
    readonly domains: readonly RawDomain[];
    readonly brokenEncodedWords: boolean;
    /** Names of the fields whose encoded-words hold nothing but ASCII. */
    readonly needlessWords: readonly string[];
  };
  readonly date: {
    readonly state: 'ok' | 'missing' | 'unparsable';
    /** RFC 3339 in UTC. */
    readonly instant: string | null;
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
    /** Addresses in To and in Cc. */
    readonly toCount: number;
    readonly ccCount: number;
    readonly undisclosed: boolean;
    readonly testAddressFound: boolean;
    readonly testAddressInTo: boolean;
    /** On its way it was for an address at a domain that is neither the test's nor the sender's. */
    readonly sentElsewhere: boolean;
    /** A forwarder says so; it leaves the address that was written to. */
    readonly forwarded: boolean;
    /** A comma in To or Cc without an address before or behind it. */
    readonly emptyElements: boolean;
    /** A Bcc field that names somebody beside the reader. */
    readonly bcc: boolean;
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
    readonly domain: string | null;
    readonly freemail: boolean;
    readonly sameOrganization: boolean;
  };
  /** Header names that show the sender's insides. */
  readonly leaks: readonly string[];
}
