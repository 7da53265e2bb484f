/**
 * Limits how much is read from clients whose connections have ended, and how many of these connections may
 * wait to be closed.
 */

import type { SmtpConnection } from './smtp-connection.ts';

/**
 * Number of bytes that a client may still send after our last reply, because it may have begun to send before
 * it read that reply.
 */
const MAX_BYTES = 64 * 1024;

/**
 * Number of connections that may wait for their clients to close, for 5 s at most. No other limit counts
 * them.
 */
const MAX_CLOSING = 200;

/**
 * Limits what the library accepts on connections that have ended, because it keeps reading until the client
 * closes.
 */
export function createClosingLimit() {
  let closing = 0;
  return (connection: SmtpConnection): void => {
    const close = connection.close.bind(connection);
    connection.close = () => {
      const isFirst = !connection._closing;
      close();
      const socket = connection._socket;
      if (!isFirst || socket.destroyed) return;
      if (closing >= MAX_CLOSING) {
        socket.destroySoon();
        return;
      }
      closing += 1;
      let received = 0;
      socket.once('close', () => {
        closing -= 1;
      });
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        chunk.fill(0);
        if (received > MAX_BYTES) socket.destroy();
      });
    };
  };
}
