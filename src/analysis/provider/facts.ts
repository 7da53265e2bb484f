import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/**
 * Facts from the header fields of an inbound provider, a service that receives an email and passes it on: its
 * name, and its own results of SPF, DKIM, DMARC, ARC and spam filtering.
 */
export type ProviderFacts = Provider & { readonly name: ProviderName };
