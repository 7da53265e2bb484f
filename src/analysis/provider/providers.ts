/** The inbound providers whose header fields this service can read. */

import type { ProviderName } from '../../domain/events.ts';
import { readCloudflare } from './cloudflare/read-block.ts';
import type { ReadProviderBlock } from './provider.ts';

/** Each has a folder of its own. */
export const providers: Readonly<Record<ProviderName, ReadProviderBlock>> = {
  cloudflare: readCloudflare,
};
