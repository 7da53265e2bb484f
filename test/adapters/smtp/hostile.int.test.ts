import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ADDRESS, MAIL, refused } from '../../support/mail/mail-environment.ts';
import { type SmtpEnvironment, smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const GREET = ['EHLO mail.example.com', 'MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`];
const all = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('');

/** Nothing came of it: no event, no byte in memory, and the next sender is served. */
async function expectUnharmed(environment: SmtpEnvironment) {
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  expect(environment.types()).toEqual(['TestCreated']);
  expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Your mail is analysed/);
}

/** The whole conversation of a client that listens to nothing. */
async function blurt(environment: SmtpEnvironment, text: string): Promise<string> {
  const client = await environment.connect(false);
  await client.connected;
  client.write(text);
  return client.closed;
}

describe('a whole session before the greeting', () => {
  test.each([
    ['a mail', `${all(...GREET, 'DATA')}${MAIL}.\r\nQUIT\r\n`],
    ['one command', 'EHLO mail.example.com\r\n'],
    ['an empty line', '\r\n'],
  ])('%s is answered 421, and nothing of it is done', async (_, text) => {
    const environment = await smtpEnvironment();
    const reply = await blurt(environment, text);
    expect(reply).toMatch(/^421 [^\r\n]*talk too soon\r\n$/);
    expect(environment.envelopes).toEqual([]);
    await expectUnharmed(environment);
  });
});

describe('what is behind STARTTLS in plaintext', () => {
  test.each([
    ['a mail', `${all(...GREET, 'DATA')}${MAIL}.\r\n`],
    ['half a command', 'EHLO evil.exa'],
    ['RSET', 'RSET\r\n'],
  ])('%s is not done after the handshake', async (_, smuggled) => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    await client.send('EHLO mail.example.com');
    client.write(`STARTTLS\r\n${smuggled}`);
    expect(await client.reply()).toMatch(/^220 /);
    // The octets of a command are no TLS record: the connection ends, whatever is said then.
    client.write('QUIT\r\n');
    expect(await client.closed).not.toMatch(/\d{3} /);
    expect(environment.envelopes).toEqual([]);
    await expectUnharmed(environment);
  });

  test('the sender of before does not count, nor does a second STARTTLS', async () => {
    const environment = await smtpEnvironment();
    const { client } = await environment.upTo('RCPT');
    await client.startTls();
    expect(await client.send('EHLO mail.example.com')).not.toContain('STARTTLS');
    expect(await client.send('STARTTLS')).toMatch(/^503 /);
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^503 /);
    expect(await client.send('DATA')).toMatch(/^503 /);
    client.vanish();
    await expectUnharmed(environment);
  });
});

describe('bare ends of lines among commands', () => {
  test('a bare CR ends no command', async () => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    expect(await client.send('EHLO a\rMAIL FROM:<sender@example.com>')).toMatch(/^[25]\d\d/);
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^503 /);
    client.vanish();
    await expectUnharmed(environment);
  });

  test('a command is the same however its bytes arrive', async () => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    for (const byte of Buffer.from(all(...GREET))) {
      client.write(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    const replies = [await client.reply(), await client.reply(), await client.reply()];
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '250']);
  });

  test.each(['\0', 'NO\0OP', 'NOOP\xff', '\x80\x81\x82', 'MAIL\0FROM:<a@example.com>'])(
    '%j is no command, and the session goes on',
    async (command) => {
      const environment = await smtpEnvironment();
      const client = await environment.connect();
      await client.send('EHLO mail.example.com');
      expect(await client.send(command)).toMatch(/^50[0-3] /);
      expect(await client.send('NOOP')).toMatch(/^250 /);
    },
  );

  test.each([
    'MAIL FROM:<a\0b@example.com>',
    'MAIL FROM:<a@exam\0ple.com>',
    'MAIL FROM:<a@example.com> \0',
    'MAIL FROM:<@>',
    'MAIL FROM:<a@b@c.example>',
    'MAIL FROM:a b@example.com',
    'MAIL FROM:<a@-.example>\0<b@example.com>',
  ])('%j opens nothing that a recipient could be added to', async (command) => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    await client.send('EHLO mail.example.com');
    const reply = await client.send(command);
    if (!reply.startsWith('250'))
      expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^503 /);
    expect(reply).toMatch(/^(?:250|501|553|555) /);
  });
});

describe('content of every kind', () => {
  test.each([
    [
      'NUL and 8-bit octets',
      `X: y\r\n\r\n${Buffer.from([...Array(256).keys()]).toString('latin1')}\r\n`,
    ],
    ['nothing but bare LF', 'X: y\n\na\nb\r\n'],
    ['nothing but bare CR', 'X: y\r\ra\rb\r\n'],
    ['no line end at all', `X: ${'a'.repeat(60_000)}\r\n`],
    ['no header', '\r\nbody\r\n'],
    ['UTF-8 in its header', 'Subject: \xc3\xa4\xf0\x9f\x90\xa6\r\n\r\n\xc3\r\n'],
  ])('%s arrives as it was sent', async (_, content) => {
    const environment = await smtpEnvironment();
    environment.inspection.gate = async () => refused;
    const sent = content.replaceAll(/(^|\n)\./g, '$1..');
    expect(await environment.deliver(sent.replace(/\r\n$/, ''))).toMatch(/^554 5\.7\.1/);
    expect(environment.inspection.texts).toEqual([content]);
  });
});

describe('XCLIENT from a stranger', () => {
  test.each(['before EHLO', 'in front of a mail'])('%s changes nothing', async (when) => {
    const environment = await smtpEnvironment({ xclientFrom: ['192.0.2.0/24'] });
    const client = await environment.connect();
    if (when !== 'before EHLO') await client.send('EHLO mail.example.com');
    client.write(all('XCLIENT ADDR=192.0.2.99 HELO=trusted.example', ...GREET));
    expect(await client.reply()).toMatch(/^500 /);
    for (let i = 0; i < 3; i++) expect(await client.reply()).toMatch(/^250/);
    expect(environment.envelopes[0]?.client).toMatchObject({
      ip: '127.0.0.1',
      helo: 'mail.example.com',
      source: 'smtp',
    });
  });

  test('one that was trusted once does not reach beyond its connection', async () => {
    const environment = await smtpEnvironment({ xclientFrom: ['127.0.0.0/8'] });
    const relay = await environment.connect();
    await relay.sendAll('EHLO relay.example', 'XCLIENT ADDR=192.0.2.99', ...GREET);
    const direct = await environment.upTo('RCPT');
    expect(direct.last).toMatch(/^250/);
    expect(environment.envelopes.map(({ client }) => client.ip)).toEqual([
      '192.0.2.99',
      '127.0.0.1',
    ]);
  });
});

describe('slow loris', () => {
  const limits = { idleMs: 400, windowMs: 100, sweepMs: 20 };

  test('a header that trickles is cut off, and so is one byte of a command at a time', async () => {
    const environment = await smtpEnvironment({ limits });
    const { client: inData } = await environment.upTo('DATA');
    const trickle = setInterval(() => inData.write('X'), 20);
    await inData.closed;
    clearInterval(trickle);
    const silent = await environment.connect();
    silent.write('NOO');
    expect(await silent.closed).toMatch(/^421 /);
    await expectUnharmed(environment);
  });

  test('many that trickle at once hold neither memory nor places', async () => {
    const environment = await smtpEnvironment({
      // All of them connect first, however busy the machine is.
      limits: { idleMs: 20_000, windowMs: 3000, sweepMs: 20 },
      maxClients: 30,
    });
    const slow = await Promise.all(Array.from({ length: 25 }, () => environment.upTo('DATA')));
    const trickle = setInterval(() => {
      for (const { client } of slow) client.write('X');
    }, 20);
    await Promise.all(slow.map(({ client }) => client.closed));
    clearInterval(trickle);
    await expectUnharmed(environment);
  });
});

test('two thousand idle connections do not keep a sender out', async () => {
  const environment = await smtpEnvironment({ maxClients: 1000 });
  const idle: Socket[] = [];
  try {
    for (let i = 0; i < 2000; i += 50) {
      const more = Array.from({ length: 50 }, () => connect(environment.port, '127.0.0.1'));
      idle.push(...more);
      await Promise.all(
        more.map(
          (one) => new Promise((resolve) => one.on('error', resolve).once('connect', resolve)),
        ),
      );
    }
    expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Your mail is analysed/);
  } finally {
    for (const one of idle) one.destroy();
  }
});
