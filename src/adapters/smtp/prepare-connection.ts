/**
 * Changes how the smtp-server library treats each new SMTP connection: it uses our commands and replies,
 * accepts quoted local parts and half-closed connections, reads uploads in turns, and limits what it reads
 * after the end.
 */

import { createChunkTurns, readInTurn } from './chunk-turns.ts';
import { answerHalfClosed } from './half-closed.ts';
import { createClosingLimit } from './limit-closing.ts';
import { type ReplyLimits, useOwnWords } from './own-words.ts';
import { prepareParsers, type SmtpConnection } from './smtp-connection.ts';

/** A quoted string may contain spaces, `@`, `<` and `>` (RFC 5321 §4.1.2). */
const QUOTED =
  /^((?:mail from|rcpt to)\s*:\s*<)("(?:[^"\\\p{Cc}]|\\[\x20-\x7e])*")(@[^<>\s]+>.*)$/isu;

/** Replaces the quoted string while the library splits the command at its spaces. */
const STAND_IN = 'quoted';

/** Lets the library's parser accept quoted local parts, which it splits at their spaces. */
function acceptQuotedLocalParts(connection: SmtpConnection): void {
  const parse = connection._parseAddressCommand.bind(connection);
  connection._parseAddressCommand = (name, command) => {
    const [, verb = '', quoted, domain = ''] = QUOTED.exec(command.toString()) ?? [];
    if (quoted === undefined) return parse(name, command);
    const parsed = parse(name, verb + STAND_IN + domain);
    return parsed && { ...parsed, address: quoted + parsed.address.slice(STAND_IN.length) };
  };
}

/**
 * Prepares each connection, before anything is said on it, for the points in which we differ from the
 * library.
 */
export function createPreparation(limits: ReplyLimits): (connection: SmtpConnection) => void {
  const takeTurn = createChunkTurns();
  const limitClosing = createClosingLimit();
  return (connection) => {
    useOwnWords(connection, limits);
    acceptQuotedLocalParts(connection);
    answerHalfClosed(connection);
    limitClosing(connection);
    prepareParsers(connection, (parser) => readInTurn(parser, takeTurn));
  };
}
