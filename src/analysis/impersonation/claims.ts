/** The input from which the signs are read. Its texts never leave the code that reads the email. */
export interface SenderClaims {
  readonly fromDomain: string | null;
  readonly displayName: string;
  /** The address is one that a domain reserves for its own use, such as `postmaster`. */
  readonly isOfHost: boolean;
  readonly subject: string;
  readonly text: string;
  /** Domains of the Message-IDs to which the email replies. */
  readonly answeredDomains: readonly string[];
  /** Null without a Reply-To, or if it cannot be read. */
  readonly replyDomain: string | null;
  readonly recipientDomain: string;
  readonly linkHosts: readonly string[];
  /** First path segments of the links. */
  readonly linkNames: readonly string[];
  readonly mismatches: readonly { readonly shown_domain: string; readonly target_domain: string }[];
  /**
   * Says whether the From domain is written in letters that can be mistaken for others, which is a separate
   * finding.
   */
  readonly idn: 'ascii' | 'single_script' | 'suspicious';
  readonly isBulk: boolean;
  /** A link hides its target, or a form asks for a password. */
  readonly hidesTarget: boolean;
  /**
   * Fraud rules that the text matches: those that count on their own, which are another finding, and the
   * rest.
   */
  readonly patterns: readonly string[];
  readonly wording: readonly string[];
  /** The text talks about the reader's mailbox as its administrator would. */
  readonly isOfMailbox: boolean;
}
