import type { Connection } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

/** Facts about the SMTP connection: the client's address, its names, and TLS. */
export interface ConnectionFacts {
  readonly ip: string | null;
  readonly helo: string | null;
  readonly source: NonNullable<Connection['source']>;
  /** The protocol by which a relay named the client, if it was not XCLIENT. */
  readonly namedBy?: 'xforward' | 'proxy';
  readonly tls: NonNullable<Connection['tls']>;
  /** PTR names of the sending IP. Empty if there are none. Unknown also if the IP is unknown. */
  readonly ptr: LookupResult<readonly string[]>;
  /** The addresses of each PTR name, and whether one of them is the sending IP. */
  readonly forward: LookupResult<{
    readonly addresses: Readonly<Record<string, readonly string[]>>;
    readonly confirmed: boolean;
    /** PTR names that resolve back to the IP. */
    readonly confirmedNames: readonly string[];
  }>;
  /** Addresses of the HELO name. Null if it is not a host name (literal, single label). */
  readonly heloAddresses: LookupResult<readonly string[] | null>;
}
