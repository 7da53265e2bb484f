import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/**
 * Facts from the header fields of an inbound provider, a service that receives an email and passes it on.
 * They include the provider's name, its spam score, and its results for SPF, DKIM, DMARC and ARC.
 */
export type ProviderFacts = Provider & { readonly name: ProviderName };
