/** Recognizes the addresses of web proxies, such as Cloudflare's, which do not pass mail on. */

import { isInRanges, type Ranges, toRanges } from '../addresses.ts';
import proxies from './web-proxies.json' with { type: 'json' };

/** Services that forward web traffic to a host but no mail, with the address ranges that they publish. */
const PROXIES: readonly (readonly [name: string, ranges: Ranges])[] = Object.entries(proxies).map(
  ([name, ranges]) => [name, toRanges(ranges)],
);

/** Returns the web proxy to which all addresses of a name belong, or `undefined` if there is none. */
export const webProxyOf = (addresses: readonly string[]): string | undefined =>
  addresses.length === 0
    ? undefined
    : PROXIES.find(([, ranges]) => addresses.every((address) => isInRanges(address, ranges)))?.[0];
