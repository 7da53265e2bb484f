/** A link or a picture of the mail. Target and text stay inside. */
export interface BodyLink {
  readonly href: string;
  /** What the reader sees; null for pictures and for links in plain text. */
  readonly text: string | null;
  readonly role: 'link' | 'image' | 'unsubscribe';
}

export interface BodyLinks {
  /** Of the HTML, or of the text where there is no HTML; 1,000 at most. */
  readonly links: readonly BodyLink[];
  readonly truncated: boolean;
  readonly unsubscribeFound: boolean;
}
