/** Texts at `_dmarc.<name>` by name, or how the question fails. What is left out is NXDOMAIN. */
export type DmarcZone = Readonly<Record<string, string | readonly string[]>>;

/** The domain in From where a case does not say. */
export const FROM = 'mail.example.com';

export interface DmarcCase {
  readonly zone: DmarcZone;
  /** The domain as the From field has it. */
  readonly from?: string;
  /** Of the From domain in the DNS; null: it could not be learnt. */
  readonly exists?: boolean | null;
  /** Domains that SPF and DKIM passed for, `undecided` after a space where they did not answer. */
  readonly spf?: string;
  readonly dkim?: readonly string[];
  readonly want: DmarcWant;
}

/** What has to come out; what is not named may be anything. */
export interface DmarcWant {
  readonly result?: string;
  readonly policy?: string | null;
  readonly effective?: string | null;
  /** Where the record is. */
  readonly record?: string | null;
  readonly organization?: string;
  /** The names asked, in order. */
  readonly walk?: readonly string[];
  /** `spf/dkim`, each `strict`, `relaxed` or `none`. */
  readonly alignment?: string;
  readonly disposition?: string;
}
