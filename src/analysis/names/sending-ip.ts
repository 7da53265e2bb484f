import { isPublicAddress } from '../addresses.ts';
import { type Facts, type LookupResult, unknown } from '../facts.ts';

/** The sending IP where others can see it; a private one says nothing of DNS. */
export const publicIp = (ip: string | null): string | null =>
  ip !== null && isPublicAddress(ip) ? ip : null;

/** What is asked of the sending IP; of a private one nothing can be known. */
export const ofPublicIp = <T>(
  { connection: { ip } }: Facts,
  lookup: LookupResult<T>,
): LookupResult<T> =>
  ip !== null && publicIp(ip) === null
    ? unknown(`connection: ${ip} is a private address, and the public one is not seen`)
    : lookup;

/** A fix, and what its `IP` stands for when the mail came from a private address. */
export const notePrivateAddress = (fix: string, { names: { ip } }: Facts): string =>
  ip !== null && publicIp(ip) === null && /\bip[46]:IP\b|\bA{1,4} \S+ IP\b/.test(fix)
    ? `${fix} IP is your public address: the mail came from ${ip}, which is private, and the public one is not seen.`
    : fix;
