/** Generates random SMTP sessions. */

import fc from 'fast-check';
import type { Session, Step } from './steps.ts';

type Text = fc.Arbitrary<string>;

const one = (...words: [string, ...string[]]): Text => fc.constantFrom(...words);
const weighted = (...all: readonly [weight: number, arbitrary: Text][]): Text =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const noise = (longest: number): Text =>
  fc
    .uint8Array({ maxLength: longest, size: 'max' })
    .map((bytes) => `~${Buffer.from(bytes).toString('latin1').replaceAll('\n', ' ')}`);

const hello = one('EHLO mail.example.com', 'HELO [192.0.2.1]', 'ehlo x');
const mailFrom = one(
  'MAIL FROM:<sender@example.com>',
  'MAIL FROM:<>',
  'MAIL FROM:<sender@example.com> SIZE=1000 BODY=8BITMIME',
  'MAIL FROM:<s\xc3\xb6nder@b\xc3\xbccher.example> SMTPUTF8',
  'mail from:<"quoted local"@example.com>',
  'MAIL FROM:<@relay.example:sender@example.com>',
  'MAIL FROM:<sender@example.com> SIZE=99999999',
  'MAIL FROM:<sender@example.com> SIZE=-1',
);

/** A command in which one octet is inserted or replaced, but never by a line end. */
const mutant = fc
  .tuple(
    fc.oneof(mailFrom, hello, one('RSET')),
    fc.nat(60),
    one(...('\0\xff\t <>@\r=\x1b'.split('') as [string])),
    fc.nat(1),
  )
  .map(([line, at, put, gone]) => line.slice(0, at) + put + line.slice(at + gone));

const command = (address: string): Text =>
  weighted(
    [3, mailFrom],
    [
      4,
      one(
        `RCPT TO:<${address}>`,
        `RCPT TO:<${address.toUpperCase()}>`,
        'rcpt to:<zzzzzzzzzzzz@in.example.net>',
        `RCPT TO:<${address}> ORCPT=rfc822;a@example.com`,
        'RCPT TO:<someone@example.com>',
        'RCPT TO:<postmaster>',
        'RCPT TO:<>',
        'RCPT TO:<a@b@c>',
      ),
    ],
    [2, hello],
    [4, one('RSET', 'NOOP', 'HELP', 'VRFY someone', 'EXPN list', 'NOOP x')],
    [
      2,
      one(
        'AUTH PLAIN AGEAYg==',
        'XCLIENT ADDR=192.0.2.25 NAME=mail.example.com',
        'XCLIENT ADDR=[UNAVAILABLE] HELO=stated.example',
        'XCLIENT ADDR=not-an-address',
        'XFORWARD ADDR=192.0.2.1',
        'XFORWARD NAME=[UNAVAILABLE] ADDR=IPV6:2001:db8::1 HELO=[UNAVAILABLE]',
        'XFORWARD HELO=a+0D+0Ab',
        'BDAT 10 LAST',
        'ETRN example.com',
        'TURN',
      ),
    ],
    [3, mutant],
    [2, noise(60)],
  );

const NO_ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\n\0.\r\n',
] as const;

function content(address: string): Text {
  const smuggled = `MAIL FROM:<evil@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\nX: y\r\n`;
  const piece = fc.oneof(
    one(
      'From: <sender@example.com>\r\nSubject: hello\r\n\r\nA body.\r\n',
      '..\r\n...\r\n.dot\r\n',
      '',
    ),
    noise(300).map((text) => `X: ${text}\r\n`),
    fc.constantFrom(...NO_ENDS).map((end) => `a${end}${smuggled}`),
    fc.nat(1200).map((lines) => 'X: y\r\n'.repeat(lines)),
    fc.nat(90_000).map((length) => `${'a'.repeat(length)}\r\n`),
  );
  return fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
}

/** Returns mostly nearly correct sessions, so that every state is reached. */
export function randomSession(address: string): fc.Arbitrary<Session> {
  const line = command(address);
  const data = fc.record({
    do: fc.constant('data' as const),
    content: content(address),
    ends: fc.nat(9).map((n) => n > 0),
    next: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: mailFrom.map((from) => ['NOOP', from]) },
    ),
  });
  const saying = (lines: fc.Arbitrary<string[]>) =>
    lines.map((all): Step[] => [{ do: 'say', lines: all }]);
  const steps = fc.oneof(
    { weight: 55, arbitrary: saying(fc.array(line, { minLength: 1, maxLength: 10 })) },
    {
      weight: 33,
      arbitrary: fc
        .tuple(mailFrom, data)
        .map(([from, mail]): Step[] => [
          { do: 'say', lines: ['RSET', from, `RCPT TO:<${address}>`] },
          mail,
        ]),
    },
    { weight: 8, arbitrary: data.map((mail): Step[] => [mail]) },
    {
      weight: 2,
      arbitrary: one('', 'EHLO evil.example\r\nQUIT\r\n').map((smuggled): Step[] => [
        { do: 'tls', smuggled },
      ]),
    },
    { weight: 1, arbitrary: fc.constant<Step[]>([{ do: 'vanish' }]) },
    { weight: 1, arbitrary: saying(noise(5000).map((text) => [text])) },
  );
  return fc.record({
    early: fc.oneof(
      { weight: 49, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: line.map((text) => `${text}\r\n`) },
    ),
    steps: fc
      .tuple(hello, fc.array(steps, { maxLength: 12 }))
      .map(([first, all]): Step[] => [{ do: 'say', lines: [first] }, ...all.flat()]),
    packet: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 5 }),
  });
}
