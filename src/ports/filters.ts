/** Declares the port through which spam filters are queried, and its limits on time and answer size. */

import type { FilterFacts } from '../analysis/filters/facts.ts';
import type { FilterAction, FilterName } from '../domain/report/filters.ts';

/** Longest answer that is read, in bytes: a hundred rules with their texts are a tenth of it. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/** Longest wait for one filter, in milliseconds, including its queue. */
export const FILTER_MS = 3000;

/**
 * The data about an email that a filter receives: the same data that a recipient's mail server would give it.
 * The texts are printable ASCII, because they become parts of protocol lines.
 */
export interface FilteredMail {
  /** The sender's own bytes. They are overwritten once they are analysed, because nobody keeps them. */
  readonly bytes: Uint8Array;
  readonly ip: string | null;
  readonly helo: string | null;
  /** The confirmed reverse name of the IP address. Null if there is none; undefined if it is not known. */
  readonly hostname: string | null | undefined;
  /** The envelope sender; empty for the null sender. */
  readonly from: string;
  /**
   * The recipient, which is the same for every email, so that data which a filter keeps by recipient names no
   * test.
   */
  readonly recipient: string;
  /** The domain to which the email was sent. */
  readonly mailDomain: string;
  /** When the email arrived, in RFC 3339. */
  readonly receivedAt: string;
}

/** The answer of a filter, without any of its own texts. */
export interface FilterAnswer {
  /** The version of the filter. Null if the filter does not state it. */
  readonly version: string | null;
  readonly score: number;
  readonly threshold: number | null;
  /** The action that the filter recommends. Null if we do not know that action. */
  readonly action: FilterAction | null;
  /** The rules that matched, with their names as the filter writes them. */
  readonly rules: readonly { readonly name: string; readonly points: number }[];
}

/** A spam filter that an operator runs. */
export interface SpamFilter {
  readonly name: FilterName;
  /**
   * Asks the filter about an email.
   *
   * @throws FilterFault, RangeError for an answer that is too long, or the error of the connection
   */
  ask(mail: FilteredMail, signal: AbortSignal): Promise<FilterAnswer>;
}

/** Asks every filter that is set up; resolves within seconds, and never rejects. */
export type AskFilters = (
  mail: Omit<FilteredMail, 'hostname'>,
  hostname: Promise<FilteredMail['hostname']>,
) => Promise<readonly FilterFacts[]>;
