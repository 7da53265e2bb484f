/** Restricts SMTP sessions to our commands, and replaces the library's replies with our own. */

import { replies, type SmtpReply } from '../../domain/replies.ts';
import type { SmtpConnection } from './smtp-connection.ts';

/**
 * The commands of RFC 5321 and RFC 3207, and those of trusted relays. The library knows others, some of which
 * are jokes.
 */
const COMMANDS: ReadonlySet<string> = new Set([
  ...['EHLO', 'HELO', 'MAIL', 'RCPT', 'DATA', 'RSET', 'NOOP', 'QUIT', 'VRFY', 'HELP', 'STARTTLS'],
  ...['XCLIENT', 'XFORWARD'],
]);

const SENDER_ACCEPTED = '250 2.1.0 The sender is accepted.';

const UNKNOWN_COMMAND =
  '500 5.5.1 This command is not supported. To send an email, use EHLO, MAIL FROM, RCPT TO and DATA.';

/** Patterns of the library's replies, each with our reply. */
const OURS: readonly (readonly [library: RegExp, ours: string])[] = [
  [
    / You talk too soon$/,
    '421 4.7.0 You sent a command before the greeting. Connect again, and wait for the line that begins with 220.',
  ],
  [
    /^HTTP requests not allowed$/,
    '421 4.7.0 This is a mail server, and you sent an HTTP request. Send SMTP here.',
  ],
  [
    /^Error: Command line too long$/,
    '421 4.5.2 Your command is longer than the limit of {n} bytes. Connect again, and send shorter commands.',
  ],
  [/^Error: (?:command not recognized|\S+ not allowed in LMTP server)$/, UNKNOWN_COMMAND],
  [
    /^Error: too many un(?:recognized|authenticated) commands$/,
    '421 4.7.0 Ten of your commands are not supported. Connect again, and use EHLO, MAIL FROM, RCPT TO and DATA.',
  ],
  [/ Too many connected clients, try again in a moment$/, replies.gave_way],
  [/^Timeout - closing connection$/, replies.timed_out],
  [/^Server shutting down$/, replies.stopping],
  [/^Error: internal server error$/, replies.temporary_failure],
  [
    /^Error: send (?:HELO\/EHLO|LHLO) first$/,
    '503 5.5.1 Send EHLO with the name of your server first.',
  ],
  [
    /^Error: (?:syntax: (?:LHLO|EHLO)|Syntax: HELO) hostname$/,
    '501 5.5.4 EHLO needs the name of your server, without spaces, such as mail.example.com.',
  ],
  [
    /^Error: Bad hostname syntax$/,
    '501 5.5.4 EHLO needs the name of your server, without spaces, such as mail.example.com.',
  ],
  [
    /^Error: Bad sender address syntax$/,
    '501 5.1.7 The sender address is not valid. Send it with its domain and in angle brackets, as in MAIL FROM:<you@example.com>.',
  ],
  [
    /^Error: Bad recipient address syntax$/,
    '501 5.1.3 The recipient address is not valid. Send the complete address of your test in angle brackets, as in RCPT TO:<address>.',
  ],
  [
    /^Error: nested MAIL command$/,
    '503 5.5.1 An email is already in progress. Send RSET to start another one.',
  ],
  [
    /^Error: Mail transaction in progress$/,
    '503 5.5.1 An email is already in progress. Send RSET to start another one.',
  ],
  [/^Error: need MAIL command$/, '503 5.5.1 Send MAIL FROM first.'],
  [
    /^Error: need RCPT command$/,
    '503 5.5.1 No recipient has been accepted yet. Send RCPT TO with the address of your test first.',
  ],
  [
    /^Error: duplicate .* parameter$/,
    '501 5.5.4 A parameter appears twice. Send each parameter once.',
  ],
  [
    /^Error: .* parameter requires a value$/,
    '501 5.5.4 A parameter has no value. Send one, as in SIZE=1024.',
  ],
  [
    /^Error: Bad message size syntax$/,
    '501 5.5.4 SIZE is not a number of bytes. Send one, as in SIZE=1024.',
  ],
  [/^Error: message exceeds fixed maximum message size /, replies.too_large],
  [
    /^Invalid BODY parameter value/,
    '501 5.5.4 BODY is neither 7BIT nor 8BITMIME. Send one of these.',
  ],
  [/^Invalid SMTPUTF8 parameter/, '501 5.5.4 SMTPUTF8 takes no value. Send only its name.'],
  [/REQUIRETLS|^Invalid RET parameter|^Error: (?:NOTIFY|Bad ORCPT)/, replies.unknown_parameter],
  [/^Error: too many recipients$/, replies.second_recipient],
  [/^Error: syntax: STARTTLS$/, '501 5.5.4 STARTTLS takes no parameter. Send only the command.'],
  [
    /^Error: TLS already active$/,
    '503 5.5.1 This connection is already encrypted. Continue with EHLO.',
  ],
  [
    /^Error: Syntax: VRFY address$/,
    '501 5.5.4 VRFY needs an address. Send an email instead: the reply to it says more.',
  ],
  [
    /^Try to send something\. No promises though$/,
    '252 2.5.0 Addresses are not verified here. Send an email to the address: the reply to it says more.',
  ],
  [
    /^See https:\/\/\S+ for details$/,
    '214 2.0.0 To send an email, use EHLO, MAIL FROM, RCPT TO and DATA (RFC 5321).',
  ],
  [/^Error: Not allowed$/, '550 5.7.1 You have already named the client of this connection.'],
  [
    /^Error: Bad command parameter syntax/,
    '501 5.5.4 A parameter of XCLIENT or XFORWARD is not valid. Send NAME=value, with IPV6: before an IPv6 address.',
  ],
  [/^Accepted$/, SENDER_ACCEPTED],
  [/^End data with /, '354 Send your email, and end it with a line that contains only a dot.'],
  [/^Flushed$/, '250 2.0.0 The transaction was reset.'],
  [/^OK$/, '250 2.0.0 OK.'],
  [/^Ready to start TLS$/, '220 2.0.0 Begin TLS.'],
  [/^Bye$/, '221 2.0.0 Goodbye.'],
];

/** Our replies begin with an enhanced code (RFC 3463). The library's never do. */
const IS_OURS = /^[245]\.\d{1,3}\.\d{1,3} /;

export interface ReplyLimits {
  readonly maxMessageBytes: number;
  readonly maxCommandLength: number;
}

const NOT_IMPLEMENTED =
  '502 5.5.1 This command is not implemented here. To send an email, use EHLO, MAIL FROM, RCPT TO and DATA.';

/** Our replies where the library has the same one in several contexts: commands, or `RCPT_TO_OK`. */
const IN_CONTEXT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [SENDER_ACCEPTED]: { RCPT_TO_OK: '250 2.1.5 The recipient is accepted.' },
  // RFC 5321 §4.2.4 reserves 500 for unknown commands.
  [UNKNOWN_COMMAND]: {
    AUTH: '502 5.5.1 No login is needed here. Send your email without AUTH.',
    ...Object.fromEntries(
      ['EXPN', 'BDAT', 'ETRN', 'TURN', 'SEND', 'SOML', 'SAML'].map((name) => [
        name,
        NOT_IMPLEMENTED,
      ]),
    ),
  },
};

/** Returns our reply for one of the library's, or `undefined` if it is already ours, or the greeting. */
export function toOwnReply(
  text: string,
  { maxMessageBytes, maxCommandLength }: ReplyLimits,
  context?: string | false,
): SmtpReply | undefined {
  const found = IS_OURS.test(text) ? undefined : OURS.find(([library]) => library.test(text))?.[1];
  if (found === undefined) return undefined;
  const line = (context && IN_CONTEXT[found]?.[context]) || found;
  const n = found === replies.too_large ? maxMessageBytes : maxCommandLength;
  return { code: Number(line.slice(0, 3)), text: line.slice(4).replace('{n}', String(n)) };
}

/** Commands that RFC 5321 §4.1.1 specifies without parameters, which the library ignores. */
const WITHOUT_PARAMETERS = ['DATA', 'RSET', 'QUIT'] as const;

function refuseParameters(connection: SmtpConnection): void {
  for (const name of WITHOUT_PARAMETERS) {
    const carryOut = connection[`handler_${name}`].bind(connection);
    connection[`handler_${name}`] = (command, callback) => {
      if (!/\s\S/.test(command.toString())) return carryOut(command, callback);
      connection.send(501, `5.5.4 ${name} takes no parameter. Send only the command.`);
      callback();
    };
  }
}

/** Restricts a connection to our commands, and replies to each in our words. */
export function useOwnWords(connection: SmtpConnection, limits: ReplyLimits): void {
  const isSupported = connection._isSupported.bind(connection);
  connection._isSupported = (command) =>
    COMMANDS.has(command.trim().toUpperCase()) && isSupported(command);
  refuseParameters(connection);

  // Unlike the library, this also replies to a client that has closed its side of the connection.
  connection.send = (code, data, context) => {
    const lines = Array.isArray(data) ? data : [data ?? ''];
    const own = lines.length === 1 ? toOwnReply(lines[0] ?? '', limits, context) : undefined;
    write(connection, own?.code ?? code, own ? [own.text] : lines);
    if (code === 421) connection.close();
  };
}

/** Writes nothing during a TLS handshake, because the reply would appear there as plaintext. */
function write({ _upgrading, _socket }: SmtpConnection, code: number, lines: readonly string[]) {
  if (_upgrading || !_socket.writable) return;
  const all = lines.map((line, n) => {
    const text = line.replace(/[^\x20-\x7e]/g, ' ');
    return `${code}${n < lines.length - 1 ? '-' : ' '}${text}\r\n`;
  });
  _socket.write(all.join(''));
}
