import type { ProviderName } from '../../domain/events.ts';
import type { Provider } from '../../domain/report/connection.ts';

export type ProviderFacts = Provider & { readonly name: ProviderName };
