/**
 * Splits what a client of MCP writes into JSON-RPC messages, one per line, and responds to everything that is
 * not a message.
 */

import { Transform, type TransformCallback } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { parseJson } from '../domain/response-body.ts';

/** Error codes of JSON-RPC 2.0 §5.1. */
const NOT_JSON = { code: -32_700, message: 'Parse error: this line is not JSON.' };
const NOT_A_MESSAGE = {
  code: -32_600,
  message: 'Invalid Request: this is not a JSON-RPC message with the members that MCP requires.',
};

/**
 * Reads lines, each with one message or with a batch of them, and emits lines with one message each. Without
 * this, the MCP library would leave out batches, lines that begin with a byte order mark, and a last line that
 * does not end, and their senders would wait for a response.
 */
export class MessageLines extends Transform {
  readonly #decoder = new TextDecoder();
  readonly #refuse: (response: object) => void;
  #rest = '';

  /** @param refuse receives the response to something that is not a message */
  constructor(refuse: (response: object) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#read(this.#rest);
    done();
  }

  #read(line: string): void {
    // `trim` also removes a byte order mark.
    const text = line.trim();
    if (text === '') return;
    const value = parseJson(text);
    if (value === undefined) {
      this.#respond(null, NOT_JSON);
      return;
    }
    const isBatch = Array.isArray(value) && value.length > 0;
    for (const one of isBatch ? value : [value])
      if (isMessage(one)) this.push(`${JSON.stringify(one)}\n`);
      else this.#respond(one, NOT_A_MESSAGE);
  }

  #respond(value: unknown, error: object): void {
    const { id } = Object(value) as { readonly id?: unknown };
    const isId = typeof id === 'string' || Number.isInteger(id);
    this.#refuse({ jsonrpc: '2.0', id: isId ? id : null, error });
  }
}

function isMessage(value: unknown): boolean {
  try {
    return parseJSONRPCMessage(value) !== null;
  } catch {
    return false;
  }
}
