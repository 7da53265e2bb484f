import { createShares, type Holder } from '../../domain/fairness/shares.ts';
import type { MailVerdict } from '../../domain/replies.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import type { Row } from '../../projection/row.ts';

/** Memory that an email gets at first, in bytes. Most need no more, and an announced size reserves nothing. */
const FIRST_STEP = 64 * 1024;

/** By how much it grows, in bytes: it holds little more than has come of it. */
const STEP = 64 * 1024;

/** Networks that are never shut out, however much they send. */
const NETWORKS = 64;

/** Share of the memory for emails that have come whole, from networks that use more than their share of the rest. */
const FOR_WHOLE = 3 / 8;

/** Memory for one mail. Its bytes are in one buffer, and nowhere else in this thread. */
export interface Reservation {
  /** Keeps a copy of the chunk; false: there is no memory for it, and everything kept so far is gone. */
  write(chunk: Uint8Array): boolean;
  /** All has come: it gives way no more. false: too much waits already, and everything is gone. */
  keep(): boolean;
  /** The mail, handed over: the taker overwrites it. Still counted until `release`. */
  take(): Uint8Array<ArrayBuffer>;
  /** Overwrites what is still here and gives the memory back. May be called again. */
  release(): void;
}

/** A mail that waits for its `MailArrived` to come back from the log. */
export interface WaitingMail {
  readonly analyzed: AnalyzedMail;
  /** Its test, as created: what never changes about it. */
  readonly created: Pick<Row['context'], 'tokenSha256' | 'createdAt' | 'sendBefore' | 'expiresAt'>;
  /** When the gate let it in, by `performance.now()`. */
  readonly since: number;
  /** Its outcome could not be put into the log: the sender is answered this. */
  handBack(verdict: MailVerdict): void;
}

/**
 * All raw mail of the process, within one budget: when it is full, emails of the network that holds the most
 * bytes give way. What has come whole keeps its memory, so that all of it together is bounded as well: what
 * it leaves is enough for each of 64 networks and a newcomer to have an equal share, waiting or arriving.
 * In memory only, and overwritten at its end.
 */
export interface MailBuffer {
  /** For one mail, which takes memory as it comes. Nobody waits for memory while holding some. */
  reserve(declaredBytes: number | null, holder: Holder): Reservation;
  /** Holds a mail under the id of its `MailArrived`, for this process's analyzer. */
  hold(arrivalId: string, mail: WaitingMail): void;
  /** Takes it away; `undefined`: it is in another process, was taken, or its sender is gone. */
  take(arrivalId: string): WaitingMail | undefined;
  /** Bytes reserved now, for the gauge. */
  bytes(): number;
}

interface Settings {
  readonly mailMemoryBytes: number;
  readonly maxMessageBytes: number;
}

export function createMailBuffer({ mailMemoryBytes, maxMessageBytes }: Settings): MailBuffer {
  const waiting = new Map<string, WaitingMail>();
  const shares = createShares(mailMemoryBytes);
  // One email always fits, however small the memory is.
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
     * Grows where it is from now on: never copied again, and nothing of it left behind. Most mails fit
     * into their first buffer, and one that can grow takes the system longer to make than they to read.
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

/** A buffer transferred to a worker is empty here and that worker's to overwrite. */
function wipe(buffer: ArrayBuffer, used: number): void {
  if (buffer.detached) return;
  new Uint8Array(buffer, 0, used).fill(0);
  // Gives the memory back now rather than at some collection: the budget counts it as free.
  buffer.transfer(0);
}
