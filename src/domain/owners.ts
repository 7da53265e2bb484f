/**
 * Reads the brands and sending platforms from `owners.json`, and gives each the domains of its owner, those
 * under which the owner's customers have names of their own, and those that a platform sends from.
 */

import table from './owners.json' with { type: 'json' };

interface Row {
  readonly name: string;
  /**
   * True if the name is an ordinary word. Such a word refers to the brand only together with other words, as
   * in "Chase Online".
   */
  readonly word?: boolean;
  /** Name of the owner whose domains also count as domains of this name. */
  readonly of?: string;
  /** Letters that refer to the entries of `sources` in `owners.json`. */
  readonly sources?: string;
  /** True if the sources do not list all of the owner's domains. */
  readonly partial?: boolean;
  readonly domains?: string;
  /** Words that may appear in the names of the owner's other domains. */
  readonly stems?: string;
  /** The host names of a sending platform, and the domains that it uses for DKIM signatures and bounces. */
  readonly sends?: string;
  /** Domains under which the owner's customers have names of their own. */
  readonly tenants?: string;
}

const ROWS: readonly Row[] = table.owners;

/** A brand or platform, with what is known about its owner. */
export interface Owned {
  readonly name: string;
  readonly isWord: boolean;
  /**
   * The owner's registered domains, the hosts of its platforms, and top-level domains of its own (`.dhl`).
   */
  readonly domains: readonly string[];
  readonly stems: readonly string[];
  readonly tenants: readonly string[];
  /** True if only some of the owner's domains are known, so that other domains may be the owner's too. */
  readonly partial: boolean;
}

const list = (text = ''): readonly string[] => (text === '' ? [] : text.split(' '));

const ownerOf = (row: Row): Row => ROWS.find(({ name }) => name === row.of) ?? row;

/** All rows grouped by the name of their owner, so that an owner's platforms are included. */
const HOUSES = Map.groupBy(ROWS, (row) => ownerOf(row).name);

/** The domains of each owner, shared by all of the owner's names. */
const DOMAINS = new Map(
  [...HOUSES].map(([name, house]) => [
    name,
    [...new Set(house.flatMap((row) => [...list(row.of ? '' : row.domains), ...list(row.sends)]))],
  ]),
);

/**
 * Brands and sending platforms, with the domains of their owners. Each row of `owners.json` names its
 * sources.
 */
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
 * Returns the host names that a platform sends from, and the domains that it uses for DKIM signatures and
 * bounces.
 * @throws if no row of `owners.json` has them
 */
export function sendingDomains(platform: string): readonly string[] {
  const sends = ROWS.find(({ name }) => name === platform)?.sends;
  if (sends === undefined) throw new Error(`owners.json: no row "${platform}" with sends`);
  return list(sends);
}
