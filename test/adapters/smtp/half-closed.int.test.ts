/**
 * Tests SMTP clients that close only their half of the connection, and how failed TLS handshakes
 * are logged.
 */

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { ADDRESS, MAIL } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const ENVELOPE = `EHLO mail.example.com\r\nMAIL FROM:<sender@example.com>\r\nRCPT TO:<${ADDRESS}>\r\n`;

/** Reads until a line matches, and afterwards until the server has closed. */
function reader(socket: Socket) {
  let text = '';
  let wake = () => {};
  let isClosed = false;
  socket.on('data', (chunk) => {
    text += chunk;
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const until = async (isDone: () => boolean) => {
    while (!isDone() && !isClosed)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return text;
  };
  return {
    until: (line: RegExp) => until(() => line.test(text)),
    closed: () => until(() => false),
  };
}

const open = (port: number) => connect({ port, host: '127.0.0.1', allowHalfOpen: true });

test.each([
  ['the final dot', `${MAIL}\r\n.\r\n`, /^250 2\.0\.0 Your email was analysed/m],
  [
    'QUIT',
    `${MAIL}\r\n.\r\nQUIT\r\n`,
    /^250 2\.0\.0 Your email was[\s\S]+^221 2\.0\.0 Goodbye\.\r\n$/m,
  ],
])('a client that closes its half with %s reads the reply to its email', async (_, last, reply) => {
  const environment = await smtpEnvironment();
  const socket = open(environment.port);
  const { until, closed } = reader(socket);
  await until(/^220 /m);
  socket.write(`${ENVELOPE}DATA\r\n`);
  await until(/^354 /m);
  socket.end(last);
  expect(await closed()).toMatch(reply);
});

test('a client that closes its half of an encrypted connection reads the reply to its email', async () => {
  const environment = await smtpEnvironment();
  const plain = open(environment.port);
  await new Promise((resolve) => plain.once('data', resolve));
  plain.write('EHLO mail.example.com\r\nSTARTTLS\r\n');
  await new Promise<void>((resolve) => {
    plain.on('data', (chunk) => /^220 /m.test(String(chunk)) && resolve());
  });
  plain.removeAllListeners('data');
  const socket = connectTls({ socket: plain, rejectUnauthorized: false });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const { until, closed } = reader(socket);
  socket.write(`${ENVELOPE}DATA\r\n`);
  await until(/^354 /m);
  socket.end(`${MAIL}\r\n.\r\n`);
  expect(await closed()).toMatch(/^250 2\.0\.0 Your email was analysed/m);
});

test.each([
  ['nothing', ''],
  ['its envelope', ENVELOPE],
  ['a part of its email', `${ENVELOPE}DATA\r\n${MAIL}`],
  ['a command without an end', 'NOOP'],
  ['a handshake that it does not begin', 'EHLO mail.example.com\r\nSTARTTLS\r\n'],
])('a client that closes its half after %s is released at once', async (_, said) => {
  const environment = await smtpEnvironment();
  const socket = open(environment.port);
  const { until, closed } = reader(socket);
  await until(/^220 /m);
  socket.end(said);
  await closed();
  expect(environment.types()).toEqual(['TestCreated']);
  await expect.poll(environment.mailBuffer.bytes).toBe(0);
});

test('failed handshakes are logged as one line, however many there are', async () => {
  const environment = await smtpEnvironment();
  for (let n = 0; n < 5; n++) {
    const client = await environment.connect();
    await client.send('EHLO mail.example.com');
    await client.send('STARTTLS');
    client.write('no TLS hello at all\r\n');
    await client.closed;
  }
  const lines = environment.lines.filter(({ msg }) => msg === 'smtp connection failed');
  expect(lines).toHaveLength(1);
});
