/** What the mail says of itself: that it goes to many, and how to leave. */
export interface UnsubscribeFacts {
  readonly bulk: {
    /** Of the class that receivers ask for one-click unsubscribing. */
    readonly isBulk: boolean;
    readonly automated: boolean;
    readonly hasAutoSubmitted: boolean;
    readonly hasListIdOrFeedbackId: boolean;
    readonly oddPrecedence: boolean;
  };
  readonly listUnsubscribe: {
    readonly present: boolean;
    /** `no_brackets`, `separator`, `space`, `http`, `several`, `placeholder`. */
    readonly faults: readonly string[];
    readonly https: boolean;
    readonly mailto: boolean;
    /** `List-Unsubscribe-Post: List-Unsubscribe=One-Click` (RFC 8058 §2). */
    readonly post: boolean;
    /** Why `post` does not hold although the header is there: another value, or there twice. */
    readonly postFault: 'value' | 'repeated' | null;
  };
}
