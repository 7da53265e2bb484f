/** Defines the interface for reading the header fields that an inbound provider adds to an email. */

import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/** The values in the header fields that a provider added at the top of an email. */
export interface ReadBlock {
  readonly name: ProviderName;
  /** Offset in bytes at which the sender's own header fields begin. */
  readonly bytes: number;
  /** The client that sent the email. The header fields do not show whether it used TLS. */
  readonly client: {
    readonly ip: string | null;
    readonly helo: string | null;
    readonly source: 'received-spf' | 'received' | 'unknown';
  };
  readonly report: Omit<Provider, 'seal_verified' | 'differs_from_ours'>;
  /** True if the block contains the provider's own ARC set, which vouches for the whole chain below it. */
  readonly sealed: boolean;
  /**
   * Contradictions within the block, or between the block and the envelope, as entries of `partial_errors`.
   */
  readonly partialErrors: readonly string[];
}

/**
 * Reads the header block at the beginning of an email that came through a provider, and compares it with the
 * mailboxes in the envelope. Returns null if the email begins with something else.
 */
export type ReadProviderBlock = (
  head: Uint8Array,
  envelope: { readonly from: string; readonly to: string },
) => ReadBlock | null;
