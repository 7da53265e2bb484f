/** What the signs are read from. Texts stay inside. */
export interface SenderClaims {
  readonly fromDomain: string | null;
  readonly displayName: string;
  /** The address is of those that a domain keeps for itself, such as `postmaster`. */
  readonly isOfHost: boolean;
  readonly subject: string;
  readonly text: string;
  /** Domains of Message-IDs that the mail answers. */
  readonly answeredDomains: readonly string[];
  /** Null: no Reply-To, or one that cannot be read. */
  readonly replyDomain: string | null;
  readonly recipientDomain: string;
  readonly linkHosts: readonly string[];
  /** What the paths of links begin with. */
  readonly linkNames: readonly string[];
  readonly mismatches: readonly { readonly shown_domain: string; readonly target_domain: string }[];
  /** Whether the From domain is written in letters to be mistaken, which is a finding of its own. */
  readonly idn: 'ascii' | 'single_script' | 'suspicious';
  readonly isBulk: boolean;
  /** A link does not show where it leads, or a form asks for a password. */
  readonly hidesTarget: boolean;
  /** Rules of fraud that the text fits: those that count alone, which is another finding, and the rest. */
  readonly patterns: readonly string[];
  readonly wording: readonly string[];
  /** The text speaks of the reader's mailbox as its administrator would. */
  readonly isOfMailbox: boolean;
}
