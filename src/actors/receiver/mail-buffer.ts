import type { MailVerdict } from '../../domain/replies.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import type { Transaction } from './ports.ts';

/** What is reserved for a mail of unannounced size, in bytes: most mails fit. */
const FIRST_STEP = 64 * 1024;

/** Memory for one mail. Its bytes are in one buffer, and nowhere else in this thread. */
export interface Reservation {
  /** Keeps a copy of the chunk; false: over the budget, and everything kept so far is gone. */
  write(chunk: Uint8Array): boolean;
  /** The mail, handed over: the taker overwrites it. Still counted until `release`. */
  take(): Uint8Array<ArrayBuffer>;
  /** Overwrites what is still here and gives the memory back. May be called again. */
  release(): void;
}

/** A mail that waits for its `MailArrived` to come back from the log. */
export interface WaitingMail {
  readonly analyzed: AnalyzedMail;
  /** Its test, as created. */
  readonly created: Transaction['created'];
  /** When the gate let it in, by `performance.now()`. */
  readonly since: number;
  /** Its outcome could not be put into the log: the sender is answered this. */
  handBack(verdict: MailVerdict): void;
}

/** All raw mail of the process, within one budget. In memory only, and overwritten at its end. */
export interface MailBuffer {
  /** Memory for one mail; `undefined`: over the budget. Nobody waits for memory while holding some. */
  reserve(declaredBytes: number | null): Reservation | undefined;
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
  let reserved = 0;

  function claim(bytes: number): boolean {
    if (reserved + bytes > mailMemoryBytes) return false;
    reserved += bytes;
    return true;
  }

  function createReservation(first: number): Reservation {
    let capacity = first;
    let buffer: ArrayBuffer | undefined;
    let length = 0;

    function release() {
      if (buffer) wipe(buffer);
      buffer = undefined;
      reserved -= capacity;
      capacity = 0;
    }

    function grow(needed: number): boolean {
      if (needed > maxMessageBytes) return false;
      const next = Math.max(needed, Math.min(2 * capacity, maxMessageBytes));
      if (!claim(next - capacity)) return false;
      capacity = next;
      buffer?.resize(next);
      return true;
    }

    return {
      write(chunk) {
        if (capacity === 0) return false;
        const end = length + chunk.length;
        if (end > capacity && !grow(end)) {
          release();
          return false;
        }
        // Grows where it is: a mail is never copied, and nothing of it left behind.
        buffer ??= new ArrayBuffer(capacity, { maxByteLength: maxMessageBytes });
        new Uint8Array(buffer, length).set(chunk);
        length = end;
        return true;
      },
      take: () => (buffer ? new Uint8Array(buffer, 0, length) : new Uint8Array()),
      release,
    };
  }

  return {
    reserve(declaredBytes) {
      const first = Math.min(Math.max(1, declaredBytes ?? FIRST_STEP), maxMessageBytes);
      return claim(first) ? createReservation(first) : undefined;
    },
    hold: (arrivalId, mail) => void waiting.set(arrivalId, mail),
    take(arrivalId) {
      const mail = waiting.get(arrivalId);
      waiting.delete(arrivalId);
      return mail;
    },
    bytes: () => reserved,
  };
}

/** A buffer transferred to a worker is empty here and that worker's to overwrite. */
function wipe(buffer: ArrayBuffer): void {
  if (buffer.detached) return;
  new Uint8Array(buffer).fill(0);
  // Gives the memory back now rather than at some collection: the budget counts it as free.
  buffer.transfer(0);
}
