import { isPublicAddress } from '../addresses.ts';
import type { Facts } from '../facts.ts';
import { type LookupResult, unseen } from '../lookup-result.ts';

/** The sending IP where others can see it; a private one says nothing of DNS. */
export const publicIp = (ip: string | null): string | null =>
  ip !== null && isPublicAddress(ip) ? ip : null;

/** What is asked of the sending IP; of a private one nothing can be known. */
export const ofPublicIp = <T>(
  { connection: { ip } }: Facts,
  lookup: LookupResult<T>,
): LookupResult<T> =>
  ip !== null && publicIp(ip) === null
    ? unseen(`connection: ${ip} is a private address, and the public one is not seen`)
    : lookup;
