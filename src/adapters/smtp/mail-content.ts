import { EventEmitter } from 'node:events';
import type { SMTPServerDataStream } from 'smtp-server';
import type { Parser } from './smtp-connection.ts';

/** Bytes that wait for the reader, from which on the client waits too. */
const MAX_WAITING = 64 * 1024;

/**
 * The content of one mail, from the library to its one reader: a queue in place of a stream, which
 * costs several times as much a mail. Has what the library asks of the stream, and nothing more.
 */
class MailContent extends EventEmitter {
  byteLength = 0;
  sizeExceeded = false;
  destroyed = false;
  writableEnded = false;
  readableEnded = false;
  /** As a stream has it: null until somebody reads. */
  readableFlowing: boolean | null = null;
  readonly #chunks: Buffer[] = [];
  #waiting = 0;
  #wake = () => {};

  get writable(): boolean {
    return !this.destroyed && !this.writableEnded;
  }

  get readable(): boolean {
    return !this.destroyed && !this.readableEnded;
  }

  /** false: the next one is to come after `drain`. */
  write(chunk: Buffer): boolean {
    if (!this.writable) return true;
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    this.#wake();
    return this.#waiting < MAX_WAITING;
  }

  end(last?: Buffer): void {
    if (last) this.write(last);
    this.writableEnded = true;
    this.#wake();
  }

  /** Nobody sends or reads any more: a reader that waits for more finds that the mail broke off. */
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#chunks.length = 0;
    this.#wake();
    this.emit('close');
  }

  /** Reads to the end what nobody wants. */
  resume(): void {
    const discard = async () => {
      for await (const _ of this);
    };
    discard().catch(() => {});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, void> {
    this.readableFlowing = true;
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk) {
          this.#waiting -= chunk.length;
          yield chunk;
          if (this.#waiting < MAX_WAITING) this.emit('drain');
        } else if (this.destroyed) throw new Error('The mail broke off.');
        else if (this.writableEnded) break;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
      this.readableEnded = true;
      this.emit('end');
    } finally {
      // A reader that stops before the end wants nothing more.
      if (!this.readableEnded) this.destroy();
    }
  }
}

/** Gives the content of mails to their readers without a stream in between. */
export function queueContent(parser: Parser): void {
  // As the library's own does but for the stream.
  parser.startDataMode = (maxBytes) => {
    const content = new MailContent() as unknown as SMTPServerDataStream;
    parser._dataMode = true;
    parser._maxBytes = Number(maxBytes) || Number.POSITIVE_INFINITY;
    parser.dataBytes = 0;
    parser._atDataStart = true;
    parser._dataStream = content;
    return content;
  };
}
