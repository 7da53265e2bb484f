/** Reads the JSON and the headers of a stored message, compressed or not. */

import { zstdDecompressSync } from 'node:zlib';
import type { JsMsg, StoredMsg } from '@nats-io/jetstream';

/** A message as it is read at the leader or delivered to a follower. */
export type StoredMessage = Pick<StoredMsg, 'subject' | 'seq' | 'time' | 'data' | 'json'> &
  ({ readonly header: StoredMsg['header'] } | { readonly headers?: JsMsg['headers'] });

/**
 * Maximum size of a message as JSON, in bytes. nats-server accepts no larger one unless it is compressed.
 */
const MAX_BYTES = 1024 * 1024;

/** Returns the headers of a message, whichever of the client's two names they have. */
export const headersOf = (message: StoredMessage) =>
  'header' in message ? message.header : message.headers;

/**
 * Parses the JSON of a message. A compressed message says so: `Content-Encoding: zstd` (RFC 8878). This
 * release reads such messages but writes none, so that a later release that writes them can be rolled back to
 * this one.
 *
 * @throws when it cannot be read
 */
export function readJson(message: StoredMessage): unknown {
  const encoding = headersOf(message)?.get('Content-Encoding');
  if (!encoding) return message.json();
  if (encoding !== 'zstd') throw new TypeError(`Content-Encoding is ${encoding} instead of zstd.`);
  return JSON.parse(
    zstdDecompressSync(message.data, { maxOutputLength: MAX_BYTES }).toString('utf8'),
  );
}
