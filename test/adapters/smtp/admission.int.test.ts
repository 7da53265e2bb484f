/**
 * Tests the SMTP limits on unknown recipients, on connections, and on commands without an email,
 * per client and network.
 */

import { describe, expect, test } from 'vitest';
import { ADDRESS, MAIL, MAIL_DOMAIN } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const limits = { unknownDelayMs: 0 };
const UNKNOWN = `RCPT TO:<zzzzzzzzzzzz@${MAIL_DOMAIN}>`;

describe('recipients without a test', () => {
  test('count for the client on all its connections: 60 per minute, then two on each', async () => {
    const environment = await smtpEnvironment({ limits });
    const replies: string[] = [];
    for (let i = 0; i < 10; i++) {
      const client = await environment.connect();
      await client.sendAll('EHLO mail.example.com', 'MAIL FROM:<sender@example.com>');
      for (let j = 0; j < 7; j++) {
        const reply = await client.send(UNKNOWN);
        replies.push(reply.slice(0, 3));
        if (reply.startsWith('421')) break;
      }
    }
    // The last connection still gets two 550 replies, so that anyone who mistypes behind the same address is
    // told so.
    expect(replies.filter((code) => code === '550')).toHaveLength(62);
    expect(replies.slice(-3)).toEqual(['550', '550', '421']);
  });
});

describe('connections', () => {
  const state = async (environment: Awaited<ReturnType<typeof smtpEnvironment>>, ip: string) => {
    const client = await environment.connect();
    await client.sendAll(`XCLIENT ADDR=${ip}`, 'EHLO mail.example.com');
    return { client, reply: await client.send('MAIL FROM:<sender@example.com>') };
  };

  test('the client that a relay states is counted, and the largest network gives way', async () => {
    const environment = await smtpEnvironment({
      maxClients: 4,
      relays: { xclient: ['127.0.0.0/8'] },
    });
    const flood = [];
    for (const host of ['1', '2', '3', '4'])
      flood.push(await state(environment, `IPV6:2001:db8:${host}::1`));
    for (const ip of ['192.0.2.1', '198.51.100.1']) {
      const { reply } = await state(environment, ip);
      expect(reply).toMatch(/^250/);
    }
    for (const { client } of flood.slice(0, 2)) expect(await client.closed).toMatch(/^421 4\.3\.2/);
    expect(await flood.at(-1)?.client.send('NOOP')).toMatch(/^250/);
  });

  test('behind one address, a silent client does not exclude another', async () => {
    const environment = await smtpEnvironment({ maxClients: 20 });
    const silent = [];
    for (let n = 0; n < 20; n++) silent.push(await environment.connect());
    for (let n = 0; n < 5; n++) expect(await environment.deliver(MAIL)).toMatch(/^250 2/);
  });

  test('a client that a relay stated has no effect beyond its connection', async () => {
    const environment = await smtpEnvironment({ relays: { xclient: ['127.0.0.0/8'] } });
    const { client } = await state(environment, '192.0.2.99');
    expect(await client.send(`RCPT TO:<${ADDRESS}>`)).toMatch(/^250/);
    expect((await environment.upTo('RCPT')).last).toMatch(/^250/);
    const ips = environment.envelopes.map(({ client: { ip } }) => ip);
    expect(ips).toEqual(['192.0.2.99', '127.0.0.1']);
  });
});

describe('commands without an email', () => {
  test('end the connection after 100, but not one on which emails are sent', async () => {
    const environment = await smtpEnvironment({ limits });
    const client = await environment.connect();
    await client.send('EHLO mail.example.com');
    const noops = async (count: number) => {
      let reply = '';
      for (let i = 0; i < count && !reply.startsWith('421'); i++) reply = await client.send('NOOP');
      return reply;
    };
    expect(await noops(90)).toMatch(/^250/);
    await client.sendAll('MAIL FROM:<sender@example.com>', `RCPT TO:<${ADDRESS}>`, 'DATA');
    expect(await client.send(`${MAIL}\r\n.`)).toMatch(/^250/);
    expect(await noops(90)).toMatch(/^250/);
    expect(await noops(20)).toMatch(/^421 4\.7\.0 You sent too many commands/);
    await client.closed;
  });

  test('have a client sent away after 20, if 60 of its connections had 100 within a minute', async () => {
    const environment = await smtpEnvironment({ limits });
    const flood = async () => {
      const client = await environment.connect();
      client.write('NOOP\r\n'.repeat(200));
      const replies = await client.closed;
      return replies.split('250').length - 1;
    };
    for (let i = 0; i < 60; i++) expect(await flood()).toBe(100);
    // An email uses eight. Others behind the same address can still send theirs.
    expect(await flood()).toBe(20);
    expect(await environment.deliver(MAIL)).toMatch(/^250 2/);
  });

  test('are not read for long after the last reply', async () => {
    const environment = await smtpEnvironment({ limits });
    const client = await environment.connect();
    expect(await client.send('QUIT')).toMatch(/^221/);
    let isOpen = true;
    void client.closed.then(() => {
      isOpen = false;
    });
    let sent = 0;
    for (; isOpen && sent < 300; sent++) {
      client.write('x'.repeat(64 * 1024));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(sent).toBeLessThan(300);
  });
});
