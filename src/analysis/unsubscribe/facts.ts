/**
 * Facts about bulk email: whether an email is or may be bulk, the header fields that mark bulk and automatic
 * email, and those that offer to unsubscribe.
 */
export interface UnsubscribeFacts {
  readonly bulk: {
    /** True if the email is of the class for which receivers require one-click unsubscribing. */
    readonly isBulk: boolean;
    /**
     * True if the email may be of the class for which receivers require one-click unsubscribing. Their
     * requirements are then only suggested, and cost no points.
     */
    readonly mayBe: boolean;
    readonly automated: boolean;
    /** True if the email responds to another one, automatically or not (RFC 3834 §5). */
    readonly isResponse: boolean;
    /** The keyword in Auto-Submitted, or `other` if it is the sender's own word. */
    readonly autoSubmitted: string | null;
    readonly precedence: string | null;
    readonly hasListId: boolean;
    /** The identifier in List-Id, if it is a domain name. */
    readonly listId: string | null;
    readonly hasFeedbackId: boolean;
  };
  readonly listUnsubscribe: {
    readonly present: boolean;
    /**
     * Ids of faults: `encoded`, `no_brackets`, `separator`, `folded`, `space`, `no_scheme`, `http`, `several`,
     * `placeholder`.
     */
    readonly faults: readonly string[];
    readonly https: boolean;
    /** True if others can reach the host in the https URI, which is not the case for `localhost`. */
    readonly reachable: boolean;
    readonly mailto: boolean;
    /** Host in the https URI, or otherwise the domain in the mailto URI. */
    readonly host: string | null;
    /** True if the email has the field `List-Unsubscribe-Post: List-Unsubscribe=One-Click` (RFC 8058 §5). */
    readonly post: boolean;
    /**
     * The reason why `post` is false although the field is present: it has another value, or is repeated.
     */
    readonly postFault: 'value' | 'repeated' | null;
  };
}
