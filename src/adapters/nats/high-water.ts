/**
 * Records how far each stream has come, in a bucket and in a file outside the server's store, and detects
 * from these marks that a stream has lost messages.
 */

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { millis } from '@nats-io/transport-node';
import { isMark, type Mark } from '../../domain/high-water-marks.ts';
import type { LogConnection } from './connection.ts';
import { codeOf, codes } from './outage.ts';
import { kvProjection } from './projection.ts';
import { infoOf } from './read.ts';

/** Streams whose events are stored nowhere else. */
const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS'] as const;

type Ends = Readonly<Record<string, Mark>>;

const keyOf = (stream: string) => `end_of_${stream}`;

/** Key of the time, in milliseconds since 1970, when the current state was last accepted as complete. */
const ACCEPTED = 'accepted';

/** Marks that are kept outside the store of the log. */
export interface MarksFile {
  readonly path: string;
  /**
   * True if the store is next to the file. In that case, the file also applies to a stream that was created
   * again.
   */
  readonly isOfOneStore: boolean;
}

/** Returns the current end of each stream. A missing stream ends at 0. */
export async function readEnds(connection: LogConnection): Promise<Ends> {
  const ends: Record<string, Mark> = {};
  for (const stream of STREAMS)
    ends[stream] = await connection.reachAtStart(stream, () => readEnd(stream));
  return ends;

  async function readEnd(stream: string): Promise<Mark> {
    try {
      const { state, config, ts, created: made } = await infoOf(connection.jsm, stream);
      const created = String(made);
      const { last_seq: seq, messages } = state;
      // Nothing is ever removed from PAYMENTS, so that each sequence number without a message was lost.
      if (stream === 'PAYMENTS') return { seq, missing: seq - messages, created };
      const age = Date.parse(String(ts)) - Date.parse(String(state.last_ts));
      const isAsked = stream === 'TESTS' && age < millis(config.max_age);
      return { seq, missing: isAsked && (await isEndLost(stream, seq)) ? 1 : 0, created };
    } catch (error) {
      if (codeOf(error) === codes.streamNotFound) return { seq: 0, missing: 0 };
      throw error;
    }
  }

  /**
   * Returns whether the last message of TESTS is lost. That message either belongs to a test that has not
   * ended or is the test's end, so that only age removes it. A server that finds other files instead of its
   * own empties the stream and keeps its sequence number.
   */
  async function isEndLost(stream: string, seq: number): Promise<boolean> {
    if (seq === 0 || (await connection.jsm.streams.getMessage(stream, { seq }))) return false;
    const { state } = await infoOf(connection.jsm, stream, { deleted_details: true });
    // A message that exists but cannot be read freezes only its own test. If other messages follow it, it may
    // have been erased by now.
    return state.last_seq === seq && (state.messages === 0 || !!state.deleted?.includes(seq));
  }
}

/** Returns how many messages a stream has lost. */
export const missingOf = (mark: Mark, { seq, missing }: Mark): number =>
  Math.max(0, mark.seq - seq) + Math.max(0, missing - mark.missing);

/** Describes what the streams have lost, in one line per stream. */
export function findLosses(marks: Ends, ends: Ends): readonly string[] {
  return Object.entries(ends).flatMap(([stream, { seq, missing }]) => {
    const mark = marks[stream] ?? { seq: 0, missing: 0 };
    if (seq < mark.seq) return [`${stream} ends at ${seq}, but ended at ${mark.seq} before`];
    if (missing > mark.missing)
      return [`${stream} lacks ${missing - mark.missing} of its ${seq} messages`];
    return [];
  });
}

/**
 * Records how far each stream has come, outside the streams themselves. After a crash, a server that cannot
 * read its files truncates them and starts as if nothing had been there. With `file`, the marks are also kept
 * outside the server's store, because an older copy may replace that store, or the stores of most nodes in a
 * cluster. A loss that was accepted applies to the files of all replicas.
 */
export function highWater(connection: LogConnection, file?: MarksFile) {
  let accepted: Mark | undefined;
  let isOfOtherLog = false;
  const marks = kvProjection(connection, {
    ...{ bucket: 'marks', isValue: isMark },
    reaching: connection.reachAtStart,
  });

  async function fromBucket(key: string): Promise<Mark | undefined> {
    try {
      return await marks.get(key);
    } catch (error) {
      // The bucket does not exist at the very first start.
      if (codeOf(error) === codes.streamNotFound) return undefined;
      throw error;
    }
  }

  async function fromFile(): Promise<Ends> {
    try {
      const stored: unknown = JSON.parse(await readFile(file?.path ?? '', 'utf8'));
      return Object.fromEntries(Object.entries(stored ?? {}).filter(([, one]) => isMark(one)));
    } catch {
      return {};
    }
  }

  /** A file says nothing about another log, or about losses that were accepted since it was written. */
  async function fromFileOf(ends: Ends): Promise<Ends> {
    const stored = await fromFile();
    accepted = await fromBucket(ACCEPTED);
    if ((stored[ACCEPTED]?.seq ?? 0) < (accepted?.seq ?? 0)) return {};
    // A stream that does not exist is lost rather than another one: an empty server is not another log.
    const isOfIt = ([stream, { created }]: [string, Mark]) =>
      file?.isOfOneStore || [created, undefined].includes(ends[stream]?.created);
    isOfOtherLog = STREAMS.some((name) => {
      const mark = stored[name];
      return mark !== undefined && mark.seq > 0 && !isOfIt([name, mark]);
    });
    return Object.fromEntries(Object.entries(stored).filter(isOfIt));
  }

  async function toFile(ends: Ends): Promise<void> {
    if (file === undefined) return;
    const { path } = file;
    await mkdir(dirname(path), { recursive: true });
    const text = JSON.stringify({ ...ends, ...(accepted && { [ACCEPTED]: accepted }) });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  return {
    /**
     * Returns the highest mark of each stream, from the bucket and from the file, as far as the file applies
     * to these streams.
     */
    async read(ends: Ends): Promise<Ends> {
      const read = await fromFileOf(ends);
      const highest: Record<string, Mark> = {};
      for (const stream of STREAMS) {
        const [one, other] = [await fromBucket(keyOf(stream)), read[stream]];
        const mark = (other?.seq ?? 0) > (one?.seq ?? 0) ? other : one;
        if (mark) highest[stream] = mark;
      }
      return highest;
    },
    /** Returns whether `read` found a file about streams that this server does not have. */
    isOfOtherLog: () => isOfOtherLog,
    /** Raises the marks and never lowers them: the newest mark of any replica counts. */
    async raise(ends: Ends): Promise<void> {
      for (const [stream, end] of Object.entries(ends)) await marks.put(keyOf(stream), end);
      await toFile(ends);
    },
    /** Accepts the current state as complete, whatever the files of replicas say. */
    async reset(ends: Ends): Promise<void> {
      for (const [stream, end] of Object.entries(ends)) {
        await marks.erase(keyOf(stream));
        await marks.put(keyOf(stream), end);
      }
      // This time must be later than the last one, even if the clock is behind the clock that was used then.
      const last = (await fromBucket(ACCEPTED))?.seq ?? 0;
      accepted = { seq: Math.max(Date.now(), last + 1), missing: 0 };
      await marks.put(ACCEPTED, accepted);
      // If a file cannot be written now, its content is older than the acceptance, and is therefore ignored.
      await toFile(ends).catch(() => {});
    },
  };
}
