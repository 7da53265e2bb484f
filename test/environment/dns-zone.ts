/** Defines the form of a DNS zone, and looks up answers in it as a recursive resolver would. */

/** The records of one name. Text longer than 255 octets is split into strings, as a zone file would do. */
export interface ZoneRecords {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  /** TXT records. A list is one record of several strings. */
  readonly TXT?: readonly (string | readonly string[])[];
  /** The obsolete type 99 (RFC 7208 §3.1). */
  readonly SPF?: readonly (string | readonly string[])[];
  /** `10 mail.example.com`; `0 .` is a null MX. */
  readonly MX?: readonly string[];
  readonly PTR?: readonly string[];
  readonly NS?: readonly string[];
  /** TLSA records: `3 1 1` followed by hex. */
  readonly TLSA?: readonly string[];
  /** Must be alone at its name (RFC 1034 §3.6.2). */
  readonly CNAME?: string;
  /** DNSSEC does not prove it, as it does everything else. */
  readonly unsigned?: true;
}

/**
 * How a name can fail. `TIMEOUT`: no answer at all; `FORMERR`: the server does not know EDNS; `BOGUS`: DNSSEC
 * fails.
 */
export type DnsFault = 'SERVFAIL' | 'REFUSED' | 'NOTIMP' | 'FORMERR' | 'TIMEOUT' | 'BOGUS';

/** Lower-case names without a final dot. The root is `.`, and `*.` begins a wildcard. */
export type Zone = Readonly<Record<string, ZoneRecords | DnsFault>>;

export type ZoneType = Exclude<keyof ZoneRecords, 'unsigned'>;

/** A record of an answer, in the zone's own words. */
export interface ZoneRecord {
  readonly name: string;
  readonly type: ZoneType;
  readonly value: string | readonly string[];
}

/** `found` may contain only CNAMEs, if the target is elsewhere or has no such record. */
export type ZoneAnswer =
  | {
      readonly rcode: 'NOERROR' | 'NXDOMAIN';
      readonly records: readonly ZoneRecord[];
      readonly unsigned?: boolean;
    }
  | { readonly rcode: DnsFault };

/** Number of CNAMEs followed for one question. A resolver in front of us gives up at about this number. */
const MAX_CNAMES = 16;

const ROOT: ZoneRecords = { NS: ['a.root-servers.example'] };

/**
 * Returns a recursive resolver's answer from this zone. A name with names below it exists without records of
 * its own (RFC 8020), which DMARC's `np=` tells from a name that does not exist.
 */
export function answerFromZone(zone: Zone, question: string, type: string): ZoneAnswer {
  const records: ZoneRecord[] = [];
  let name = question;
  let unsigned = false;
  for (let step = 0; step <= MAX_CNAMES; step += 1) {
    const held = heldAt(zone, name);
    if (held === undefined)
      return { rcode: exists(zone, name) ? 'NOERROR' : 'NXDOMAIN', records, unsigned };
    if (typeof held === 'string') return { rcode: held };
    unsigned ||= held.unsigned === true;
    if (held.CNAME === undefined || type === 'CNAME')
      return {
        rcode: 'NOERROR',
        records: [...records, ...recordsOf(name, held, type)],
        unsigned,
      };
    // Some servers give what stands beside a CNAME, where nothing may (RFC 1034 §3.6.2).
    records.push({ name, type: 'CNAME', value: held.CNAME }, ...recordsOf(name, held, type));
    name = held.CNAME.toLowerCase();
  }
  return { rcode: 'SERVFAIL' };
}

/** A name exists if it, or a name below it, has records (RFC 8020). */
const exists = (zone: Zone, name: string): boolean =>
  Object.hasOwn(zone, name) || Object.keys(zone).some((other) => other.endsWith(`.${name}`));

/**
 * Returns the records at a name. A wildcard answers only below the last parent that exists (RFC 4592 §3.3.1).
 */
function heldAt(zone: Zone, name: string): ZoneRecords | DnsFault | undefined {
  if (name === '.') return zone[name] ?? ROOT;
  if (exists(zone, name)) return zone[name];
  const labels = name.split('.');
  const parents = labels.map((_, at) => labels.slice(at + 1).join('.'));
  return zone[`*.${parents.find((parent) => exists(zone, parent))}`];
}

function recordsOf(name: string, held: ZoneRecords, type: string): ZoneRecord[] {
  if (!Object.hasOwn(held, type)) return [];
  const values = held[type as ZoneType] ?? [];
  return (typeof values === 'string' ? [values] : values).map((value) => ({
    name,
    type: type as ZoneType,
    value,
  }));
}
