import { prepareParsers, type SmtpConnection } from './smtp-connection.ts';

/**
 * Lets a client that closes its side with its last command read the replies. The connection is closed once
 * everything that the client sent has its reply.
 */
export function answerHalfClosed(connection: SmtpConnection): void {
  connection._socket.allowHalfOpen = true;
  prepareParsers(connection, (parser) => parser.once('finish', () => connection.close()));

  const upgrade = connection.upgrade.bind(connection);
  connection.upgrade = (...given) => {
    // A connection must not be half closed during the TLS handshake. Once it is encrypted, it may be half
    // closed again.
    connection._socket.allowHalfOpen = false;
    upgrade(...given);
  };
}
