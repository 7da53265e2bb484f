/** Lists emails of every kind and size with the SMTP replies that they must get. */

import { anEvent } from '../../support/log/events.ts';
import { ADDRESS, MAIL } from '../../support/mail/mail-environment.ts';
import { T0 } from '../../support/process/instants.ts';
import { EHLO, FROM, mail, refusing, row, type SmtpRow, TAKEN, TO } from './row.ts';
import { say } from './steps.ts';

const SMUGGLED = `MAIL FROM:<evil@example.org>\r\nRCPT TO:<${ADDRESS}>\r\nDATA\r\nX: smuggled\r\n`;

/** Sequences that do not end the data, although some server once treated them as the end. */
export const NO_ENDS = [
  ...['\n.\n', '\n.\r\n', '\r.\r', '\r.\r\n', '\r\n.\n', '\r\n.\r', '\n.\r', '\r\n\0.\r\n'],
  ...['\r\n.\0\r\n', '\r\n.\r\0\n', '\r\n.\r\r\n'],
];

/** Lines with dots, as they are sent and as they arrive. */
const DOTS = {
  '..\r\n': '.\r\n',
  '..dot\r\n': '.dot\r\n',
  'a\r\n..\r\nb\r\n': 'a\r\n.\r\nb\r\n',
  'a\r\n...\r\n': 'a\r\n..\r\n',
  'a\r\n.b\r\n': 'a\r\n.b\r\n',
  'a..b\r\n': 'a..b\r\n',
  // A doubled dot after a bare LF loses one too. That is the library's behaviour, and bare LF is the email's
  // fault.
  'a\n..b\r\n': 'a\n.b\r\n',
};

const CONTENTS = {
  'NUL and 8-bit octets': `X: y\r\n\r\n${Buffer.from([...Array(256).keys()]).toString('latin1')}\r\n`,
  'nothing but bare LF': 'X: y\n\na\nb\r\n',
  'nothing but bare CR': 'X: y\r\ra\rb\r\n',
  'no line end at all': `X: ${'a'.repeat(60_000)}\r\n`,
  'no header': '\r\nbody\r\n',
  'UTF-8 in its header': 'Subject: \xc3\xa4\xf0\x9f\x90\xa6\r\n\r\n\xc3\r\n',
};

/** Header blocks, each over one limit. */
const MALFORMED = {
  'header size in bytes is over the limit of 262144': `X: ${'a'.repeat(60_000)}\r\n`.repeat(5),
  'number of header fields is over the limit of 1000': 'X: a\r\n'.repeat(1001),
  'header field size in bytes is over the limit of 65536': `X: ${'a'.repeat(70_000)}\r\n`,
};

const arrived = anEvent('MailArrived', 60);

/** The earlier events, the seconds since the creation, and the reply. */
const STATES = {
  processing: [[arrived], 61, '451 4.3.0 An earlier email to this address is being analysed.'],
  closed: [[anEvent('WindowClosed', 3600)], 3601, '550 5.7.1 This test address is closed'],
  'past its window': [[], 3600, '550 5.7.1 This test address is closed'],
  expired: [[anEvent('Expired', 86_400)], 86_401, '550 5.1.1 No test has this address'],
  ready: [[arrived, anEvent('AnalysisDone', 61)], 62, '250 2.1.5 The recipient is accepted.'],
} as const;

const MAX_BYTES = 524_288;
const sized = (bytes: number) => `${MAIL}${'a'.repeat(bytes - MAIL.length - 2)}\r\n`;

/** Emails of every kind and size, and tests in every state. */
export const mailRows: readonly SmtpRow[] = [
  ...Object.entries(DOTS).map(([sent, arrives]) =>
    row(
      `${JSON.stringify(sent)} arrives as ${JSON.stringify(arrives)}`,
      { steps: mail(`X: y\r\n\r\n${sent}`), before: refusing },
      `${TAKEN} | 554`,
      { texts: [`X: y\r\n\r\n${arrives}`] },
    ),
  ),
  ...NO_ENDS.map((sequence) => {
    const content = `X: y\r\n\r\na${sequence}${SMUGGLED}`;
    return row(
      `${JSON.stringify(sequence)}, byte by byte, does not end the data`,
      // If anything in it were a command, the reply to HELP would not be the next one.
      { steps: [...mail(content), ...say('HELP')], packet: 1, before: refusing },
      `${TAKEN} | 554 5.7.1 Refused | 214`,
      { texts: [content] },
    );
  }),
  ...Object.entries(CONTENTS).map(([what, content]) =>
    row(
      `an email of ${what} arrives as it was sent`,
      { steps: mail(content.replaceAll(/(^|\n)\./g, '$1..')), before: refusing },
      `${TAKEN} | 554 5.7.1`,
      { texts: [content] },
    ),
  ),
  ...Object.entries(MALFORMED).map(([what, header]) =>
    row(
      what,
      mail(`${header}\r\nbody\r\n`),
      `${TAKEN} | 554 5.6.0 Refused: ${what}. Send an email within this limit to the same address.`,
    ),
  ),
  row(
    'an empty message',
    mail(''),
    `${TAKEN} | 554 5.6.0 Refused: the message is empty. Send one with a header and a body.`,
  ),
  row(
    'a message of blank lines',
    mail(' \r\n\r\n\t\r\n'),
    `${TAKEN} | 554 5.6.0 Refused: the message is empty.`,
  ),
  row(
    'an email as large as the limit',
    { steps: mail(sized(MAX_BYTES)), before: refusing },
    `${TAKEN} | 554 5.7.1`,
    { texts: [sized(MAX_BYTES)] },
  ),
  row(
    'an email of one byte more than the limit',
    mail(sized(MAX_BYTES + 1), 'NOOP'),
    `${TAKEN} | 552 5.3.4 Your email is larger than the limit of 524288 bytes. Send a smaller one to the same address. | 250`,
  ),
  row(
    'no memory at the end of the data',
    { settings: { environment: { mailMemoryBytes: 100_000 } }, steps: mail(sized(90_000)) },
    `${TAKEN} | 452 4.3.1 The memory for emails is full, and of the networks that can make room, none uses more than yours.`,
  ),
  row(
    'what follows the true end is the next command',
    { steps: mail(MAIL, FROM, TO), before: refusing },
    `${TAKEN} | 554 | 250*2`,
    { texts: [MAIL] },
  ),
  ...Object.entries(STATES).map(([state, [events, after, reply]]) =>
    row(
      `a test that is ${state}`,
      {
        steps: say(EHLO, FROM, TO),
        async before(environment) {
          await environment.append(...events);
          environment.time.now = T0 + after * 1000;
        },
      },
      `250*2 | ${reply}`,
      { events: ['TestCreated', ...events.map(({ type }) => type)] },
    ),
  ),
  row(
    'a log that is away',
    { steps: say(EHLO, FROM, TO), before: ({ tests }) => tests.disconnect() },
    '250*2 | 451 4.3.0 The problem is with this service, not with your email. Try again in a few minutes.',
  ),
];
