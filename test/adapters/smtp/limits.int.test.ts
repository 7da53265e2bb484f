/**
 * Tests which SMTP connections are closed at the server's limits, because they are slow, or when
 * the server stops.
 */

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MAIL, passing } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import { elapse } from '../../support/process/elapse.ts';

describe('connections', () => {
  const GAVE_WAY =
    '421 4.3.2 All connections are in use, and your network uses the largest share. This connection has been the least active, so it is being closed to make room. Try again in a minute.\r\n';

  test('at the limit, the least progressed one gives way, whatever commands it sends', async () => {
    const environment = await smtpEnvironment({ maxClients: 3 });
    const busy = await environment.upTo('DATA');
    busy.client.write(MAIL);
    const holder = await environment.upTo('RCPT');
    await holder.client.send('NOOP');
    const younger = await environment.connect();
    busy.client.write('a'.repeat(100_000));
    elapse(20_000);
    const { last } = await environment.upTo('RCPT');
    expect(await holder.client.closed).toBe(GAVE_WAY);
    expect(last).toBe('250 2.1.5 The recipient is accepted.');
    expect(await younger.send('NOOP')).toMatch(/^250 /);
    busy.client.write('\r\n.\r\n');
    expect(await busy.client.reply()).toMatch(/^250 2/);
  });

  test('a client that sends data gives way as well, and its memory is free at once', async () => {
    const environment = await smtpEnvironment({ maxClients: 2 });
    const slow = await environment.upTo('DATA');
    slow.client.write(MAIL);
    await expect.poll(() => environment.mailBuffer.bytes()).toBeGreaterThan(0);
    await environment.connect();
    const newcomer = await environment.connect(false);
    expect(await newcomer.reply()).toMatch(/^220 /);
    expect(await slow.client.closed).toBe(GAVE_WAY);
    await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  });

  test('a client that has sent the final dot keeps its connection, and takes no place', async () => {
    const environment = await smtpEnvironment({ maxClients: 1 });
    const { promise, resolve } = Promise.withResolvers<typeof passing>();
    environment.inspection.gate = () => promise;
    const { client } = await environment.upTo('DATA');
    client.write(`${MAIL}.\r\n`);
    await expect.poll(() => environment.inspection.begun.length).toBe(1);
    const newcomer = await environment.connect(false);
    expect(await newcomer.reply()).toMatch(/^220 /);
    resolve(passing);
    expect(await client.reply()).toMatch(/^250 2/);
  });

  test('a third copy for one test ends the least progressed of the others, which is told why', async () => {
    const environment = await smtpEnvironment();
    const copies = [];
    for (let n = 0; n < 5; n++) copies.push(await environment.upTo('DATA'));
    for (const { client } of copies.slice(0, 3))
      expect(await client.closed).toBe(
        '421 4.3.0 A newer email to this address replaces this one: only two may arrive at a time. Try again in a few minutes.\r\n',
      );
    copies.at(-1)?.client.write(`${MAIL}.\r\n`);
    expect(await copies.at(-1)?.client.reply()).toMatch(/^250 2/);
  });

  test('each of several simultaneous newcomers makes one idle client give way', async () => {
    const environment = await smtpEnvironment({ maxClients: 2 });
    await environment.connect();
    await environment.connect();
    const newcomers = await Promise.all([environment.connect(false), environment.connect(false)]);
    for (const newcomer of newcomers) expect(await newcomer.reply()).toMatch(/^220 /);
  });

  test('a client that has ended its session and lingers takes no place', async () => {
    const environment = await smtpEnvironment({ maxClients: 2 });
    const lingering = connect({ port: environment.port, host: '127.0.0.1', allowHalfOpen: true });
    lingering.on('data', (chunk) => {
      if (chunk.toString().startsWith('220 ')) lingering.write('QUIT\r\n');
    });
    await once(lingering, 'end');
    const idle = await environment.connect();
    const newcomer = await environment.connect(false);
    expect(await newcomer.reply()).toMatch(/^220 /);
    expect(await newcomer.send('NOOP')).toMatch(/^250 /);
    expect(await idle.send('NOOP')).toMatch(/^250 /);
    lingering.destroy();
  });
});

describe('slow clients', () => {
  test('silence ends the connection', async () => {
    const environment = await smtpEnvironment({ limits: { idleMs: 250 } });
    const client = await environment.connect();
    expect(await client.closed).toMatch(/^421 /);
  });

  test('a transfer that only trickles is cut off', async () => {
    const environment = await smtpEnvironment({ limits: { windowMs: 100 } });
    const { client } = await environment.upTo('DATA');
    const trickle = setInterval(() => client.write('a\r\n'), 20);
    expect(await client.closed).toMatch(/^421 4\.4\.2 Your email arrived too slowly/);
    clearInterval(trickle);
    await expect.poll(() => environment.outcomes).toEqual(['broken_off']);
    expect(environment.mailBuffer.bytes()).toBe(0);
  });

  test('a transfer that is just fast enough is not cut off', async () => {
    const environment = await smtpEnvironment({
      limits: { windowMs: 600, minBytesPerSecond: 100 },
    });
    const { client } = await environment.upTo('DATA');
    client.write(MAIL);
    for (let i = 0; i < 6; i++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      client.write(`${'a'.repeat(500)}\r\n`);
    }
    client.write('.\r\n');
    expect(await client.reply()).toMatch(/^250 2/);
  });

  test('a recipient without data for ten minutes is given up', async () => {
    const environment = await smtpEnvironment({ limits: { sweepMs: 20 } });
    const { client } = await environment.upTo('RCPT');
    elapse(600_001);
    expect(await client.reply()).toBe('421 4.4.2 You sent nothing for too long. Connect again.');
    await client.closed;
    await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  });
});

describe('a stop', () => {
  test('says goodbye to idle clients at once', async () => {
    const environment = await smtpEnvironment();
    const client = await environment.connect();
    const stopped = environment.stop();
    expect(await client.reply()).toBe(
      '421 4.3.2 This service is restarting. Try again in a minute.',
    );
    await stopped;
    await expect(environment.connect(false).then((late) => late.reply())).rejects.toThrow();
  });

  test('lets a transaction end, and then says goodbye', async () => {
    const environment = await smtpEnvironment({ limits: { sweepMs: 60_000 } });
    const { client } = await environment.upTo('RCPT');
    const stopped = environment.stop();
    expect(await client.send('DATA')).toMatch(/^354 /);
    client.write(`${MAIL}.\r\n`);
    expect(await client.reply()).toMatch(/^250 2\.0\.0 Your email was analysed/);
    expect(await client.reply()).toBe(
      '421 4.3.2 This service is restarting. Try again in a minute.',
    );
    await stopped;
  });

  test('greets nobody any more', async () => {
    const environment = await smtpEnvironment();
    const client = await environment.connect(false);
    await client.connected;
    // The server accepts its end of the connection a turn later, and greets 100 ms after that.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const stopped = environment.stop();
    expect(await client.reply()).toBe(
      '421 4.3.2 This service is restarting. Try again in a minute.',
    );
    await stopped;
  });

  test('starts no other transaction', async () => {
    const environment = await smtpEnvironment();
    const { client } = await environment.upTo('RCPT');
    const stopped = environment.stop();
    await client.send('RSET');
    expect(await client.send('MAIL FROM:<sender@example.com>')).toMatch(/^421 4\.3\.2/);
    await stopped;
  });

  test('waits no longer than its limit', async () => {
    const environment = await smtpEnvironment({ limits: { drainMs: 100 } });
    const { client } = await environment.upTo('DATA');
    await environment.stop();
    expect(await client.closed).toBe(
      '421 4.3.2 This service is restarting. Try again in a minute.\r\n',
    );
    await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  });
});
