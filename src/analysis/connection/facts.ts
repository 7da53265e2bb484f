import type { Connection } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

/** Facts about the SMTP connection: the client's address, its host names, and TLS. */
export interface ConnectionFacts {
  readonly ip: string | null;
  readonly helo: string | null;
  readonly source: NonNullable<Connection['source']>;
  /** The protocol by which a relay passed on the client's address and name, unless it was XCLIENT. */
  readonly namedBy?: 'xforward' | 'proxy';
  readonly tls: NonNullable<Connection['tls']>;
  /**
   * PTR names of the sending IP. Empty if there are none. Unknown if the lookup failed or the IP is not
   * known.
   */
  readonly ptr: LookupResult<readonly string[]>;
  /**
   * The addresses of each PTR name, and whether the sending IP is among them (forward-confirmed reverse DNS).
   */
  readonly forward: LookupResult<{
    readonly addresses: Readonly<Record<string, readonly string[]>>;
    readonly confirmed: boolean;
    /** PTR names that resolve back to the sending IP. */
    readonly confirmedNames: readonly string[];
  }>;
  /**
   * Addresses of the HELO name. Null if HELO does not give a full host name but an address literal or a
   * single label.
   */
  readonly heloAddresses: LookupResult<readonly string[] | null>;
}
