/** Defines the form of the emails that test the classification but were not used to develop it. */

/** An email that was written to test the classification, not to develop it. */
export interface UnseenMail {
  readonly about: string;
  readonly from: string;
  readonly subject: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly nullSender?: true;
  /** The body, which is HTML if it begins with a tag. */
  readonly body: string;
}
