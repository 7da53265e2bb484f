/** Declares what the reader of an inbound provider's header fields must offer. */

import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/** The content of the provider's header fields at the top of an email. */
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
  /** There is an ARC set of the provider's own, which vouches for the whole chain below. */
  readonly sealed: boolean;
  /** Contradictions in it, or with the envelope, as lines of `partial_errors`. */
  readonly partialErrors: readonly string[];
}

/**
 * The interface of a provider: reads the header block at the beginning of an email that came through it, and
 * compares it with the stated mailboxes. Null if this email begins with something else.
 */
export type ReadProviderBlock = (
  head: Uint8Array,
  envelope: { readonly from: string; readonly to: string },
) => ReadBlock | null;
