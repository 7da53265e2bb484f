import { ServiceError } from '../../domain/errors.ts';
import type { Projected, Projection } from '../../ports/log.ts';
import { openBucket } from './bucket.ts';
import type { LogConnection } from './connection.ts';
import { codeOf, codes, reach } from './outage.ts';

interface Options<V> {
  /** `status` or `reports`; created by `createStreams`. */
  readonly bucket: string;
  readonly isValue: (value: unknown) => value is V;
}

/** A view in a bucket. Every replica may write it: the newest sequence wins, and not the last writer. */
export function kvProjection<V extends Projected>(
  connection: LogConnection,
  { bucket: name, isValue }: Options<V>,
): Projection<V> {
  const bucket = openBucket(connection, name);

  async function putOnce(key: string, value: V): Promise<'written' | 'skipped'> {
    for (;;) {
      const there = await bucket.get(key);
      // What cannot be read is not newer than anything.
      if (there && isValue(there.value) && there.value.seq >= value.seq) return 'skipped';
      if ((await bucket.put(key, value, there?.revision)) === 'stored') return 'written';
    }
  }

  return {
    async get(key) {
      const there = await bucket.get(key);
      return there && isValue(there.value) ? there.value : undefined;
    },
    async put(key, value) {
      try {
        return await reach(() => putOnce(key, value));
      } catch (cause) {
        if (codeOf(cause) !== codes.storeFailed) throw cause;
        throw new ServiceError('log_unavailable', { detail: 'A view is full.', cause });
      }
    },
    erase: (key) => bucket.erase(key),
    keys: () => bucket.keys(),
    scan: (onValue) =>
      bucket.scan((key, value) => {
        if (isValue(value)) onValue(key, value);
      }),
  };
}
