import type { TransportPolicy } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

/** Facts about the transport policies of the From domain: MTA-STS and TLS-RPT. */
export interface TransportFacts {
  readonly report: TransportPolicy;
  readonly mtaSts: LookupResult<{
    readonly state: 'enforce' | 'testing' | 'none' | 'absent' | 'broken';
    readonly fault: string | null;
    /** All MTA-STS records that the domain publishes. */
    readonly published?: readonly string[];
  }>;
  readonly tlsRpt: LookupResult<{
    readonly state: 'valid' | 'absent' | 'broken';
    readonly fault: string | null;
    readonly published?: readonly string[];
  }>;
}
