import { prepareParsers, type SmtpConnection } from './smtp-connection.ts';

/**
 * Lets a client that closes its side with its last command read the replies. The connection is closed once
 * everything it sent has its reply.
 */
export function answerHalfClosed(connection: SmtpConnection): void {
  connection._socket.allowHalfOpen = true;
  prepareParsers(connection, (parser) => parser.once('finish', () => connection.close()));

  const upgrade = connection.upgrade.bind(connection);
  connection.upgrade = (...given) => {
    // Half a handshake is no handshake. What is encrypted may be half closed again.
    connection._socket.allowHalfOpen = false;
    upgrade(...given);
  };
}
