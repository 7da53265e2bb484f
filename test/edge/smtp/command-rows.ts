/** Lists SMTP commands with the replies that they must get. */

import { randomBytes } from 'node:crypto';
import { ADDRESS, MAIL, MAIL_DOMAIN } from '../../support/mail/mail-environment.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import { EHLO, FROM, row, type SmtpRow, TO, UNKNOWN } from './row.ts';
import { pipeline, say } from './steps.ts';

const lines = (...all: readonly string[]) => all.map((line) => `${line}\r\n`).join('');
const many = (count: number, line: string) => Array<string>(count).fill(line);

const WHOLE = `${lines(EHLO, FROM, TO, 'DATA')}${MAIL}.\r\n`;
const NO_TEST = '550 5.1.1 No test has this address';
const NOBODY = '551 5.1.6 Nobody reads';
const OTHERS = `550 5.7.1 This server accepts mail only for ${MAIL_DOMAIN}. Send to the address of your test, or create one at https://test.example.net`;
const INVALID = '501 5.1.7 The sender address is not valid.';
const OK = '250 2.1.0 The sender is accepted.';
const TAKEN = '250 2.1.5 The recipient is accepted.';

const RECIPIENTS = {
  [`<${TEST_ID.toUpperCase()}@IN.example.NET>`]: TAKEN,
  [`<zzzzzzzzzzzz@${MAIL_DOMAIN}>`]: `${NO_TEST}. It may be mistyped, or its test may have been deleted. Create a new test at https://test.example.net`,
  [`<${TEST_ID}+tag@${MAIL_DOMAIN}>`]: NO_TEST,
  [`<"${TEST_ID}"@${MAIL_DOMAIN}>`]: TAKEN,
  [`<"ab cd"@${MAIL_DOMAIN}>`]: NO_TEST,
  [`<samplereport@${MAIL_DOMAIN}>`]: NO_TEST,
  [`<${TEST_ID}@example.net>`]: OTHERS,
  [`<${TEST_ID}@[127.0.0.1]>`]: OTHERS,
  [`<postmaster@${MAIL_DOMAIN}>`]: `${NOBODY} mail sent to this address. Write to help@example.net instead.`,
  '<postmaster>': NOBODY,
  [`<abuse@${MAIL_DOMAIN}>`]: NOBODY,
  [`<${ADDRESS}> NOTIFY=NEVER`]: '555 5.5.4 ',
};

const SENDERS = {
  '<a@my_domain.example>': OK,
  '<a.@example.com>': OK,
  '<sender@example.com> SIZE=10 BODY=8BITMIME': OK,
  '<sender@example.com> SIZE=524288': OK,
  '<sender@example.com> SIZE=524289':
    '552 5.3.4 Your email is larger than the limit of 524288 bytes.',
  '<sender@example.com> SIZE=1 SIZE=2': '501 5.5.4 A parameter appears twice.',
  '<sender@example.com> SIZE=': '501 5.5.4 A parameter has no value.',
  '<sender@example.com> SIZE=x': '501 5.5.4 SIZE is not a number of bytes.',
  '<sender@example.com> BODY=BINARYMIME': '501 5.5.4 BODY is neither 7BIT nor 8BITMIME.',
  '<sender@example.com> SMTPUTF8=1': '501 5.5.4 SMTPUTF8 takes no value.',
  '<sender@example.com> REQUIRETLS': '555 5.5.4 ',
  'sender@example.com':
    '501 5.1.7 The sender address is not valid. Send it with its domain and in angle brackets',
  '<sender>': '501 5.1.7 The sender address is not valid. Send it with its domain',
  '<a@example.com.>': INVALID,
  '<a@[example]>': INVALID,
  '<sender@example.com> HOLDFOR=60': '555 5.5.4 ',
  '<sender@example.com> RET=HDRS': '555 5.5.4 ',
};

const NOT_KNOWN = '500 5.5.1 This command is not supported.';

/** Includes the library's own commands, and those of RFC 5321 that carry no email. */
const COMMANDS = {
  ...Object.fromEntries(
    ['WIZ', 'WIZ please', 'wiz x', 'SHELL', 'KILL', 'XFORWARD A=b', 'XCLIENT A=b'].map(
      (command) => [command, NOT_KNOWN],
    ),
  ),
  ...Object.fromEntries(
    ['DEBUG', 'constructor', '__proto__', ''].map((command) => [command, NOT_KNOWN]),
  ),
  // RFC 5321 §4.2.4: a known command that is not implemented gets a 502.
  ...Object.fromEntries(
    ['EXPN a', 'expn a', 'TURN', 'ETRN a', 'BDAT 5', 'SEND FROM:<a@b.c>'].map((command) => [
      command,
      '502 5.5.1 This command is not implemented here.',
    ]),
  ),
  'AUTH PLAIN': '502 5.5.1 No login is needed here.',
  'EHLO JOHNS PC': '501 5.5.4 EHLO needs the name of your server, without spaces',
  EHLO: '501 5.5.4 EHLO needs the name of your server',
  HELO: '501 5.5.4 EHLO needs the name of your server',
  HELP: '214 2.0.0 To send an email, use',
  'VRFY a': '252 2.5.0 Addresses are not verified here.',
  VRFY: '501 5.5.4 VRFY needs an address.',
  RSET: '250 2.0.0 The transaction was reset.',
  [TO]: '503 5.5.1 Send MAIL FROM first.',
  DATA: '503 5.5.1 No recipient has been accepted yet.',
  'STARTTLS now': '501 5.5.4 STARTTLS takes no parameter.',
  'DATA now': '501 5.5.4 DATA takes no parameter. Send only the command.',
  'RSET now': '501 5.5.4 RSET takes no parameter. Send only the command.',
  'QUIT now': '501 5.5.4 QUIT takes no parameter. Send only the command.',
  'RSET ': '250 2.0.0 The transaction was reset.',
  'NOOP now': '250 2.0.0 OK.',
};

/** The rules of every session catch a recipient after one that was refused. */
const BROKEN_SENDERS = [
  ...['<a\0b@example.com>', '<a@exam\0ple.com>', '<a@example.com> \0', '<@>', '<a@b@c.example>'],
  ...['a b@example.com', '<a@-.example>\0<b@example.com>'],
];

const ENVELOPES: Readonly<Record<string, object>> = {
  '<"john doe <a@b>"@example.com> SIZE=100': {
    from: { localPart: '"john doe <a@b>"', domain: 'example.com' },
    declaredBytes: 100,
  },
  '<>': { from: { localPart: '', domain: '', smtputf8: false } },
  '<j\xc3\xb6rg@b\xc3\xbccher.example> SMTPUTF8': {
    from: { localPart: 'j\u00f6rg', domain: 'xn--bcher-kva.example', smtputf8: true },
  },
};

/** Clients as a trusted relay states them: address and HELO. */
const CLIENTS: Readonly<Record<string, readonly [ip: string | null, helo: string]>> = {
  'ADDR=192.0.2.25': ['192.0.2.25', 'mail.example.com'],
  'ADDR=IPV6:2001:DB8::1': ['2001:db8::1', 'mail.example.com'],
  'ADDR=[UNAVAILABLE]': [null, 'mail.example.com'],
  'ADDR=192.0.2.25 HELO=stated.example': ['192.0.2.25', 'stated.example'],
};

const NO_SMTP = {
  'a web request': ['GET / HTTP/1.1'],
  'a TLS hello': [`\x16\x03\x01\x02\0${randomBytes(512).toString('latin1').replaceAll('\n', ' ')}`],
  'an endless line': ['A'.repeat(5000)],
  'an endless command': [`EHLO ${'a'.repeat(4092)}`],
};

const tls = (smuggled = '') => ({ do: 'tls', smuggled }) as const;
const relayed = { relays: { xclient: ['127.0.0.0/8'] } };
const atOnce = { limits: { unknownDelayMs: 0 } };

/** Commands and their replies, order and limits. */
export const commandRows: readonly SmtpRow[] = [
  ...[`${WHOLE}QUIT\r\n`, lines(EHLO), '\r\n'].map((early) =>
    row(
      `${early.length} octets before the greeting`,
      { early, steps: [] },
      '421 4.7.0 You sent a command before the greeting.',
    ),
  ),
  ...[WHOLE, 'EHLO evil.exa', 'RSET\r\n'].map((smuggled) =>
    row(
      `${smuggled.length} octets behind STARTTLS in plaintext`,
      [...say(EHLO), tls(smuggled)],
      '250 | 220',
    ),
  ),
  row(
    'a second STARTTLS, and the sender of before the first',
    [...say(EHLO, FROM, TO), tls(), ...say(EHLO, TO), tls(), ...say('DATA')],
    '/STARTTLS/ | 250*2 | 220 | /^(?!.*STARTTLS)250/s | 503*3',
  ),
  row(
    'a bare CR ends no command',
    say('EHLO a\rMAIL FROM:<sender@example.com>', TO),
    '/^[25]/ | 503',
  ),
  row('commands byte by byte', { steps: say(EHLO, FROM, TO), packet: 1 }, '250*3'),
  row('commands out of order', say(FROM, EHLO, TO, 'DATA'), '503 | 250 | 503*2'),
  row(
    'commands sent together',
    [...say(EHLO), pipeline(FROM, UNKNOWN, TO, 'NOOP')],
    '/PIPELINING[^]*ENHANCEDSTATUSCODES/ | 250 | 550 | 250*2',
  ),
  ...['\0', 'NO\0OP', 'NOOP\xff', '\x80\x81\x82', 'MAIL\0FROM:<a@example.com>'].map((command) =>
    row(
      `${JSON.stringify(command)} is no command`,
      say(EHLO, command, 'NOOP'),
      '250 | /^50[0-3] / | 250',
    ),
  ),
  ...Object.entries(NO_SMTP).map(([what, said]) =>
    row(`${what} is no SMTP`, say(...said), '/^(?:50|421)/'),
  ),
  row('the longest command, 4,096 octets with its end', say(`NOOP ${'a'.repeat(4089)}`), '250'),
  row('a command of more than 4,096 octets', say(`NOOP ${'a'.repeat(4092)}`), '421'),
  row(
    '101 commands without an email',
    { settings: atOnce, steps: say(...many(101, 'NOOP')) },
    '250*100 | 421 4.7.0 You sent too many commands',
  ),
  row(
    '16 recipients without a test',
    { settings: atOnce, steps: say(EHLO, FROM, ...many(16, UNKNOWN)) },
    '250*2 | 550*15 | 421 4.7.0 Too many of your recipients',
  ),
  row(
    'a mistyped recipient is answered at once, and the right one is taken',
    {
      settings: { limits: { unknownDelayMs: 60_000 } },
      steps: say(EHLO, FROM, UNKNOWN, UNKNOWN, TO),
    },
    '250*2 | 550*2 | 250',
  ),
  row(
    '17 transactions that are begun and given up',
    { settings: atOnce, steps: say(EHLO, ...many(16, '').flatMap(() => [FROM, TO, 'RSET']), FROM) },
    '250*49 | 421',
  ),
  ...Object.entries(COMMANDS).map(([command, reply]) =>
    row(`the command ${command}`, say(EHLO, command, 'NOOP'), `250 | ${reply} | 250 2.0.0 OK.`),
  ),
  ...Object.entries(SENDERS).map(([from, reply]) =>
    row(`MAIL FROM:${from}`, say(EHLO, `MAIL FROM:${from}`), `/250 SIZE 524288/ | ${reply}`),
  ),
  ...BROKEN_SENDERS.map((from) =>
    row(
      `MAIL FROM:${JSON.stringify(from)}`,
      say(EHLO, `MAIL FROM:${from}`, UNKNOWN),
      '250 | /^(?:250|501|553|555) / | /^5[05]/',
    ),
  ),
  ...Object.entries(ENVELOPES).map(([from, envelope]) =>
    row(`the receiver is given MAIL FROM:${from}`, say(EHLO, `MAIL FROM:${from}`, TO), '250*3', {
      envelope,
    }),
  ),
  ...Object.entries(RECIPIENTS).map(([to, reply]) =>
    row(`RCPT TO:${to}`, say(EHLO, FROM, `RCPT TO:${to}`), `250*2 | ${reply}`),
  ),
  row(
    'a second recipient goes separately',
    say(EHLO, FROM, TO, UNKNOWN),
    '250*3 | 452 4.5.3 Only one recipient is accepted per email. Send a separate email to each of the others.',
  ),
  row(
    'a recipient that is repeated is taken again',
    say(EHLO, FROM, TO, TO, TO.toUpperCase(), UNKNOWN, TO),
    `250*3 | ${TAKEN} | ${TAKEN} | 452 | ${TAKEN}`,
  ),
  row(
    'SMTPUTF8 ends with the sender that is refused',
    say(EHLO, 'MAIL FROM:<a@[x]> SMTPUTF8', FROM, TO),
    '250 | 501 | 250*2',
    { envelope: { from: { localPart: 'sender', domain: 'example.com', smtputf8: false } } },
  ),
  row(
    'a recipient that is refused leaves the place to the next',
    say(EHLO, FROM, UNKNOWN, TO),
    `250*2 | 550 | ${TAKEN}`,
  ),
  ...[[], ['192.0.2.0/24'], ['::1/128']].map((xclientFrom) =>
    row(
      `XCLIENT from a peer outside of [${xclientFrom}]`,
      {
        settings: { relays: { xclient: xclientFrom } },
        steps: [...say(EHLO), pipeline('XCLIENT ADDR=192.0.2.25 HELO=trusted.example', FROM, TO)],
      },
      '/^(?!.*XCLIENT)250/s | 500 | 250*2',
      { envelope: { client: { ip: '127.0.0.1', helo: 'mail.example.com', source: 'smtp' } } },
    ),
  ),
  ...Object.entries(CLIENTS).map(([stated, [ip, helo]]) =>
    row(
      `XCLIENT ${stated} from a relay that is trusted`,
      {
        settings: relayed,
        steps: say('EHLO relay.example.net', `XCLIENT ${stated}`, EHLO, FROM, TO),
      },
      '/XCLIENT/ | 220 | 250*3',
      {
        envelope: {
          client: {
            ip,
            helo,
            source: 'xclient',
            tls: { status: 'not_observable', version: null, cipher: null },
          },
        },
      },
    ),
  ),
  ...['AUTH PLAIN', 'XFORWARD ADDR=192.0.2.1', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2'].map(
    (command) =>
      row(
        `${command} is never a command`,
        { settings: relayed, steps: say(EHLO, command) },
        '/^(?!.*(?:AUTH|XFORWARD))250/s | /^50[02]/',
      ),
  ),
];
