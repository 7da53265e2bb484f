/**
 * Limits how many new DNS queries per minute are sent about one registered domain, for one network and for
 * all networks together, so that nobody can flood a domain's servers through us. All threads share the
 * counters.
 */

import { randomInt } from 'node:crypto';
import { setNewest } from '../../domain/set-newest.ts';

const MINUTE_MS = 60_000;

/**
 * Maximum number of new queries per minute about one registered domain, from all clients together. A rate of
 * 40 per second burdens nobody's servers. One network may use a quarter of them. The last quarter is for
 * networks that made few queries, so that a flood cannot take it.
 */
const OF_DOMAIN = 2400;
const SHARED = 1800;
const OF_NETWORK = 600;
const FEW = 120;

/**
 * Time after which a query counts as new again, in milliseconds. Until then, its answer is still in our
 * resolver's cache.
 */
const KNOWN_MS = 5 * MINUTE_MS;

/** Number of queries that are remembered. The oldest is forgotten first. */
const MAX_KNOWN = 50_000;

/** Number of counters per row. With two rows, a wrong count needs two collisions at once. */
const COLUMNS = 8192;
const ROWS = 2;

/** The counters are preceded by the minute they count and the key of the hash. */
const MINUTE = 0;
const SEED = 1;
const HEADER = 2;

/**
 * Creates the counters that all threads share. The keys are hashed, so that nobody can choose which ones
 * collide.
 */
export function newNameCounts(): Int32Array<SharedArrayBuffer> {
  const bytes = (HEADER + ROWS * COLUMNS) * Int32Array.BYTES_PER_ELEMENT;
  const counts = new Int32Array(new SharedArrayBuffer(bytes));
  counts[SEED] = randomInt(2 ** 31);
  return counts;
}

function hash(text: string, seed: number): number {
  const value = fnv1a(text, seed);
  return (value ^ (value >>> 15)) >>> 0;
}

/**
 * Limits queries that nobody has caused recently. Such queries bypass the caches of resolvers and reach the
 * servers of a domain, which a sender may have chosen to flood through us (random subdomains).
 *
 * @param zoneOf returns the registered domain above a name
 */
export function createNewNames(
  zoneOf: (name: string) => string,
  counts: Int32Array<ArrayBufferLike> = newNameCounts(),
) {
  const known = new Map<string, number>();

  function cellsOf(key: string): readonly number[] {
    const seed = Atomics.load(counts, SEED);
    return Array.from(
      { length: ROWS },
      (_, row) => HEADER + row * COLUMNS + (hash(key, seed + row) % COLUMNS),
    );
  }

  const read = (cells: readonly number[]) =>
    Math.min(...cells.map((cell) => Atomics.load(counts, cell)));

  function startMinute(now: number): void {
    const minute = Math.floor(now / MINUTE_MS) % 2 ** 31;
    if (Atomics.exchange(counts, MINUTE, minute) !== minute) counts.fill(0, HEADER);
  }

  return {
    /**
     * Returns whether a name may be looked up, and counts the query if it is new.
     *
     * @param type the type of the record
     * @param network the widest network of the client
     * @param now milliseconds since 1970
     */
    admit(name: string, type: string, network: string, now: number): boolean {
      const query = `${type} ${name}`;
      if ((known.get(query) ?? 0) > now) return true;
      startMinute(now);
      const zone = zoneOf(name);
      const ofZone = cellsOf(zone);
      const ofNetwork = cellsOf(`${zone} ${network}`);
      const asked = read(ofNetwork);
      const limit = asked < FEW ? OF_DOMAIN : SHARED;
      if (asked >= OF_NETWORK || read(ofZone) >= limit) return false;

      for (const cell of [...ofZone, ...ofNetwork]) Atomics.add(counts, cell, 1);
      setNewest(known, query, now + KNOWN_MS, MAX_KNOWN);
      return true;
    },
  };
}

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Computes FNV-1a with 32 bits, as a signed number. It is fast, but strings that differ little get similar
 * hashes, which need further mixing.
 */
function fnv1a(text: string, seed = 0): number {
  let hash = seed ^ OFFSET;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}
