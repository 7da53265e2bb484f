/** Declares the facts about the header fields of an email. */

import type { IdnShape } from '../names/homographs.ts';

/** A domain written in non-ASCII letters where only its A-label is allowed (RFC 5890 §2.3.2.1). */
export interface RawDomain {
  /** The name of the field, or the tag of a DKIM-Signature. */
  readonly field: string;
  /** The form in which it should be written. */
  readonly aLabel: string;
}

/** Facts about the fields that every email has. */
export interface FieldFacts {
  readonly from: {
    /** Why there is no usable From. Null if there is one mailbox. */
    readonly fault: string | null;
    /** Number of From fields. */
    readonly count: number;
    /**
     * `authors` (several, with a Sender), `comment_address`, `raw_8bit`, `raw_domain`, `no_dot`,
     * `dot_at_end`, `route`, `group`, `unquoted` (a display name that reads as addresses).
     */
    readonly oddities: readonly string[];
    readonly displayName: {
      /** A name is present, and does not just repeat the address. */
      readonly present: boolean;
      /** It contains a domain, which may be one of the author's own. */
      readonly hasDomain: boolean;
      /** Things that it should not contain: `domain`, `address`, `direction_override`, `zero_width`. */
      readonly faults: readonly string[];
    };
    readonly freemail: boolean;
    readonly noReply: boolean;
    readonly idn: IdnShape;
  };
  readonly duplicates: readonly string[];
  /** Fields that an email should have but this one lacks. */
  readonly missing: readonly string[];
  /** The product that claims to have created the email. `other` if we do not know it. */
  readonly mailer: string | null;
  /** Number of Received fields. */
  readonly hops: number;
  readonly eightBit: {
    /** There are bytes above 127 in some field. */
    readonly found: boolean;
    /** The sender requested it, so the header may be UTF-8 (RFC 6532). */
    readonly smtputf8: boolean;
    /** Such bytes were found without being allowed. */
    readonly raw: boolean;
    /** Names of the fields with raw non-ASCII text, if they are common ones. */
    readonly fields: readonly string[];
    /** Raw domains. They may be all the raw text in their fields, or a part of it. */
    readonly domains: readonly RawDomain[];
    readonly brokenEncodedWords: boolean;
    /** Names of the fields whose encoded-words contain only ASCII. */
    readonly needlessWords: readonly string[];
  };
  readonly date: {
    readonly state: 'ok' | 'missing' | 'unparsable';
    /** RFC 3339 in UTC. */
    readonly instant: string | null;
    /** A zone given by name: one for UTC, which everyone knows, or another. Null if it is a number. */
    readonly obsoleteZone: 'utc' | 'other' | null;
    readonly skewSeconds: number | null;
    /**
     * The day of the week does not match the date, or is not a day at all. Null if it is correct or absent.
     */
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
    /** Number of addresses in To and Cc. */
    readonly toCount: number;
    readonly ccCount: number;
    readonly undisclosed: boolean;
    readonly testAddressFound: boolean;
    readonly testAddressInTo: boolean;
    /** Somewhere on its route, it was addressed to a domain that is neither the test's nor the sender's. */
    readonly sentElsewhere: boolean;
    /** A forwarder's field says so. A forwarder keeps the address to which the email was written. */
    readonly forwarded: boolean;
    /** There is a comma in To or Cc without an address before or after it. */
    readonly emptyElements: boolean;
    /** There is a Bcc field that names someone besides the reader. */
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
  /** Names of header fields that reveal the sender's internals. */
  readonly leaks: readonly string[];
}
