/** A mail that was written to test the classes, not to make them. */
export interface UnseenMail {
  readonly about: string;
  readonly from: string;
  readonly subject: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly nullSender?: true;
  /** HTML when it begins with a tag. */
  readonly body: string;
}
