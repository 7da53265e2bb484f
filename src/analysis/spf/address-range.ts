/** Reads an SPF term that names a range of addresses, for which SPF has no form but networks. */

const NETWORK = String.raw`((?:\d{1,3}\.){3})`;

/** Matches `ip4:192.0.2.4-192.0.2.11` and `ip4:192.0.2.4-11`. */
const RANGE = new RegExp(
  String.raw`^([-~?+]?)ip(?:v?4)?[:=]${NETWORK}(\d{1,3})-${NETWORK}?(\d{1,3})$`,
  'i',
);

/**
 * Returns the terms that together contain exactly the addresses of a range, or null if the text is not a range
 * within 256 addresses.
 */
export function readRange(text: string): string | null {
  const [, sign, network, first, otherNetwork = network, last] = RANGE.exec(text) ?? [];
  if (network === undefined || network !== otherNetwork) return null;
  const end = Number(last);
  const terms: string[] = [];
  for (let at = Number(first), size = 1; at <= end && end < 256; at += size) {
    size = 1;
    while (at % (2 * size) === 0 && at + 2 * size - 1 <= end && size < 256) size *= 2;
    terms.push(`${sign}ip4:${network}${at}${size > 1 ? `/${32 - Math.log2(size)}` : ''}`);
  }
  return terms.length > 0 ? terms.join(' ') : null;
}
