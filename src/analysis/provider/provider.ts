/** Declares what the reader of an inbound provider's header fields must offer. */

import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/** The values that the provider's header fields at the top of an email contain. */
export interface ReadBlock {
  readonly name: ProviderName;
  /** Where the sender's own header fields begin. */
  readonly bytes: number;
  /** The client that sent the email. Nothing shows its TLS. */
  readonly client: {
    readonly ip: string | null;
    readonly helo: string | null;
    readonly source: 'received-spf' | 'received' | 'unknown';
  };
  readonly report: Omit<Provider, 'seal_verified' | 'differs_from_ours'>;
  /** The block contains an ARC set of the provider's own, which vouches for the whole chain below it. */
  readonly sealed: boolean;
  /**
   * Contradictions within the block, or between the block and the envelope, as lines of `partial_errors`.
   */
  readonly partialErrors: readonly string[];
}

/**
 * The interface of a provider: it reads the header block at the beginning of an email that came through the
 * provider, and compares it with the stated mailboxes. Returns null if the email begins with something else.
 */
export type ReadProviderBlock = (
  head: Uint8Array,
  envelope: { readonly from: string; readonly to: string },
) => ReadBlock | null;
