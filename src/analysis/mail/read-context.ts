import type { TestAddress } from '../headers/recipients.ts';

/** What the reading of a mail may know besides its bytes. Plain data: it crosses to a worker. */
export interface ReadContext {
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly testAddress: TestAddress;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly smtputf8: boolean;
}
