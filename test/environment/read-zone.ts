import { readFile } from 'node:fs/promises';
import { parseZoneFile } from '../../src/client/lint/zone-file.ts';
import { cannotBe } from '../../src/config/command-line.ts';
import type { Zone, ZoneRecords } from './dns-zone.ts';

/** Reads a zone file in the form that `deliverability lint --dns` accepts and `dig` prints. */
export async function readZone(path: string): Promise<Zone> {
  const text = await readFile(path, 'utf8').catch(cannotBe('read', path));
  const zone: Record<string, Record<string, unknown>> = {};
  for (const { name, type, fields } of parseZoneFile(text)) {
    zone[name] ??= {};
    const records = zone[name];
    if (type === 'CNAME') records[type] = fields[0];
    else {
      const value = type === 'TXT' || type === 'SPF' ? fields : fields.join(' ');
      records[type] = [...((records[type] as unknown[]) ?? []), value];
    }
  }
  return zone as Readonly<Record<string, ZoneRecords>>;
}
