/**
 * Tests where the content of an email ends in an SMTP session, what happens if the client vanishes,
 * and how many emails for one test are read at once.
 */

import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { describe, expect, test } from 'vitest';
import { NO_ENDS } from '../../edge/smtp/mail-rows.ts';
import { ADDRESS, MAIL, passing, refused } from '../../support/mail/mail-environment.ts';
import type { SmtpClient } from '../../support/mail/smtp-client.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const again = ['MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`, 'DATA'];

const SMUGGLED = `MAIL FROM:<evil@example.org>\r\nRCPT TO:<${ADDRESS}>\r\nDATA\r\nX: smuggled\r\n`;

describe.each(NO_ENDS)('%j does not end the data', (sequence) => {
  test('wherever a chunk ends', () => {
    const content = Buffer.from(`X: y\r\n\r\na${sequence}${SMUGGLED}`, 'latin1');
    const wire = Buffer.concat([content, Buffer.from('.\r\n')]);
    for (let first = 0; first <= wire.length; first++)
      for (const second of [first, first + 1, first + 3]) {
        const parts = [
          wire.subarray(0, first),
          wire.subarray(first, second),
          wire.subarray(second),
        ];
        expect(parse(parts)).toEqual({ commands: [], content: content.toString('latin1') });
      }
  });
});

test('CRLF dot CRLF ends the data, wherever a chunk ends', () => {
  const wire = Buffer.from(`X: y\r\n\r\na\r\n.\r\n${SMUGGLED}`, 'latin1');
  const commands = SMUGGLED.trimEnd().split('\r\n');
  for (let first = 0; first <= wire.length; first++) {
    const parts = [wire.subarray(0, first), wire.subarray(first)];
    expect(parse(parts)).toEqual({ commands, content: 'X: y\r\n\r\na\r\n' });
  }
});

/** Returns what the library makes of these chunks in data mode. */
function parse(parts: readonly Buffer[]) {
  const commands: string[] = [];
  const kept: Buffer[] = [];
  const stream = new SMTPStream();
  stream.oncommand = (command: Buffer, done: () => void) => {
    commands.push(command.toString());
    done();
  };
  const data = stream.startDataMode(1_000_000);
  data.on('data', (chunk: Buffer) => kept.push(chunk));
  for (const part of parts) stream.write(part);
  stream.continue();
  for (let chunk = data.read(); chunk !== null; chunk = data.read()) kept.push(chunk);
  return { commands, content: Buffer.concat(kept).toString('latin1') };
}

test('a client that vanishes during its data leaves no event and no byte', async () => {
  const environment = await smtpEnvironment();
  const { client } = await environment.upTo('DATA');
  client.write(MAIL.padEnd(50_000, 'a'));
  await expect.poll(() => environment.mailBuffer.bytes()).toBeGreaterThan(0);
  client.vanish();
  await expect.poll(() => environment.outcomes).toEqual(['broken_off']);
  expect(environment.mailBuffer.bytes()).toBe(0);
  expect(environment.inspection.begun).toEqual([]);
  expect(environment.types()).toEqual(['TestCreated']);
});

test('a client that vanishes after its data is recognized when it tries again', async () => {
  const environment = await smtpEnvironment();
  const held = Promise.withResolvers<void>();
  environment.inspection.gate = async () => {
    await held.promise;
    return { ...refused, resolverDown: true };
  };
  const { client } = await environment.upTo('DATA');
  client.write(`${MAIL}.\r\n`);
  await expect.poll(() => environment.inspection.texts).toHaveLength(1);
  client.vanish();
  held.resolve();
  await expect.poll(() => environment.outcomes).toEqual(['resolver_down']);
  expect(environment.mailBuffer.bytes()).toBe(0);
});

test('a client that vanishes between RCPT and DATA leaves nothing', async () => {
  const environment = await smtpEnvironment();
  const { client } = await environment.upTo('RCPT');
  client.vanish();
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  expect(environment.inspection.begun).toEqual([]);
});

test('a client that vanishes while its recipient is looked up leaves nothing', async () => {
  const environment = await smtpEnvironment();
  const held = Promise.withResolvers<void>();
  const { accept } = environment.receiver;
  environment.receiver.accept = async (envelope) => {
    const answer = await accept(envelope);
    await held.promise;
    return answer;
  };
  const client = await environment.connect();
  await client.sendAll('EHLO mail.example.com', 'MAIL FROM:<sender@example.com>');
  client.write(`RCPT TO:<${ADDRESS}>\r\n`);
  await expect.poll(() => environment.envelopes).toHaveLength(1);
  client.vanish();
  // Gives the server time to see it. Otherwise, another path frees the same memory.
  await new Promise((resolve) => setTimeout(resolve, 50));
  held.resolve();
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  expect(environment.inspection.begun).toEqual([]);
});

test.each(['RSET', 'EHLO mail.example.com'])('%s frees the memory', async (command) => {
  const environment = await smtpEnvironment({ limits: { sweepMs: 20 } });
  const { client } = await environment.upTo('RCPT');
  await client.send(command);
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  expect(await client.sendAll(...again)).toMatch(/^354 /);
});

test('of simultaneous copies, two are read, the others wait outside, and one is analysed', async () => {
  const size = 400_000;
  const environment = await smtpEnvironment({ environment: { mailMemoryBytes: 8 * size } });
  const full = Promise.withResolvers<void>();
  environment.inspection.gate = async () => {
    await full.promise;
    return passing;
  };
  const connectTo = async () => {
    const client = await environment.connect();
    await client.sendAll('EHLO mail.example.com', `MAIL FROM:<sender@example.com> SIZE=${size}`);
    return client;
  };
  const send = async (client: SmtpClient) => {
    await client.send('DATA');
    client.write(`${MAIL.padEnd(size - 2, 'a')}\r\n.\r\n`);
  };
  const first = await connectTo();
  const second = await connectTo();
  for (const client of [first, second]) {
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^250 /);
    await send(client);
  }
  await expect.poll(() => environment.inspection.texts).toHaveLength(2);
  const third = await connectTo();
  expect(await third.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^451 4\.3\.0 Two emails/);
  expect(environment.mailBuffer.bytes()).toBe(2 * 7 * 64 * 1024);
  full.resolve();
  // The sender of the other copy is told that an analysis is running, or that it is done.
  const replies = [await first.reply(), await second.reply()].map((reply) => reply.slice(0, 3));
  expect(replies).toContain('250');
  for (const code of replies) expect(code).toMatch(/^(?:250|451)$/);
  expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  expect(environment.mailBuffer.bytes()).toBe(0);
});

test('a client that holds transactions of a test open without data gives way to a sender', async () => {
  const environment = await smtpEnvironment();
  const holders = [await environment.upTo('RCPT'), await environment.upTo('RCPT')];
  expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Your email was analysed/);
  const [oldest] = holders;
  expect(await oldest?.client.closed).toMatch(/^421 4\.3\.0 A newer email to this address/);
});
