import type { TransportPolicy } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

export interface TransportFacts {
  readonly report: TransportPolicy;
  readonly mtaSts: LookupResult<{
    readonly state: 'enforce' | 'testing' | 'none' | 'absent' | 'broken';
    readonly fault: string | null;
    /** TXT at the name, all that are of its kind. */
    readonly published?: readonly string[];
  }>;
  readonly tlsRpt: LookupResult<{
    readonly state: 'valid' | 'absent' | 'broken';
    readonly fault: string | null;
    readonly published?: readonly string[];
  }>;
}
