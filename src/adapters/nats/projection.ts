/**
 * Reads, writes and erases entries in a key-value bucket to which every replica may write: for each key, the
 * newest sequence number wins.
 */

import { ServiceError } from '../../domain/errors.ts';
import { setNewest } from '../../domain/set-newest.ts';
import type { Encoded, Projected, Projection } from '../../ports/log.ts';
import { openBucket } from './bucket.ts';
import type { LogConnection } from './connection.ts';
import { codeOf, codes } from './outage.ts';

interface Options<V> {
  /** Name of a bucket that `createStreams` creates, such as `status` or `reports`. */
  readonly bucket: string;
  readonly isValue: (value: unknown) => value is V;
  /** How to wait for a value; `reach` by default. */
  readonly reaching?: LogConnection['reachAtStart'];
}

/** Number of values whose revision is remembered. The oldest are forgotten first. */
const MAX_KNOWN = 10_000;

/**
 * Opens a bucket of values. Every replica may write them: the newest sequence number wins, not the last
 * writer.
 */
export function kvProjection<V extends Projected>(
  connection: LogConnection,
  { bucket: name, isValue, reaching }: Options<V>,
): Projection<V> {
  type Stored = V | (Encoded & Projected);
  const bucket = openBucket(connection, name, reaching);

  /** The revisions of the values that this process last wrote. Often nobody else has written since. */
  const known = new Map<string, { readonly seq: number; readonly revision: number }>();

  async function write(key: string, value: Stored, revision: number | undefined): Promise<boolean> {
    const stored = await bucket.put(key, value, revision);
    known.delete(key);
    if (stored === 'lost') return false;
    setNewest(known, key, { seq: value.seq, revision: stored }, MAX_KNOWN);
    return true;
  }

  async function putOnce(key: string, value: Stored): Promise<'written' | 'skipped'> {
    const last = known.get(key);
    const mayBeNewer = !last || last.seq < value.seq;
    if (mayBeNewer && (await write(key, value, last?.revision))) return 'written';
    for (;;) {
      const there = await bucket.get(key);
      // A value that cannot be read is not newer than any other.
      if (there && isValue(there.value) && there.value.seq >= value.seq) return 'skipped';
      if (await write(key, value, there?.revision)) return 'written';
    }
  }

  return {
    async get(key) {
      const there = await bucket.get(key);
      return there && isValue(there.value) ? there.value : undefined;
    },
    has: (key) => bucket.has(key),
    async put(key, value) {
      try {
        return await connection.reach(() => putOnce(key, value));
      } catch (cause) {
        if (codeOf(cause) !== codes.storeFailed) throw cause;
        throw new ServiceError('log_unavailable', { detail: 'A bucket is full.', cause });
      }
    },
    async erase(key) {
      known.delete(key);
      await bucket.erase(key);
    },
    keys: () => bucket.keys(),
    scan: (onValue) =>
      bucket.scan((key, value) => {
        if (isValue(value)) onValue(key, value);
      }),
  };
}
