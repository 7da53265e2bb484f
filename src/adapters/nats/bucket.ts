import { once } from 'node:events';
import type { JsMsg, StoredMsg } from '@nats-io/jetstream';
import { ServiceError } from '../../domain/errors.ts';
import { isEncoded, type Poison, type Recorded } from '../../ports/log.ts';
import type { LogConnection } from './connection.ts';
import { followStream } from './follow.ts';
import { codeOf, codes } from './outage.ts';
import { infoOf } from './read.ts';
import { readJson } from './read-json.ts';

/** One bucket, created by `createStreams` with `allow_direct: false`: every read is the leader's. */
export interface Bucket {
  /** The value there is and its revision, `undefined` one that cannot be read; a deletion's marker is no value. */
  get(key: string): Promise<{ readonly value: unknown; readonly revision: number } | undefined>;
  /** Whether the key has a message, without reading it; a deletion's marker is one. */
  has(key: string): Promise<boolean>;
  /**
   * Stores when the key still is at `revision`; `undefined`: when it has no value.
   *
   * @returns its revision; `lost`: somebody else was first, or our own attempt whose answer was lost
   */
  put(key: string, value: object, revision: number | undefined): Promise<number | 'lost'>;
  /** Removes the value and overwrites its bytes. */
  erase(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /** Calls with each value there is: one request for all of them. */
  scan(onValue: (key: string, value: unknown) => void): Promise<void>;
}

/** For all values of a bucket, in milliseconds. */
const SCAN_MS = 60_000;

/** @param reaching how a value is waited for; as a caller waits, who has seconds, where it is not said */
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
      // What is away is known sooner than what is long.
      await connection.reach(() => infoOf(jsm, stream));
      return (await subjectsOf('>', SCAN_MS)).map((subject) => subject.slice(prefix.length));
    },
    async scan(onValue) {
      // A follower would wait for a bucket that is absent.
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

  /** Not by the client's own listing: that waits forever for a line that cannot be read. */
  async function subjectsOf(keys: string, milliseconds?: number): Promise<readonly string[]> {
    const filter = { subjects_filter: `${prefix}${keys}` };
    const { state } = await connection.reach(() => infoOf(jsm, stream, filter), milliseconds);
    return Object.keys(state.subjects ?? {});
  }

  /** @param revision of the key's last message, which may be a deletion's marker; 0: the key has no message */
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
      // Done by another replica: then there is nothing at that sequence any more.
      if ((await lastOf(key))?.seq === seq) throw error;
    }
  }
}

/** A deletion leaves a message without a body. Its headers may be what the disk has hurt. */
const isMarker = ({ data }: StoredMsg) => data.length === 0;

function parse(message: StoredMsg): unknown {
  try {
    return readJson(message);
  } catch {
    return undefined;
  }
}

/** A value; or a deletion's marker, or what cannot be read. */
function toValue(message: JsMsg, prefix: number): Recorded<unknown> | Poison {
  const { subject, seq, time } = message;
  const id = subject.slice(prefix);
  try {
    return { id, seq, time: time.getTime(), event: readJson(message) };
  } catch {
    return { id, seq, fault: 'unreadable' };
  }
}
