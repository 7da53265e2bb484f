import ipaddr from 'ipaddr.js';

/** One spelling for each address, so that two can be compared; `null` when it is not an address. */
export const canonicalIp = (ip: string): string | null =>
  ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;

export const isAddress = (text: string): boolean => ipaddr.isValid(text);

/** Ranges that nobody beyond one network can reach. Documentation ranges are let be: nobody owns them. */
const NOWHERE = new Set([
  'unspecified',
  'broadcast',
  'multicast',
  'loopback',
  'linkLocal',
  'private',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Whether an address can be reached from elsewhere. */
export const isPublicAddress = (ip: string): boolean =>
  ipaddr.isValid(ip) && !NOWHERE.has(ipaddr.process(ip).range());

/** Whether two texts name one address: IPv6 has many spellings of each. */
export const isSameAddress = (one: string, two: string): boolean => {
  const left = canonicalIp(one);
  return left !== null && left === canonicalIp(two);
};

/** `ip` as a DNS client asks for it: 4 bytes or 16 as lower-case hex; `null` when it is not an address. */
export const hexOf = (ip: string): string | null =>
  ipaddr.isValid(ip)
    ? ipaddr
        .process(ip)
        .toByteArray()
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join('')
    : null;
