/**
 * Answers DNS queries from the records of a zone file, and tells whether a record that the file lacks is
 * absent or unknown.
 */

import { organizationalDomain } from '../../analysis/names/domain-names.ts';
import type { ZoneFileRecord } from './zone-file.ts';

/** The zone file's answer about one name and type. `alias` means that the answer is at another name. */
type ZoneAnswer =
  | { readonly status: 'found'; readonly records: readonly ZoneFileRecord[] }
  | {
      readonly status: 'alias';
      readonly target: string;
      /** TXT records at the name of the alias itself, which no DNS server returns. */
      readonly beside: readonly string[];
    }
  | { readonly status: 'nodata' | 'nxdomain' };

export interface Zone {
  /** Returns the answer for a name and type, or `undefined` if the file does not show it. */
  answer(name: string, type: string): ZoneAnswer | undefined;
  /** True if the file contains the whole DNS, which is the case if it has a record of the root. */
  readonly isWholeDns: boolean;
}

const ROOT = '.';

/**
 * Creates a zone that answers from the records of a file. A record that is missing from the file is known to
 * be absent only if its zone is complete: a zone that the user named, one that was transferred, or the root.
 * A CNAME applies to all types at its name.
 *
 * @param wholeZones names of zones of which the file contains every record
 */
export function createZone(
  records: readonly ZoneFileRecord[],
  wholeZones: readonly string[] = [],
): Zone {
  const byName = Map.groupBy(records, ({ name }) => name);
  const isWholeDns = isOwnRoot(byName.get(ROOT) ?? []) || wholeZones.includes(ROOT);
  const whole = new Set([...transferred(records), ...wholeZones, ...(isWholeDns ? [ROOT] : [])]);
  // A name with other names below it exists even if it has no records of its own (RFC 8020).
  const existing = new Set([...byName.keys(), ...whole].flatMap(withParents));
  const organizations = new Set([...byName.keys()].map(organizationalDomain));
  const above = new Set([...organizations].flatMap((name) => withParents(name).slice(1)));
  const has = (name: string, type: string) =>
    byName.get(name)?.some((record) => record.type === type) === true;

  const heldAt = (name: string, type: string): ZoneAnswer | undefined => {
    const held = byName.get(name) ?? [];
    const alias = type === 'CNAME' ? undefined : held.find((one) => one.type === 'CNAME');
    const found = held.filter((one) => one.type === type);
    if (alias) {
      const beside = type === 'TXT' ? found.map(({ fields }) => fields.join('')) : [];
      return { status: 'alias', target: alias.fields[0] ?? '', beside };
    }
    return found.length > 0 ? { status: 'found', records: found } : undefined;
  };

  /** Returns the alias that results from a DNAME above a name (RFC 6672 §2.2). */
  const renamedAt = (name: string): ZoneAnswer | undefined => {
    for (const parent of withParents(name).slice(1)) {
      const target = byName.get(parent)?.find(({ type }) => type === 'DNAME')?.fields[0];
      if (target !== undefined)
        return { status: 'alias', target: `${name.slice(0, -parent.length)}${target}`, beside: [] };
    }
    return undefined;
  };

  /**
   * Returns the complete zone that answers for a name, or `undefined` if the name lies in a part that is
   * delegated to other servers.
   */
  const zoneOf = (name: string): string | undefined => {
    const path = withParents(name);
    const zone = path.find((one) => whole.has(one));
    if (zone === undefined || zone === ROOT) return zone;
    const below = path.slice(0, path.indexOf(zone));
    const isElsewhere = below.some((one) => has(one, 'NS'));
    return isElsewhere ? undefined : zone;
  };

  const absentAt = (name: string, type: string): ZoneAnswer => {
    if (existing.has(name)) return { status: 'nodata' };
    // A wildcard applies only directly below the closest parent that exists (RFC 4592 §3.3.1).
    const parent = withParents(name).find((one) => existing.has(one)) ?? ROOT;
    const wildcard = parent === ROOT ? '*' : `*.${parent}`;
    return heldAt(wildcard, type) ?? { status: byName.has(wildcard) ? 'nodata' : 'nxdomain' };
  };

  return {
    isWholeDns,
    answer(name, type) {
      const held = heldAt(name, type) ?? renamedAt(name);
      if (held) return held;
      if (zoneOf(name) !== undefined) return absentAt(name, type);
      // Registries publish no DMARC policy for their customers, so this record counts as absent even if the
      // zone file does not show it.
      const isAbove = name.startsWith('_dmarc.') && above.has(name.slice('_dmarc.'.length));
      return isAbove ? { status: 'nodata' } : undefined;
    },
  };
}

/** Returns a name and all of its parents, with the root last. */
const withParents = (name: string): readonly string[] => {
  const labels = name === ROOT ? [] : name.split('.');
  return [...labels.map((_, from) => labels.slice(from).join('.')), ROOT];
};

/**
 * Returns whether the records of the root are the user's own. Those of the real root appear in the output of
 * `dig +trace`, and in answers for names that do not exist.
 */
const isOwnRoot = (records: readonly ZoneFileRecord[]): boolean =>
  records.length > 0 &&
  !records.some(({ fields }) => fields.some((one) => /\.root-servers\.net\.?$/i.test(one)));

/**
 * Returns the names of zones that were transferred (RFC 5936 §2.2): each begins and ends with the same SOA,
 * with its NS records in between. A single SOA shows nothing, because it also accompanies every negative
 * answer.
 */
function transferred(records: readonly ZoneFileRecord[]): readonly string[] {
  const [first] = records;
  if (first?.type !== 'SOA') return [];
  const { name } = first;
  const data = first.fields.join(' ');
  const last = records.findIndex(
    (one, i) => i > 1 && one.type === 'SOA' && one.name === name && one.fields.join(' ') === data,
  );
  const isOwn = (one: ZoneFileRecord) => one.name === name || one.name.endsWith(`.${name}`);
  const between = records.slice(1, last);
  const isZone =
    between.every(isOwn) && between.some((one) => one.type === 'NS' && one.name === name);
  if (last < 0 || !isZone) return [];
  return [name, ...transferred(records.slice(last + 1))];
}
