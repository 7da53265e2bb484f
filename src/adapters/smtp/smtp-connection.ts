/**
 * Declares the smtp-server library's internal connection and parser, as far as we change them, and prepares
 * each parser of a connection.
 */

import type { SMTPServer } from 'smtp-server';

/** An SMTP connection, as the library represents it. */
export type SmtpConnection = SMTPServer['connections'] extends Set<infer One> ? One : never;

/** The library's reader of commands and data. */
export type Parser = ReturnType<SmtpConnection['_createParser']>;

/** Prepares each parser of a connection, because STARTTLS replaces it. */
export function prepareParsers(connection: SmtpConnection, prepare: (parser: Parser) => void) {
  const create = connection._createParser.bind(connection);
  connection._createParser = () => {
    const parser = create();
    prepare(parser);
    return parser;
  };
  if (connection._parser) prepare(connection._parser);
}
