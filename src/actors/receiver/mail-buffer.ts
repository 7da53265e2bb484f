/**
 * Manages the memory for raw emails: one budget for the process, which networks share, and within which
 * emails give way to others. Also holds each accepted email until the analyzer takes it.
 */

import { createShares, type Holder } from '../../domain/fairness/shares.ts';
import type { MailVerdict } from '../../domain/replies.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import type { Row } from '../../projection/row.ts';

/**
 * Memory that an email gets at first, in bytes. Most emails need no more. An announced size reserves nothing.
 */
const FIRST_STEP = 64 * 1024;

/**
 * How much the memory of an email grows at a time, in bytes, so that it is never much larger than what has
 * arrived.
 */
const STEP = 64 * 1024;

/** Number of networks that are never shut out, however much other networks send. */
const NETWORKS = 64;

/**
 * Share of the memory for emails that have arrived in full, from networks that have used up their share of
 * the rest.
 */
const FOR_WHOLE = 3 / 8;

/** Memory for one email. Its bytes are in one buffer, and nowhere else in this thread. */
export interface Reservation {
  /**
   * Keeps a copy of the chunk. Returns false if there is no memory for it; everything kept so far has then
   * been dropped.
   */
  write(chunk: Uint8Array): boolean;
  /**
   * Call this when the email has arrived in full, so that it no longer gives way. Returns false if too many
   * bytes are waiting already; the whole email has then been dropped.
   */
  keep(): boolean;
  /**
   * Hands over the email, which the caller has to overwrite. The email counts towards the budget until
   * `release`.
   */
  take(): Uint8Array<ArrayBuffer>;
  /** Overwrites the bytes that are still here and gives the memory back. It may be called more than once. */
  release(): void;
}

/** An email that waits for its `MailArrived` to come back from the log. */
export interface WaitingMail {
  readonly analyzed: AnalyzedMail;
  /** The facts about the test that have not changed since its creation. */
  readonly created: Pick<Row['context'], 'tokenSha256' | 'createdAt' | 'sendBefore' | 'expiresAt'>;
  /** When the gate accepted the email, in `performance.now()` time. */
  readonly since: number;
  /** Gives the sender this reply, because the outcome could not be written to the log. */
  handBack(verdict: MailVerdict): void;
}

/**
 * Holds every raw email of the process within one budget. When the budget is used up, emails from the network
 * that holds the most bytes give way. An email that has arrived in full keeps its memory, so such emails have
 * a common limit too: the rest is enough for each of 64 networks and a newcomer to have an equal share,
 * whether their emails are waiting or arriving. Emails exist in memory only, and are overwritten at the end.
 */
export interface MailBuffer {
  /**
   * Reserves memory for one email, which grows as the email arrives. An email that already holds memory never
   * waits for more.
   */
  reserve(declaredBytes: number | null, holder: Holder): Reservation;
  /** Keeps an email under the id of its `MailArrived`, for the analyzer of this process. */
  hold(arrivalId: string, mail: WaitingMail): void;
  /**
   * Removes and returns the email. Returns `undefined` if the email is in another process or was already
   * taken, or if its sender has disconnected.
   */
  take(arrivalId: string): WaitingMail | undefined;
  /** Returns the number of bytes reserved now, for the metrics. */
  bytes(): number;
}

interface Settings {
  readonly mailMemoryBytes: number;
  readonly maxMessageBytes: number;
}

export function createMailBuffer({ mailMemoryBytes, maxMessageBytes }: Settings): MailBuffer {
  const waiting = new Map<string, WaitingMail>();
  const shares = createShares(mailMemoryBytes);
  // There is always room for one email, however small the memory is.
  const forLarge = Math.max(maxMessageBytes, mailMemoryBytes * FOR_WHOLE);
  const reserve = Math.max(0, mailMemoryBytes - forLarge);
  const whole = createShares(forLarge + reserve, { reserve, few: reserve / (NETWORKS + 1) });

  function createReservation(first: number, holder: Holder): Reservation {
    let capacity = 0;
    let buffer: ArrayBuffer | undefined;
    let length = 0;
    let isOver = false;
    let kept = 0;

    function release() {
      isOver = true;
      if (buffer) wipe(buffer, length);
      buffer = undefined;
      shares.release(holder);
      if (kept > 0) whole.count(holder.path, -kept);
      kept = 0;
    }

    /**
     * Moves the email to a buffer that grows in place, so that it is never copied again and leaves nothing
     * behind. Most emails need only their first buffer, and creating a growable buffer takes longer than
     * reading such an email.
     */
    function toGrowing(small: ArrayBuffer, used: number, bytes: number): ArrayBuffer {
      const growing = new ArrayBuffer(bytes, { maxByteLength: maxMessageBytes });
      new Uint8Array(growing).set(new Uint8Array(small, 0, used));
      wipe(small, used);
      return growing;
    }

    function grow(needed: number): boolean {
      if (needed > maxMessageBytes) return false;
      const step = capacity === 0 ? first : STEP;
      const next = Math.min(
        capacity + Math.ceil((needed - capacity) / step) * step,
        maxMessageBytes,
      );
      if (!shares.claim(holder, next - capacity)) return false;
      capacity = next;
      if (buffer?.resizable) buffer.resize(next);
      else if (buffer) buffer = toGrowing(buffer, length, next);
      return true;
    }

    return {
      write(chunk) {
        if (isOver) return false;
        const end = length + chunk.length;
        if (end > capacity && !grow(end)) {
          release();
          return false;
        }
        buffer ??= new ArrayBuffer(capacity);
        new Uint8Array(buffer, length).set(chunk);
        length = end;
        return true;
      },
      keep() {
        if (isOver) return false;
        if (whole.take(holder.path, capacity)) kept = capacity;
        else release();
        return kept === capacity;
      },
      take: () => (buffer ? new Uint8Array(buffer, 0, length) : new Uint8Array()),
      release,
    };
  }

  return {
    reserve: (declaredBytes, holder) =>
      createReservation(Math.min(declaredBytes ?? FIRST_STEP, FIRST_STEP), holder),
    hold: (arrivalId, mail) => void waiting.set(arrivalId, mail),
    take(arrivalId) {
      const mail = waiting.get(arrivalId);
      waiting.delete(arrivalId);
      return mail;
    },
    bytes: shares.held,
  };
}

/**
 * A buffer that was transferred to a worker is empty here, so it is the worker that has to overwrite the
 * bytes.
 */
function wipe(buffer: ArrayBuffer, used: number): void {
  if (buffer.detached) return;
  new Uint8Array(buffer, 0, used).fill(0);
  // Frees the memory immediately instead of at the next garbage collection, because the budget already counts
  // it as free.
  buffer.transfer(0);
}
