import type { SmtpConnection } from './smtp-connection.ts';

/** What a client may still send after our last reply, in bytes: it had begun before it read that. */
const MAX_BYTES = 64 * 1024;

/** Connections that wait for their clients to close, for 5 s at most; no other limit counts them. */
const MAX_CLOSING = 200;

/** Bounds what the library takes on connections that are over: it reads on until the client closes. */
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
