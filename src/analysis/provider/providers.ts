/** The inbound providers whose header fields this service can read. */

import type { ProviderName } from '../../domain/events.ts';
import { readCloudflare } from './cloudflare/read-block.ts';
import type { ReadProviderBlock } from './provider.ts';

/** Readers of header fields, by provider. Each provider has a folder of its own. */
export const providers: Readonly<Record<ProviderName, ReadProviderBlock>> = {
  cloudflare: readCloudflare,
};
