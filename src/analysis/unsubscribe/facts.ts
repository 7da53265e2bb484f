/** What the mail says of itself: that it goes to many, and how to leave. */
export interface UnsubscribeFacts {
  readonly bulk: {
    /** Of the class that receivers ask for one-click unsubscribing. */
    readonly isBulk: boolean;
    /** Perhaps of it: what receivers ask for is then suggested, and costs nothing. */
    readonly mayBe: boolean;
    readonly automated: boolean;
    /** The keyword; `other`: a word of the sender's own making. */
    readonly autoSubmitted: string | null;
    readonly precedence: string | null;
    readonly hasListId: boolean;
    /** Its identifier, where that is a domain name. */
    readonly listId: string | null;
    readonly hasFeedbackId: boolean;
  };
  readonly listUnsubscribe: {
    readonly present: boolean;
    /** `encoded`, `no_brackets`, `separator`, `folded`, `space`, `http`, `several`, `placeholder`. */
    readonly faults: readonly string[];
    readonly https: boolean;
    /** Whether others can reach the host of the https URI, such as one that is no `localhost`. */
    readonly reachable: boolean;
    readonly mailto: boolean;
    /** Host of the https URI, or else the domain of the mailto. */
    readonly host: string | null;
    /** `List-Unsubscribe-Post: List-Unsubscribe=One-Click` (RFC 8058 §2). */
    readonly post: boolean;
    /** Why `post` does not hold although the header is there: another value, or there twice. */
    readonly postFault: 'value' | 'repeated' | null;
  };
}
