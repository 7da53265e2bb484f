/** Statements of the email about itself: that it goes to many people, and how to unsubscribe. */
export interface UnsubscribeFacts {
  readonly bulk: {
    /** The email is of the class for which receivers require one-click unsubscribing. */
    readonly isBulk: boolean;
    /**
     * The email may be of that class. In that case, the receivers' requirements are only suggested, and cost
     * no points.
     */
    readonly mayBe: boolean;
    readonly automated: boolean;
    /** The keyword. `other` if it is the sender's own word. */
    readonly autoSubmitted: string | null;
    readonly precedence: string | null;
    readonly hasListId: boolean;
    /** The identifier of the list, if it is a domain name. */
    readonly listId: string | null;
    readonly hasFeedbackId: boolean;
  };
  readonly listUnsubscribe: {
    readonly present: boolean;
    /** `encoded`, `no_brackets`, `separator`, `folded`, `space`, `http`, `several`, `placeholder`. */
    readonly faults: readonly string[];
    readonly https: boolean;
    /** True if others can reach the host of the https URI, which is not the case for `localhost`. */
    readonly reachable: boolean;
    readonly mailto: boolean;
    /** Host of the https URI, otherwise the domain of the mailto. */
    readonly host: string | null;
    /** `List-Unsubscribe-Post: List-Unsubscribe=One-Click` (RFC 8058 §5). */
    readonly post: boolean;
    /** Why `post` is false although the field is present: another value, or a repetition. */
    readonly postFault: 'value' | 'repeated' | null;
  };
}
