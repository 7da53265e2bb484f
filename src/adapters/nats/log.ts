/**
 * Opens the logs of tests, reports and payments on NATS JetStream, and appends, reads, follows and erases
 * events.
 */

import type { Envelope } from '../../domain/envelope.ts';
import { ServiceError, testDamaged } from '../../domain/errors.ts';
import { isReportWritten, isTestEvent } from '../../domain/events.ts';
import { findDamage } from '../../domain/history.ts';
import { messageFaultOf } from '../../domain/message-fault.ts';
import { isPaymentEvent } from '../../domain/payment-events.ts';
import { upcast } from '../../domain/upcast.ts';
import {
  type EncodedLog,
  isEncoded,
  type Poison,
  type Recorded,
  type Remains,
} from '../../ports/log.ts';
import { appendTo } from './append.ts';
import type { LogConnection } from './connection.ts';
import { followStream } from './follow.ts';
import { expectedSeqOf, infoOf, nextMessage } from './read.ts';
import { headersOf, readJson, type StoredMessage } from './read-json.ts';

/** How long an append may take by default, in milliseconds: longer than the election of a leader. */
const APPEND_MS = 20_000;

/** Time limit for listing the subjects of a whole stream, in milliseconds. */
const COUNT_MS = 30_000;

interface Options<E> {
  /** The name of the stream: `TESTS`, `REPORTS` or `PAYMENTS`. */
  readonly stream: string;
  /** The part of the subject before the dot: `tests`, `reports`, `payments`. */
  readonly subjectPrefix: string;
  readonly isEvent: (value: unknown) => value is E;
}

/**
 * Opens the log of one kind of event on one stream. Every read goes to the leader, because a replica may lag.
 */
function jetStreamLog<E extends Envelope>(
  connection: LogConnection,
  { stream, subjectPrefix, isEvent }: Options<E>,
): EncodedLog<E> {
  const { streams } = connection.jsm;
  const subjectOf = (id: string) => `${subjectPrefix}.${id}`;
  /** The highest sequence number that this process has seen. */
  let highest = 0;

  function toRecorded(message: StoredMessage): Recorded<E> | Poison {
    const id = message.subject.slice(subjectPrefix.length + 1);
    const { seq, time } = message;
    highest = Math.max(highest, seq);
    const { stored, after } = parse(message);
    const event = upcast(stored);
    if (!isEvent(event)) return { id, seq, fault: messageFaultOf(stored) };
    return { id, seq, time: time.getTime(), event, ...(after !== undefined && { after }) };
  }

  /**
   * Reads all messages of the subject, up to the one that was the last when the read began. If the last
   * message cannot be read, the server does not show where the subject ends, so it is read as far as
   * possible.
   */
  async function readSubject(subject: string) {
    const last = await streams.getMessage(stream, { last_by_subj: subject });
    const messages: StoredMessage[] = [];
    if (!last && (await count(subject)) === 0) return { messages, end: 0, isCut: false };
    const isWhole = (at: number) => last && (at === last.seq || at === expectedSeqOf(last.header));
    // Reads up to the message that the writer of the last message expected, because the server allowed
    // nothing in between.
    for (let at = 0; !isWhole(at); ) {
      const next = await nextMessage(connection.jsm, stream, subject, at + 1);
      if (!next || (last && next.seq > last.seq)) break;
      messages.push(next);
      at = next.seq;
    }
    // A message in between that cannot be read ends the search for the next one.
    if (last && messages.at(-1)?.seq !== last.seq) messages.push(last);
    return { messages, end: last?.seq ?? 0, isCut: !last };
  }

  /**
   * Returns the number of messages that the server has for a subject, readable or not.
   *
   * @throws ServiceError `log_unavailable` if an older copy of the stream was restored in the meantime,
   * because it would deny what existed
   */
  async function count(subject: string): Promise<number> {
    // Messages that are seen while the server is asked may be newer than its response.
    const seen = highest;
    const { state } = await infoOf(connection.jsm, stream, { subjects_filter: subject });
    if (state.last_seq < seen) throw new ServiceError('log_unavailable');
    return state.subjects?.[subject] ?? 0;
  }

  async function readOnce(id: string): Promise<Remains<E>> {
    const { messages, end, isCut } = await connection.reach(() => readSubject(subjectOf(id)));
    const recorded = messages.map(toRecorded);
    const events = recorded.filter((one) => 'event' in one);
    const links = recorded.map((one) => ('event' in one ? { ...one, type: one.event.type } : one));
    const cut = { problem: 'unreadable', seq: (messages.at(-1)?.seq ?? 0) + 1 } as const;
    return { events, damage: findDamage(links) ?? (isCut ? cut : undefined), end };
  }

  /** Reads again if the history is damaged, because an erasure during the reading looks like a hole. */
  async function readRemains(id: string): Promise<Remains<E>> {
    const remains = await readOnce(id);
    return remains.damage ? readOnce(id) : remains;
  }

  async function remove(seq: number, secure: boolean): Promise<void> {
    try {
      await streams.deleteMessage(stream, seq, secure);
    } catch (error) {
      // The server has several errors for a missing sequence number. Only a read is certain.
      if ((await streams.getMessage(stream, { seq })) !== null) throw error;
    }
  }

  return {
    async append(id, event, expectedSeq, deadlineMs = APPEND_MS) {
      const isWhole = isEncoded(event) || isEvent(event);
      if (!isWhole) throw new TypeError(`An event for ${stream} does not match its schema.`);
      const appended = await appendTo(connection, {
        stream,
        subject: subjectOf(id),
        eventId: event.id,
        body: isEncoded(event) ? event.json : JSON.stringify(event),
        expectedSeq,
        deadlineMs,
      });
      if (appended.outcome === 'appended') highest = Math.max(highest, appended.seq);
      return appended;
    },
    async read(id) {
      const { events, damage } = await readRemains(id);
      if (damage) throw testDamaged();
      return events;
    },
    readRemains,
    async readAt(seq) {
      const message = await connection.reach(() => streams.getMessage(stream, { seq }));
      const recorded = message && toRecorded(message);
      return recorded && 'event' in recorded ? recorded : undefined;
    },
    async counts() {
      const filter = { subjects_filter: `${subjectPrefix}.*` };
      const { subjects } = (
        await connection.reach(() => infoOf(connection.jsm, stream, filter), COUNT_MS)
      ).state;
      const counts = Object.entries(subjects ?? {});
      return new Map(counts.map(([name, n]) => [name.slice(subjectPrefix.length + 1), n]));
    },
    follow: (options) => followStream(connection, { ...options, stream, toRecorded }),
    erase: (seq, how) => connection.reach(() => remove(seq, how === 'secure')),
  };
}

/** The headers may be the part that cannot be read. */
function parse(message: StoredMessage): { readonly stored?: unknown; readonly after?: number } {
  try {
    const after = expectedSeqOf(headersOf(message));
    return { stored: readJson(message), ...(after !== undefined && { after }) };
  } catch {
    return {};
  }
}

/** Opens the three logs of the service: the events of tests, their reports, and their payments. */
export const openLogs = (connection: LogConnection) => ({
  tests: jetStreamLog(connection, {
    stream: 'TESTS',
    subjectPrefix: 'tests',
    isEvent: isTestEvent,
  }),
  reports: jetStreamLog(connection, {
    stream: 'REPORTS',
    subjectPrefix: 'reports',
    isEvent: isReportWritten,
  }),
  payments: jetStreamLog(connection, {
    stream: 'PAYMENTS',
    subjectPrefix: 'payments',
    isEvent: isPaymentEvent,
  }),
});
