/** Speaks MCP on stdin and stdout, and answers every request that it has read before it ends. */

import { pipeline } from 'node:stream';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { dropNullArguments } from '../mcp/null-arguments.ts';
import type { CommandError } from './exit.ts';
import { stdoutError } from './files.ts';
import { MessageLines } from './message-lines.ts';

/**
 * Is answered only when the connection ends, because it stands for a subscription. No request waits for it.
 */
const SUBSCRIPTION = 'subscriptions/listen';

/**
 * The transport of the MCP library aborts requests when stdin ends. This one waits for their responses first,
 * unless nobody reads stdout any more.
 */
export class AnsweringTransport extends StdioServerTransport {
  /**
   * Resolves when the connection has ended.
   *
   * @throws CommandError if stdout could not be written
   */
  readonly ended: Promise<void>;
  /** The requests that have no response yet. */
  readonly #open = new Set<RequestId>();
  readonly #lines: MessageLines;
  #isEnding = false;
  #onEnded: (failure: CommandError | null) => void = () => {};

  constructor() {
    const lines = new MessageLines(
      (response) => void process.stdout.write(`${JSON.stringify(response)}\n`),
    );
    super(lines);
    this.#lines = lines;
    this.ended = new Promise((resolve, reject) => {
      this.#onEnded = (failure) => (failure ? reject(failure) : resolve());
    });
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      this.#note(message);
      dropNullArguments(message);
      deliver?.(message);
    };
    process.stdout.once('error', (error) => this.#end(stdoutError(error)));
    await super.start();
    // An error of stdin reaches the library through `lines`.
    pipeline(process.stdin, this.#lines, () => {});
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params } = message;
    if ('id' in message && method !== SUBSCRIPTION) this.#open.add(message.id);
    // A cancelled request gets no response.
    if (method === 'notifications/cancelled') this.#open.delete(params?.requestId as RequestId);
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (!('method' in message) && message.id !== undefined) {
        this.#open.delete(message.id);
        this.#endIfDone();
      }
    }
  }

  /** Is called when stdin ends. */
  override async close(): Promise<void> {
    this.#isEnding = true;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#isEnding && this.#open.size === 0) this.#end(null);
  }

  #end(failure: CommandError | null): void {
    void super.close().then(() => this.#onEnded(failure));
    // Otherwise, an open stdin would keep the process running.
    this.#lines.destroy();
  }
}
