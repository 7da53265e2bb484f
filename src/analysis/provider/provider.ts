import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/** What the provider's headers on top of a mail say. */
export interface ReadBlock {
  readonly name: ProviderName;
  /** Where the sender's own headers begin. */
  readonly bytes: number;
  /** Who sent the mail. It shows nothing of TLS. */
  readonly client: {
    readonly ip: string | null;
    readonly helo: string | null;
    readonly source: 'received-spf' | 'received' | 'unknown';
  };
  readonly report: Omit<Provider, 'seal_verified' | 'differs_from_ours'>;
  /** An ARC set of the provider's own is there, and it vouches for the whole chain below. */
  readonly sealed: boolean;
  /** Where it contradicts itself or the envelope, as lines of `partial_errors`. */
  readonly partialErrors: readonly string[];
}

/**
 * What makes a provider: reads the header block that a mail of its begins with, beside the mailboxes that it
 * stated; null: this mail begins with something else.
 */
export type ReadProviderBlock = (
  head: Uint8Array,
  envelope: { readonly from: string; readonly to: string },
) => ReadBlock | null;
