import { randomInt } from 'node:crypto';
import { setNewest } from '../../domain/set-newest.ts';

const MINUTE_MS = 60_000;

/**
 * New queries about one registered domain in a minute, of all clients together: 40 a second burden
 * nobody's servers. One network has a quarter of them, and the last quarter is for networks that asked
 * for few: who floods cannot take them.
 */
const OF_DOMAIN = 2400;
const SHARED = 1800;
const OF_NETWORK = 600;
const FEW = 120;

/** How long a query is not new any more, in milliseconds: the resolver in front has its answer. */
const KNOWN_MS = 5 * MINUTE_MS;

/** Queries remembered; the oldest goes first. */
const MAX_KNOWN = 50_000;

/** Counters in one row. With two rows, a wrong count needs two collisions at once. */
const COLUMNS = 8192;
const ROWS = 2;

/** In front of the counters: the minute they are of, and the key of the hash. */
const MINUTE = 0;
const SEED = 1;
const HEADER = 2;

/** Counts of all threads: the keys are hashed, so that nobody can choose what collides. */
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
 * Limits the queries that nobody caused lately: those pass the caches of resolvers and reach the servers
 * of a domain, which a sender may have chosen to be flooded through us (random subdomains).
 *
 * @param zoneOf the domain that someone registered, above a name
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
     * Whether a name may be asked for; counts the query, if it is new.
     *
     * @param type of the record
     * @param network the widest one of the client
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

/** FNV-1a in 32 bits, as a signed number: quick, and to be mixed where neighbours must differ. */
function fnv1a(text: string, seed = 0): number {
  let hash = seed ^ OFFSET;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}
