/**
 * The parts of an email that are searched for signs of impersonation. Their texts never leave the code that
 * reads the email.
 */
export interface SenderClaims {
  readonly fromDomain: string | null;
  readonly displayName: string;
  /** True if the From address is one that a domain reserves for its own use, such as `postmaster`. */
  readonly isOfHost: boolean;
  readonly subject: string;
  readonly text: string;
  /** Domains in the Message-IDs of the emails to which this one replies. */
  readonly answeredDomains: readonly string[];
  /**
   * The domain of the Reply-To address. Null if there is no Reply-To, if it cannot be read, or if a mailing
   * list sends replies to the author.
   */
  readonly replyDomain: string | null;
  readonly recipientDomain: string;
  readonly linkHosts: readonly string[];
  /** First path segments of the links, such as `chase` in `/chase/review`. */
  readonly linkNames: readonly string[];
  readonly mismatches: readonly { readonly shown_domain: string; readonly target_domain: string }[];
  /**
   * The kind of letters in the From domain. Letters that can be mistaken for others (`suspicious`) are a
   * separate finding.
   */
  readonly idn: 'ascii' | 'single_script' | 'suspicious';
  readonly isBulk: boolean;
  /** True if a link hides its target, or a form asks for a password. */
  readonly hidesTarget: boolean;
  /**
   * Fraud rules that the text matches and that count on their own, which is a separate finding. `wording`
   * lists the other rules that it matches.
   */
  readonly patterns: readonly string[];
  readonly wording: readonly string[];
  /** True if the text talks about the reader's mailbox as its administrator would. */
  readonly isOfMailbox: boolean;
}
