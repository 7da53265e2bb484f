/** Tests XCLIENT, XFORWARD and the PROXY protocol, by which a trusted relay names the client. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ADDRESS, MAIL } from '../../support/mail/mail-environment.ts';
import { type SmtpEnvironment, smtpEnvironment } from '../../support/mail/smtp-environment.ts';

const HERE = ['127.0.0.0/8'];
const FROM = 'MAIL FROM:<sender@example.com>';
const TO = `RCPT TO:<${ADDRESS}>`;
const NOT_OBSERVABLE = { status: 'not_observable', version: null, cipher: null };

/** Returns the clients of all envelopes that the receiver was given. */
const clientsOf = ({ envelopes }: SmtpEnvironment) => envelopes.map(({ client }) => client);

/** Sends the lines of a relay, then one recipient. Returns the codes of the replies. */
async function relay(environment: SmtpEnvironment, ...lines: readonly string[]) {
  const client = await environment.connect();
  const replies = [];
  for (const line of ['EHLO relay.example.net', ...lines, FROM, TO])
    replies.push(await client.send(line));
  return { client, replies, codes: replies.map((reply) => reply.slice(0, 3)) };
}

describe('XFORWARD', () => {
  const forwarding = { relays: { xforward: HERE } };

  test('names the client, whose TLS cannot be seen', async () => {
    const environment = await smtpEnvironment(forwarding);
    const { replies } = await relay(
      environment,
      'XFORWARD NAME=mail.example.com ADDR=192.0.2.25 PORT=40123',
      'XFORWARD PROTO=ESMTP HELO=Mail.Example.com IDENT=4X1 SOURCE=REMOTE',
    );
    expect(replies[0]).toMatch(/XFORWARD NAME ADDR PORT PROTO HELO IDENT SOURCE/);
    expect(replies[0]).not.toMatch(/XCLIENT/);
    expect(clientsOf(environment)).toEqual([
      {
        ip: '192.0.2.25',
        helo: 'mail.example.com',
        source: 'xclient',
        namedBy: 'xforward',
        tls: NOT_OBSERVABLE,
      },
    ]);
  });

  test.each([
    ['ADDR=IPV6:2001:DB8::1', '2001:db8::1', null],
    ['ADDR=IPv6:2001:db8::1 HELO=[IPv6:2001:db8::1]', '2001:db8::1', '[ipv6:2001:db8::1]'],
    ['ADDR=192.0.2.25 HELO=[UNAVAILABLE]', '192.0.2.25', null],
    ['ADDR=192.0.2.25 HELO=[unavailable]', '192.0.2.25', null],
    ['ADDR=192.0.2.25 HELO=a+40b', '192.0.2.25', ''],
    ['ADDR=[UNAVAILABLE] HELO=mail.example.com', null, 'mail.example.com'],
    ['ADDR=[UNAVAILABLE] HELO=[UNAVAILABLE] SOURCE=LOCAL', null, null],
    ['NAME=[UNAVAILABLE] ADDR=192.0.2.25 PORT=[UNAVAILABLE]', '192.0.2.25', null],
    ['addr=192.0.2.25 ADDR=198.51.100.1', '192.0.2.25', null],
  ])('%s is %o with HELO %o', async (said, ip, helo) => {
    const environment = await smtpEnvironment(forwarding);
    const { codes } = await relay(environment, `XFORWARD ${said}`);
    expect(codes).toEqual(['250', '250', '250', '250']);
    expect(clientsOf(environment)).toMatchObject([{ ip, helo }]);
  });

  test.each([
    'ADDR=not-an-address',
    'ADDR=192.0.2.1+0D+0AMAIL',
    'ADDR',
    'ADDR=192.0.2.1=1',
    'ROLE=admin ADDR=192.0.2.1',
    'NAME=a..b ADDR=192.0.2.1',
    `ADDR=192.0.2.1 HELO=${'+0A'}x`,
    '',
  ])('%o names nobody', async (said) => {
    const environment = await smtpEnvironment(forwarding);
    const { codes } = await relay(environment, `XFORWARD ${said}`.trimEnd());
    expect(codes).toEqual(['250', '501', '250', '250']);
    expect(clientsOf(environment)).toMatchObject([{ ip: null, helo: null, source: 'unknown' }]);
  });

  test('applies only to the next email, even on a connection that is kept open', async () => {
    const environment = await smtpEnvironment(forwarding);
    const { client } = await relay(environment, 'XFORWARD ADDR=192.0.2.25 HELO=one.example');
    await client.send('DATA');
    expect(await client.send(`${MAIL}\r\n.`)).toMatch(/^250/);
    await client.sendAll('XFORWARD ADDR=198.51.100.7', FROM, TO, 'RSET', FROM, TO);
    const named = clientsOf(environment).map(({ ip, helo }) => [ip, helo]);
    expect(named).toEqual([
      ['192.0.2.25', 'one.example'],
      ['198.51.100.7', null],
      [null, null],
    ]);
  });

  test.each(['EHLO relay.example.net', 'RSET'])('is forgotten at %s', async (command) => {
    const environment = await smtpEnvironment(forwarding);
    await relay(environment, 'XFORWARD ADDR=192.0.2.25', command);
    expect(clientsOf(environment)).toMatchObject([{ ip: null }]);
  });

  test('is forgotten at STARTTLS', async () => {
    const environment = await smtpEnvironment(forwarding);
    const client = await environment.connect();
    await client.sendAll('EHLO relay.example.net', 'XFORWARD ADDR=192.0.2.25');
    await client.startTls();
    await client.sendAll('EHLO relay.example.net', FROM, TO);
    expect(clientsOf(environment)).toMatchObject([{ ip: null, tls: NOT_OBSERVABLE }]);
  });

  test('within an email is refused, and changes nothing', async () => {
    const environment = await smtpEnvironment(forwarding);
    const client = await environment.connect();
    await client.sendAll('EHLO relay.example.net', 'XFORWARD ADDR=192.0.2.25', FROM);
    expect(await client.send('XFORWARD ADDR=198.51.100.7')).toMatch(/^503/);
    await client.send(TO);
    expect(clientsOf(environment)).toMatchObject([{ ip: '192.0.2.25' }]);
  });
});

describe('the PROXY protocol', () => {
  const proxied = { relays: { proxy: HERE } };
  const TCP4 = 'PROXY TCP4 192.0.2.25 198.51.100.1 40123 25\r\n';

  /** Sends a header and then a recipient, in packets of a given number of octets. */
  async function through(environment: SmtpEnvironment, header: string, packet = 1000) {
    const client = await environment.connect(false);
    for (let at = 0; at < header.length; at += packet) {
      client.write(header.slice(at, at + packet));
      if (packet < header.length) await new Promise(setImmediate);
    }
    const greeting = await client.reply();
    if (greeting.startsWith('220')) await client.sendAll('EHLO mail.example.com', FROM, TO);
    return { client, greeting };
  }

  test.each([
    [TCP4, '192.0.2.25', 'smtp'],
    ['PROXY UNKNOWN\r\n', null, 'unknown'],
  ])('%j names %o', async (header, ip, source) => {
    const environment = await smtpEnvironment(proxied);
    await through(environment, header);
    expect(clientsOf(environment)).toEqual([
      { ip, helo: 'mail.example.com', source, namedBy: 'proxy', tls: NOT_OBSERVABLE },
    ]);
  });

  test('is read octet by octet, and TLS is then visible', async () => {
    const environment = await smtpEnvironment(proxied);
    const { client } = await through(environment, TCP4, 1);
    await client.startTls();
    await client.sendAll('EHLO mail.example.com', FROM, TO);
    const [, client2] = clientsOf(environment);
    expect(client2).toMatchObject({ ip: '192.0.2.25', tls: { status: 'tls', version: 'TLSv1.3' } });
  });

  test.each([
    ['version 2', '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\x02\x19\xc6\x33\x64\x01\x9c\xbb\0\x19'],
    ['no header', 'EHLO mail.example.com\r\n'],
    ['108 octets', `PROXY UNKNOWN ${'x'.repeat(92)}\r\n`],
    ['no end', 'PROXY TCP4 '.padEnd(200, '1')],
  ])('%s ends the connection, and names nobody', async (_, header) => {
    const environment = await smtpEnvironment(proxied);
    const { client, greeting } = await through(environment, header);
    expect(greeting).toMatch(/^421 4\.3\.0 A proxy in front of this service/);
    await client.closed;
    expect(environment.envelopes).toEqual([]);
  });

  test('is read once: a second header is not a command', async () => {
    const environment = await smtpEnvironment(proxied);
    const { greeting } = await through(environment, TCP4.repeat(2));
    expect(greeting).toMatch(/^421 4\.7\.0 You sent a command before the greeting/);
    expect(environment.envelopes).toEqual([]);
  });

  test('ends a silent connection', async () => {
    const environment = await smtpEnvironment({ ...proxied, limits: { proxyHeaderMs: 20 } });
    const client = await environment.connect(false);
    expect(await client.reply()).toMatch(/^421 4\.3\.0/);
    await client.closed;
  });

  test('a health check that only connects leaves nothing behind', async () => {
    const environment = await smtpEnvironment(proxied);
    const socket = connect(environment.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await through(environment, TCP4);
    expect(environment.envelopes).toHaveLength(1);
  });

  test.each([
    ['XCLIENT ADDR=203.0.113.1', 'xclient'],
    ['XFORWARD ADDR=203.0.113.1', 'xforward'],
  ] as const)('%s is judged by the client that the proxy names', async (command, protocol) => {
    const environment = await smtpEnvironment({
      relays: { proxy: HERE, [protocol]: ['192.0.2.0/24'] },
    });
    for (const [ip, reply, named] of [
      ['198.51.100.1', /^500/, '198.51.100.1'],
      ['192.0.2.25', /^2[25]0/, '203.0.113.1'],
    ] as const) {
      const client = await environment.connect(false);
      client.write(`PROXY TCP4 ${ip} 127.0.0.1 40123 25\r\n`);
      await client.reply();
      await client.send('EHLO relay.example.net');
      expect(await client.send(command)).toMatch(reply);
      await client.sendAll('EHLO relay.example.net', ...(protocol === 'xforward' ? [command] : []));
      await client.sendAll(FROM, TO);
      expect(clientsOf(environment).at(-1)?.ip).toBe(named);
    }
  });
});

describe('a peer that is not a relay', () => {
  const elsewhere = ['192.0.2.0/24'];

  test.each([
    'XFORWARD ADDR=203.0.113.1',
    'XCLIENT ADDR=203.0.113.1',
    'PROXY TCP4 203.0.113.1 127.0.0.1 40123 25',
  ])('changes nothing by %s', async (command) => {
    const environment = await smtpEnvironment({
      relays: { xclient: elsewhere, xforward: ['198.51.100.0/24'], proxy: ['203.0.113.0/24'] },
    });
    const { replies } = await relay(environment, command);
    expect(replies[0]).not.toMatch(/XCLIENT|XFORWARD/);
    expect(replies[1]).toMatch(/^500 5\.5\.1/);
    const tls = { status: 'plaintext' };
    expect(clientsOf(environment)).toMatchObject([{ ip: '127.0.0.1', source: 'smtp', tls }]);
    expect(clientsOf(environment)[0]).not.toHaveProperty('namedBy');
  });

  test('is told so if it sends a PROXY header before the greeting', async () => {
    const environment = await smtpEnvironment({ relays: { proxy: elsewhere } });
    const client = await environment.connect(false);
    client.write('PROXY TCP4 203.0.113.1 127.0.0.1 40123 25\r\n');
    expect(await client.reply()).toMatch(/^421 4\.7\.0 You sent a command before the greeting/);
  });

  test.each([
    ['xclient', 'XFORWARD ADDR=203.0.113.1'],
    ['xforward', 'XCLIENT ADDR=203.0.113.1'],
  ])('a relay for %s is not a relay for the other command', async (protocol, command) => {
    const environment = await smtpEnvironment({ relays: { [protocol]: HERE } });
    const { codes } = await relay(environment, command);
    expect(codes).toEqual(['250', '500', '250', '250']);
    expect(clientsOf(environment)[0]?.ip).not.toBe('203.0.113.1');
  });
});

describe('shares', () => {
  /**
   * First comes an honest client, then a flood from another network, then a newcomer: the flood has to give
   * way.
   */
  test.each(['xclient', 'xforward', 'proxy'] as const)(
    'count for the client that a relay names with %s',
    async (protocol) => {
      const environment = await smtpEnvironment({ maxClients: 4, relays: { [protocol]: HERE } });
      const named = async (ip: string) => {
        const client = await environment.connect(protocol !== 'proxy');
        const [family, tag] = ip.includes(':') ? [6, 'IPV6:'] : [4, ''];
        if (protocol === 'proxy') {
          client.write(`PROXY TCP${family} ${ip} ${ip} 1 2\r\n`);
          await client.reply();
        } else await client.sendAll('EHLO a.example', `${protocol.toUpperCase()} ADDR=${tag}${ip}`);
        return client;
      };
      const honest = await named('198.51.100.1');
      const flood = [];
      for (const host of [1, 2, 3]) flood.push(await named(`2001:db8:${host}::1`));
      await named('192.0.2.1');
      expect(await honest.send('NOOP')).toMatch(/^250/);
      const closed = await Promise.race(flood.map((client) => client.closed));
      expect(closed).toMatch(/^421 4\.3\.2/);
    },
  );

  test.each(['xclient', 'xforward'] as const)(
    'a relay for %s is not the largest network before it names its clients',
    async (protocol) => {
      const environment = await smtpEnvironment({ maxClients: 4, relays: { [protocol]: HERE } });
      const clients = [];
      for (let n = 0; n < 6; n++) clients.push(await environment.connect());
      for (const client of clients) expect(await client.send('NOOP')).toMatch(/^250/);
      for (const [n, client] of clients.slice(0, 4).entries())
        await client.sendAll('EHLO a.example', `${protocol.toUpperCase()} ADDR=192.0.${8 * n}.1`);
      for (const client of clients) expect(await client.send('NOOP')).toMatch(/^250/);
    },
  );

  test('emails for which a relay names nobody count for the relay', async () => {
    const environment = await smtpEnvironment({ maxClients: 4, relays: { xforward: HERE } });
    const clients = [];
    for (let n = 0; n < 5; n++) {
      clients.push(await environment.connect());
      await clients.at(-1)?.sendAll('EHLO relay.example.net', FROM);
    }
    const closed = await Promise.race(clients.map((client) => client.closed));
    expect(closed).toMatch(/^421 4\.3\.2/);
  });

  test('a client does not pay for the mistakes of another on the same connection', async () => {
    const environment = await smtpEnvironment({
      relays: { xforward: HERE },
      limits: { unknownDelayMs: 0 },
    });
    const client = await environment.connect();
    await client.send('EHLO relay.example.net');
    const wrong = 'RCPT TO:<zzzzzzzzzzzz@in.example.net>';
    for (let n = 1; n <= 5; n++) {
      await client.sendAll(`XFORWARD ADDR=192.0.${n}.25`, FROM);
      for (let again = 0; again < 6; again++) expect(await client.send(wrong)).toMatch(/^55/);
      await client.send('RSET');
    }
    expect(await client.sendAll('XFORWARD ADDR=198.51.100.1', FROM, TO)).toMatch(/^250/);
  });
});
