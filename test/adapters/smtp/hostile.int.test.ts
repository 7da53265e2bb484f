import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ADDRESS, MAIL } from '../../support/mail/mail-environment.ts';
import { type SmtpEnvironment, smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const GREET = ['EHLO mail.example.com', 'MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`];

/** Nothing came of it: no event, no byte in memory, and the next sender is served. */
async function expectUnharmed(environment: SmtpEnvironment) {
  await expect.poll(() => environment.mailBuffer.bytes()).toBe(0);
  expect(environment.types()).toEqual(['TestCreated']);
  expect(await environment.deliver(MAIL)).toMatch(/^250 2\.0\.0 Your mail is analysed/);
}

describe('XCLIENT from a stranger', () => {
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
