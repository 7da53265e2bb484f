import { createShares, type Holder } from '../../domain/fairness/shares.ts';
import type { MailVerdict } from '../../domain/replies.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import type { Row } from '../../projection/row.ts';

/** What a mail has at first, in bytes: most fit. Announced or not, it has more only once more has come. */
const FIRST_STEP = 64 * 1024;

/** From this size on a mail is large, in bytes. The last eighth of the memory is for all others. */
const LARGE_BYTES = 1024 * 1024;
const OF_LARGE = 7 / 8;

/** Memory for one mail. Its bytes are in one buffer, and nowhere else in this thread. */
export interface Reservation {
  /** Keeps a copy of the chunk; false: there is no memory for it, and everything kept so far is gone. */
  write(chunk: Uint8Array): boolean;
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
 * All raw mail of the process, within one budget: when it is full, mails of the network that has the
 * most give way. In memory only, and overwritten at its end.
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
  // One mail always fits, however small the memory is, and counts as much as any other.
  const shares = createShares(mailMemoryBytes, { unit: maxMessageBytes });
  const forLarge = Math.max(maxMessageBytes, mailMemoryBytes * OF_LARGE);

  function createReservation(first: number, holder: Holder): Reservation {
    let capacity = 0;
    let buffer: ArrayBuffer | undefined;
    let length = 0;
    let isOver = false;

    function release() {
      isOver = true;
      if (buffer) wipe(buffer, length);
      buffer = undefined;
      shares.release(holder);
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
      const next = Math.max(needed, Math.min(2 * capacity || first, maxMessageBytes));
      const most = next >= LARGE_BYTES ? forLarge : mailMemoryBytes;
      if (!shares.claim(holder, next - capacity, most)) return false;
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
