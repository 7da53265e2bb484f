import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

/** Facts from the header fields of an inbound provider. */
export type ProviderFacts = Provider & { readonly name: ProviderName };
