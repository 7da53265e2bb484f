import type { MailVerdict } from '../../domain/replies.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import type { Transaction } from './ports.ts';

/** What is reserved for a mail of unannounced size, in bytes: most mails fit. */
const FIRST_STEP = 64 * 1024;

/** From this size on a mail is large, in bytes. The last eighth of the memory is for all others. */
const LARGE_BYTES = 1024 * 1024;
const OF_LARGE = 7 / 8;

/** The share of the memory that large mails of one network may have. */
const OF_NETWORK = 1 / 2;

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
  /**
   * Memory for one mail; `undefined`: over the budget. Nobody waits for memory while holding some.
   *
   * @param network the widest one of the client
   */
  reserve(declaredBytes: number | null, network: string): Reservation | undefined;
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
  const byNetwork = new Map<string, number>();
  let reserved = 0;

  /** One mail always fits, however small the memory is. */
  const shareOf = (share: number) => Math.max(maxMessageBytes, mailMemoryBytes * share);

  /** @param total what the mail then has */
  function claim(bytes: number, total: number, network: string): boolean {
    const held = byNetwork.get(network) ?? 0;
    const isLarge = total >= LARGE_BYTES;
    if (reserved + bytes > (isLarge ? shareOf(OF_LARGE) : mailMemoryBytes)) return false;
    if (isLarge && held + bytes > shareOf(OF_NETWORK)) return false;
    count(bytes, network);
    return true;
  }

  function count(bytes: number, network: string): void {
    reserved += bytes;
    const held = (byNetwork.get(network) ?? 0) + bytes;
    if (held > 0) byNetwork.set(network, held);
    else byNetwork.delete(network);
  }

  function createReservation(first: number, network: string): Reservation {
    let capacity = first;
    let buffer: ArrayBuffer | undefined;
    let length = 0;

    function release() {
      if (buffer) wipe(buffer, length);
      buffer = undefined;
      count(-capacity, network);
      capacity = 0;
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
      const next = Math.max(needed, Math.min(2 * capacity, maxMessageBytes));
      if (!claim(next - capacity, next, network)) return false;
      capacity = next;
      if (buffer?.resizable) buffer.resize(next);
      else if (buffer) buffer = toGrowing(buffer, length, next);
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
    reserve(declaredBytes, network) {
      const first = Math.min(Math.max(1, declaredBytes ?? FIRST_STEP), maxMessageBytes);
      return claim(first, first, network) ? createReservation(first, network) : undefined;
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
function wipe(buffer: ArrayBuffer, used: number): void {
  if (buffer.detached) return;
  new Uint8Array(buffer, 0, used).fill(0);
  // Gives the memory back now rather than at some collection: the budget counts it as free.
  buffer.transfer(0);
}
