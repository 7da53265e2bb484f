/**
 * Declares the facts about the common header fields of an email, such as From, Date and Subject, and about
 * their faults.
 */

import type { IdnShape } from '../names/homographs.ts';

/**
 * A domain written in non-ASCII letters in a place where only its A-label is allowed (RFC 5890 §2.3.2.1).
 */
export interface RawDomain {
  /** The name of the header field that contains the domain. */
  readonly field: string;
  /** The A-label with which the domain should be written. */
  readonly aLabel: string;
}

/** Facts about the common header fields of an email, such as From, Date and Subject. */
export interface FieldFacts {
  readonly from: {
    /** The reason why From is unusable. Null if it is usable. */
    readonly fault: string | null;
    /** Number of From fields in the email. */
    readonly count: number;
    /**
     * Unusual forms of the From field: `authors` (several, with a Sender), `comment_address`, `raw_8bit`,
     * `raw_domain`, `no_dot`, `dot_at_end`, `route`, `group`, `unquoted` (a display name that reads as
     * several addresses).
     */
    readonly oddities: readonly string[];
    readonly displayName: {
      /** True if there is a display name that does not just repeat the address. */
      readonly present: boolean;
      /** True if the display name contains a domain, even one of the author's own. */
      readonly hasDomain: boolean;
      /**
       * Things in the display name that should not be there: `domain`, `address`, `direction_override`,
       * `zero_width`.
       */
      readonly faults: readonly string[];
    };
    readonly freemail: boolean;
    readonly noReply: boolean;
    readonly idn: IdnShape;
  };
  readonly duplicates: readonly string[];
  /** Names of the fields that every email should have but this one lacks. */
  readonly missing: readonly string[];
  /**
   * The mail program that the email claims to come from. `other` if we do not know the program. Null if none
   * is named.
   */
  readonly mailer: string | null;
  /** Number of Received fields in the email. */
  readonly hops: number;
  readonly eightBit: {
    /** True if a header field contains bytes above 127. */
    readonly found: boolean;
    /** True if the sender used SMTPUTF8, which allows UTF-8 in the header (RFC 6532). */
    readonly smtputf8: boolean;
    /** True if the header contains bytes above 127 that are not allowed. */
    readonly raw: boolean;
    /**
     * Names of the common header fields that contain raw non-ASCII text. `other fields` stands for all
     * others.
     */
    readonly fields: readonly string[];
    /** Domains written in raw non-ASCII letters. Their fields may contain other raw text as well. */
    readonly domains: readonly RawDomain[];
    readonly brokenEncodedWords: boolean;
    /** Names of the header fields whose encoded-words encode only ASCII. */
    readonly needlessWords: readonly string[];
  };
  readonly date: {
    readonly state: 'ok' | 'missing' | 'unparsable';
    /** The date as RFC 3339 in UTC. Null if it could not be parsed. */
    readonly instant: string | null;
    /**
     * `utc` if the zone is a name for UTC, which every program knows, and `other` for any other name. Null if
     * the zone is a number.
     */
    readonly obsoleteZone: 'utc' | 'other' | null;
    readonly skewSeconds: number | null;
    /**
     * `wrong` if the day of the week does not match the date, and `no_day` if it is not a day. Null if it is
     * correct or absent.
     */
    readonly weekdayFault: 'wrong' | 'no_day' | null;
    /** True if the hour has one digit. RFC 5322 §3.3 asks for two. */
    readonly shortHour: boolean;
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
    /** Number of addresses in To. */
    readonly toCount: number;
    readonly ccCount: number;
    readonly undisclosed: boolean;
    readonly testAddressFound: boolean;
    readonly testAddressInTo: boolean;
    /**
     * True if a server on the route recorded a recipient in a domain that is neither the test's nor the
     * sender's.
     */
    readonly sentElsewhere: boolean;
    /**
     * True if a header field shows that the email was forwarded. A forwarder keeps the original addresses in
     * To.
     */
    readonly forwarded: boolean;
    /** True if a comma in To or Cc has no address before or after it. */
    readonly emptyElements: boolean;
    /** True if a Bcc field names someone other than the recipient of this copy. */
    readonly bcc: boolean;
  };
  readonly subject: {
    readonly state: 'ok' | 'missing' | 'empty';
    readonly length: number;
    readonly allCapitals: boolean;
    readonly exclamations: number;
    /** True if the subject begins like a reply, but no field names the email that it replies to. */
    readonly falseReply: boolean;
    /**
     * True if the subject begins like a forwarded email, and no field names another email. Many mail programs
     * forward in this way.
     */
    readonly isForward: boolean;
    readonly url: boolean;
    readonly edgeSpaces: boolean;
  };
  readonly replyTo: {
    readonly state: 'absent' | 'ok' | 'unparsable';
    readonly domain: string | null;
    readonly freemail: boolean;
    readonly sameOrganization: boolean;
  };
  /** Names of the header fields that reveal internal details of the sender's systems. */
  readonly leaks: readonly string[];
}
