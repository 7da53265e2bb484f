/**
 * Appends an event to a stream at most once, with retries, and returns the outcome: appended, lost to another
 * event, full, or unknown.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredMsg } from '@nats-io/jetstream';
import type { Envelope } from '../../domain/envelope.ts';
import type { Appended } from '../../ports/log.ts';
import type { LogConnection } from './connection.ts';
import { backoff, codeOf, codes, isOutage } from './outage.ts';
import { nextMessage } from './read.ts';
import { readJson } from './read-json.ts';

/**
 * Time limit for one attempt, in milliseconds: a request in progress when the server dies gets no response.
 */
const ATTEMPT_MS = 2000;

interface Order {
  readonly stream: string;
  readonly subject: string;
  /** The id of the event, by which our own earlier attempt is recognized. */
  readonly eventId: string;
  readonly body: string | Uint8Array;
  /** Sequence number of the subject's last message; 0 if there is none. */
  readonly expectedSeq: number;
  readonly deadlineMs: number;
}

/**
 * Appends an event to a stream. All events are written here. A timeout says nothing about the outcome, but
 * once an attempt was stored, no later one can be, because all attempts expect the same sequence number.
 * After a conflict, this therefore reads which event came first.
 */
export async function appendTo(connection: LogConnection, order: Order): Promise<Appended> {
  const { publish, online, noteAppend } = connection;
  const deadline = performance.now() + order.deadlineMs;
  for (let attempt = 0; ; attempt++) {
    const left = deadline - performance.now();
    if (left < 1) return { outcome: 'unknown' };
    if (online()) {
      try {
        const { subject, body, expectedSeq } = order;
        const seq = await publish(subject, body, expectedSeq, Math.min(ATTEMPT_MS, left));
        noteAppend(true);
        return { outcome: 'appended', seq };
      } catch (error) {
        const decided = await judge(connection, order, error);
        noteAppend(!isOutage(error));
        if (decided) return decided;
      }
    }
    await sleep(Math.max(0, Math.min(backoff(attempt), deadline - performance.now())));
  }
}

/**
 * Decides an append by the server's error. Returns `undefined` if nothing is decided yet, so that the append
 * is tried again.
 */
async function judge(
  connection: LogConnection,
  order: Order,
  error: unknown,
): Promise<Appended | undefined> {
  const code = codeOf(error);
  if (code === codes.storeFailed) return { outcome: 'full' };
  if (code === codes.wrongLastSequence || code === codes.wrongLastSequenceUnknown)
    return readDecision(connection, order);
  if (isOutage(error)) return undefined;
  throw error;
}

/** Reads the first event after the expected one, which decides. It may be our own earlier attempt. */
async function readDecision(
  { jsm }: LogConnection,
  { stream, subject, eventId, expectedSeq }: Order,
): Promise<Appended | undefined> {
  try {
    const first = await nextMessage(jsm, stream, subject, expectedSeq + 1);
    if (!first) return undefined;
    return { outcome: idOf(first) === eventId ? 'appended' : 'lost', seq: first.seq };
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the id of an event, or `undefined` if the message cannot be read, so that it does not count as
 * anyone's.
 */
function idOf(message: StoredMsg): string | undefined {
  try {
    return (readJson(message) as Envelope).id;
  } catch {
    return undefined;
  }
}
