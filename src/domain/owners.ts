/** Lists brands and sending platforms, with the names and domains that belong to each. */

import table from './owners.json' with { type: 'json' };

interface Row {
  readonly name: string;
  /**
   * True if the name is an ordinary word. Such a word means the brand only together with other words, as in
   * "Chase Online".
   */
  readonly word?: boolean;
  /** The owner whose domains also count as domains of this name. */
  readonly of?: string;
  /** Letters that refer to `sources`. */
  readonly sources?: string;
  /** The sources do not list the domains in full. */
  readonly partial?: boolean;
  readonly domains?: string;
  /** Words that may appear in the names of other domains of the owner. */
  readonly stems?: string;
  /** The hosts of a sending platform, and the domains that it signs and bounces with. */
  readonly sends?: string;
  /** Domains under which the owner's customers have names of their own. */
  readonly tenants?: string;
}

const ROWS: readonly Row[] = table.owners;

/** A name, and what is known about its owner. */
export interface Owned {
  readonly name: string;
  readonly isWord: boolean;
  /** Registered domains, the hosts of its platforms, and endings that are the owner's alone (`.dhl`). */
  readonly domains: readonly string[];
  readonly stems: readonly string[];
  readonly tenants: readonly string[];
  /** True if only some of the domains are known, so that others may be the owner's too. */
  readonly partial: boolean;
}

const list = (text = ''): readonly string[] => (text === '' ? [] : text.split(' '));

const ownerOf = (row: Row): Row => ROWS.find(({ name }) => name === row.of) ?? row;

/** Rows by the name of their owner, with the platforms of each. */
const HOUSES = Map.groupBy(ROWS, (row) => ownerOf(row).name);

/** The domains of each owner, shared by all of its names. */
const DOMAINS = new Map(
  [...HOUSES].map(([name, house]) => [
    name,
    [...new Set(house.flatMap((row) => [...list(row.of ? '' : row.domains), ...list(row.sends)]))],
  ]),
);

/** The owners of names and domains: brands and sending platforms. Each owner's row names its sources. */
export const OWNED: readonly Owned[] = ROWS.map((row) => {
  const owner = ownerOf(row);
  const house = HOUSES.get(owner.name) ?? [owner];
  return {
    name: row.name,
    isWord: row.word ?? false,
    domains: DOMAINS.get(owner.name) ?? [],
    stems: list(owner.stems),
    tenants: house.flatMap(({ tenants }) => list(tenants)),
    partial: owner.partial ?? false,
  };
});

/**
 * Returns the hosts that a platform sends from, and the domains that it signs and bounces with. @throws if no
 * row has them
 */
export function sendingDomains(platform: string): readonly string[] {
  const sends = ROWS.find(({ name }) => name === platform)?.sends;
  if (sends === undefined) throw new Error(`owners.json: no row "${platform}" with sends`);
  return list(sends);
}
