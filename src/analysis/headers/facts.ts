import type { IdnShape } from '../names/homographs.ts';

/** What the fields say that every mail has. */
export interface FieldFacts {
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
    readonly idn: IdnShape;
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
  /** Header names that show the sender's insides. */
  readonly leaks: readonly string[];
}
