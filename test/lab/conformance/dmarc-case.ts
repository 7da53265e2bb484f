/** Defines the form of our own DMARC cases: a zone, the identifiers and the expected result. */

/** Texts at `_dmarc.<name>` by name, or how the query fails. Anything else is NXDOMAIN. */
export type DmarcZone = Readonly<Record<string, string | readonly string[]>>;

/** The domain in From unless a case names one. */
export const FROM = 'mail.example.com';

export interface DmarcCase {
  readonly zone: DmarcZone;
  /** The domain as it is in the From field. */
  readonly from?: string;
  /** Existence of the From domain in the DNS. Null if it could not be found out. */
  readonly exists?: boolean | null;
  /** Domains for which SPF and DKIM passed, followed by a space and `undecided` if they gave no answer. */
  readonly spf?: string;
  readonly dkim?: readonly string[];
  readonly want: DmarcWant;
}

/** The expected result. Members that are not named may be anything. */
export interface DmarcWant {
  readonly result?: string;
  readonly policy?: string | null;
  readonly effective?: string | null;
  /** Name at which the record is. */
  readonly record?: string | null;
  readonly organization?: string;
  /** The names queried, in order. */
  readonly walk?: readonly string[];
  /** `spf/dkim`, each `strict`, `relaxed` or `none`. */
  readonly alignment?: string;
  readonly disposition?: string;
}
