/**
 * Reads, writes, erases and lists the values of a NATS key-value bucket. Single values are read at the leader
 * of its stream.
 */

import { once } from 'node:events';
import type { JsMsg, StoredMsg } from '@nats-io/jetstream';
import { ServiceError } from '../../domain/errors.ts';
import { isEncoded, type Poison, type Recorded } from '../../ports/log.ts';
import type { LogConnection } from './connection.ts';
import { followStream } from './follow.ts';
import { codeOf, codes } from './outage.ts';
import { infoOf } from './read.ts';
import { readJson } from './read-json.ts';

/**
 * A bucket, created by `createStreams` with `allow_direct: false`, so that every read goes to the leader.
 */
export interface Bucket {
  /**
   * Returns the value and its revision. The value is `undefined` if it cannot be read. A deletion marker is
   * not a value.
   */
  get(key: string): Promise<{ readonly value: unknown; readonly revision: number } | undefined>;
  /** Returns whether the key has a message, without reading it. A deletion marker counts. */
  has(key: string): Promise<boolean>;
  /**
   * Stores a value if the key is still at `revision`, or has no value if that is `undefined`.
   *
   * @returns its revision; `lost` if somebody else was first, or our own attempt whose response was lost
   */
  put(key: string, value: object, revision: number | undefined): Promise<number | 'lost'>;
  /** Removes the value and overwrites its bytes. */
  erase(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Calls `onValue` for each value, with one request for all of them. */
  scan(onValue: (key: string, value: unknown) => void): Promise<void>;
}

/** Time limit for all values of a bucket, in milliseconds. */
const SCAN_MS = 60_000;

/** @param reaching how to wait for a value; by default, as for a caller who can wait for a few seconds */
export function openBucket(
  connection: LogConnection,
  name: string,
  reaching: LogConnection['reachAtStart'] = (_what, ask) => connection.reach(ask),
): Bucket {
  const { jsm, publish } = connection;
  const stream = `KV_${name}`;
  const prefix = `$KV.${name}.`;

  async function get(key: string) {
    const last = await reaching(stream, () => lastOf(key));
    if (!last || isMarker(last)) return undefined;
    return { value: parse(last), revision: last.seq };
  }

  return {
    get,
    has: async (key) => (await subjectsOf(key)).length > 0,
    async put(key, value, revision) {
      const body = isEncoded(value) ? value.json : JSON.stringify(value);
      const stored = await putAt(key, body, revision ?? 0);
      if (stored !== 'lost' || revision !== undefined) return stored;
      const last = await lastOf(key);
      return last && isMarker(last) ? putAt(key, body, last.seq) : 'lost';
    },
    async erase(key) {
      const last = await connection.reach(() => lastOf(key));
      if (last) await connection.reach(() => remove(key, last.seq));
    },
    async keys() {
      // This request has a short time limit, so that an unavailable server is noticed before a long bucket is
      // read.
      await connection.reach(() => infoOf(jsm, stream));
      return (await subjectsOf('>', SCAN_MS)).map((subject) => subject.slice(prefix.length));
    },
    async scan(onValue) {
      // This fails if the bucket is missing, whereas a follower would wait for it.
      await connection.reach(() => infoOf(jsm, stream));
      const following = followStream<unknown>(connection, {
        stream,
        toRecorded: (message) => toValue(message, prefix.length),
        onEvent: ({ id, event }) => onValue(id, event),
      });
      const late = AbortSignal.timeout(SCAN_MS);
      try {
        await Promise.race([following.ready, once(late, 'abort')]);
      } finally {
        await following.stop();
      }
      if (late.aborted) throw new ServiceError('log_unavailable');
    },
  };

  /** The client's own listing is not used, because it waits forever for an entry that cannot be read. */
  async function subjectsOf(keys: string, milliseconds?: number): Promise<readonly string[]> {
    const filter = { subjects_filter: `${prefix}${keys}` };
    const { state } = await connection.reach(() => infoOf(jsm, stream, filter), milliseconds);
    return Object.keys(state.subjects ?? {});
  }

  /**
   * @param revision sequence number of the key's last message, which may be a deletion marker; 0 if the key
   * has no message
   */
  async function putAt(
    key: string,
    body: string | Uint8Array,
    revision: number,
  ): Promise<number | 'lost'> {
    try {
      return await publish(`${prefix}${key}`, body, revision);
    } catch (error) {
      const code = codeOf(error);
      if (code === codes.wrongLastSequence || code === codes.wrongLastSequenceUnknown)
        return 'lost';
      throw error;
    }
  }

  function lastOf(key: string): Promise<StoredMsg | null> {
    return jsm.streams.getMessage(stream, { last_by_subj: `${prefix}${key}` });
  }

  async function remove(key: string, seq: number): Promise<void> {
    try {
      await jsm.streams.deleteMessage(stream, seq, true);
    } catch (error) {
      // Another replica may have removed the message, so that this sequence number no longer has one.
      if ((await lastOf(key))?.seq === seq) throw error;
    }
  }
}

/**
 * Returns whether a message marks a deletion: such a message has no body. Its headers are not checked,
 * because they may be what the disk has damaged.
 */
const isMarker = ({ data }: StoredMsg) => data.length === 0;

function parse(message: StoredMsg): unknown {
  try {
    return readJson(message);
  } catch {
    return undefined;
  }
}

/** Returns a value, or poison for a deletion marker or a message that cannot be read. */
function toValue(message: JsMsg, prefix: number): Recorded<unknown> | Poison {
  const { subject, seq, time } = message;
  const id = subject.slice(prefix);
  try {
    return { id, seq, time: time.getTime(), event: readJson(message) };
  } catch {
    return { id, seq, fault: 'unreadable' };
  }
}
