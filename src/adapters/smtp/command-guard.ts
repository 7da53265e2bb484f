import type { SmtpReply } from '../../domain/replies.ts';
import type { Connection } from './connection.ts';

/**
 * Ends a connection instead of carrying out a command.
 *
 * @param refusal of the command that comes now; `undefined`: it is carried out
 */
export function guardCommands(connection: Connection, refusal: () => SmtpReply | undefined): void {
  const carryOut = connection._onCommand.bind(connection);
  connection._onCommand = (command, callback) => {
    const reply = refusal();
    if (reply) connection.send(reply.code, reply.text);
    else carryOut(command, callback);
  };
}
