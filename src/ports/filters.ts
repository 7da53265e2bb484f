/** Declares the port through which spam filters are asked. */

import type { FilterFacts } from '../analysis/filters/facts.ts';
import type { FilterAction, FilterName } from '../domain/report/filters.ts';

/** Longest answer that is read, in bytes: a hundred rules with their texts are a tenth of it. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * What a filter is told of an email: what the mail server of a recipient would tell it. The texts are
 * printable ASCII: they stand in lines of a protocol.
 */
export interface FilteredMail {
  /** The sender's own bytes. Overwritten once they are analysed: nobody keeps them. */
  readonly bytes: Uint8Array;
  readonly ip: string | null;
  readonly helo: string | null;
  /** The confirmed reverse name of the IP address; null: it has none; undefined: it is not known. */
  readonly hostname: string | null | undefined;
  /** The envelope sender; empty for the null sender. */
  readonly from: string;
  /** The same one for every email: what a filter keeps by recipient names no test. */
  readonly recipient: string;
  /** The domain that the email came to. */
  readonly mailDomain: string;
  /** RFC 3339. */
  readonly receivedAt: string;
}

/** What a filter said. Nothing of its own texts is in it. */
export interface FilterAnswer {
  /** null: it does not say. */
  readonly version: string | null;
  readonly score: number;
  readonly threshold: number | null;
  /** null: one that we do not know. */
  readonly action: FilterAction | null;
  /** The names as the filter writes them. */
  readonly rules: readonly { readonly name: string; readonly points: number }[];
}

/** A spam filter that somebody runs. */
export interface SpamFilter {
  readonly name: FilterName;
  /**
   * Has an email checked.
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
