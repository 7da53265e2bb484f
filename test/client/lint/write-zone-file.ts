/** Writes DNS records as a zone file, for the tests of `deliverability lint`. */

import type { Zone, ZoneRecords } from '../../environment/dns-zone.ts';

const quote = (text: string) =>
  `"${[...Buffer.from(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
        ? `\\${String(byte).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')}"`;

/** Returns a text as a name server would send it: in strings of at most 255 octets. */
const stringsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const parts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, i) =>
    bytes.subarray(i * 255, (i + 1) * 255).toString('latin1'),
  );
  return parts.map((part) => Buffer.from(part, 'latin1').toString());
};

const dataOf = (type: string, value: string | readonly string[]): string => {
  if (type === 'TXT' || type === 'SPF')
    return (typeof value === 'string' ? stringsOf(value) : value).map(quote).join(' ');
  const text = String(value);
  return ['A', 'AAAA', 'TLSA'].includes(type) || text.endsWith('.') ? text : `${text}.`;
};

/** Returns a zone literal as a master file, with a record at the root, so that it is the whole DNS. */
export function writeZoneFile(zone: Zone): string {
  const lines = ['. NS a.root-servers.example.'];
  for (const [name, { unsigned: _, ...held }] of Object.entries(zone) as [string, ZoneRecords][]) {
    if (Object.keys(held).length === 0) lines.push(`${name}. HINFO "exists" "without records"`);
    for (const [type, values] of Object.entries(held))
      for (const value of typeof values === 'string' ? [values] : values)
        lines.push(`${name === '.' ? '' : name}. 300 IN ${type} ${dataOf(type, value)}`);
  }
  return `${lines.join('\n')}\n`;
}
