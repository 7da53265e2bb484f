import type { ProviderName } from '../../domain/events.ts';
import { readCloudflare } from './cloudflare/read-block.ts';
import type { ReadProviderBlock } from './provider.ts';

/** A folder each. */
export const providers: Readonly<Record<ProviderName, ReadProviderBlock>> = {
  cloudflare: readCloudflare,
};
