/** Derives the outcome of an authorization from what a node shows at one block. */

/** Facts that one node shows about one authorization at one block. */
export interface Evidence {
  /** True if `authorizationState` says that the nonce can never be used again. */
  readonly used: boolean;
  /** True if the block's time is at or past `validBefore`. */
  readonly expired: boolean;
  /** The event that shows the end of the authorization. The token writes exactly one. */
  readonly log: 'AuthorizationUsed' | 'AuthorizationCanceled' | 'older' | 'none' | 'not read';
  /** The relevant content of the receipt of that event's transaction, if the transaction succeeded. */
  readonly receipt: 'our transfer' | 'another transfer' | 'cancellation' | 'neither' | 'not read';
}

export type ProvenState = 'open' | 'dead' | 'settled' | 'cancelled' | 'spent';

const ANOTHER: Evidence = {
  used: true,
  expired: true,
  log: 'AuthorizationUsed',
  receipt: 'another transfer',
};

/** The only combinations of evidence that prove an outcome. */
const PROOFS: readonly (readonly [Evidence, ProvenState])[] = [
  [{ used: false, expired: false, log: 'not read', receipt: 'not read' }, 'open'],
  [{ used: false, expired: true, log: 'none', receipt: 'not read' }, 'dead'],
  // The nonce was used to pay someone else, or a different amount. This counts only once our authorization
  // has expired, so that a lie achieves nothing.
  [ANOTHER, 'spent'],
  // The authorization was used before it was sent to us.
  [{ used: true, expired: true, log: 'older', receipt: 'not read' }, 'spent'],
  ...[true, false].flatMap((expired): [Evidence, ProvenState][] => [
    [{ used: true, expired, log: 'AuthorizationUsed', receipt: 'our transfer' }, 'settled'],
    [{ used: true, expired, log: 'AuthorizationCanceled', receipt: 'cancellation' }, 'cancelled'],
  ]),
];

/**
 * Returns what the evidence proves. `undefined` means that it is incomplete or contradictory, as the answers
 * of load-balanced nodes can be: nothing is decided, and the chain is asked again. In particular, a used
 * nonce without our transfer does not prove a cancellation.
 */
export const provenBy = (evidence: Evidence): ProvenState | undefined =>
  PROOFS.find(([proof]) =>
    Object.entries(proof).every(([name, value]) => evidence[name as keyof Evidence] === value),
  )?.[1];
