import { isInRanges, type Ranges, toRanges } from '../addresses.ts';
import proxies from './web-proxies.json' with { type: 'json' };

/** Services that pass web traffic to a host and no mail, by the address ranges that they publish. */
const PROXIES: readonly (readonly [name: string, ranges: Ranges])[] = Object.entries(proxies).map(
  ([name, ranges]) => [name, toRanges(ranges)],
);

/** The web proxy that all addresses of a name belong to; `undefined`: one of them is none's. */
export const webProxyOf = (addresses: readonly string[]): string | undefined =>
  addresses.length === 0
    ? undefined
    : PROXIES.find(([, ranges]) => addresses.every((address) => isInRanges(address, ranges)))?.[0];
