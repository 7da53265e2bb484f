/** Tests the SMTP server behind real relays that name the client: Postfix and HAProxy. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { takeRelayField } from '../../../src/actors/receiver/relay-field.ts';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';
import type { RelayRanges } from '../../../src/adapters/smtp/relays.ts';
import { startSmtp } from '../../../src/adapters/smtp/server.ts';
import type { ReplyName } from '../../../src/domain/replies.ts';
import type { ClientFacts, Receiver } from '../../../src/ports/mail.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { mainCf, startPostfix } from '../../edge/mta/postfix.ts';
import { call } from '../../edge/mta/program.ts';
import { freePorts } from '../../environment/free-ports.ts';
import { smtpClient } from '../../support/mail/smtp-client.ts';
import { keptLogger } from '../../support/process/silent-logger.ts';

const TO = 'abcdefghijkl@in.example.net';
const HERE = ['127.0.0.1/32'];
/**
 * Clients connect to the relay from another address of this machine than the one from which the relay
 * connects to us.
 */
const ONE = '127.0.0.9';
const OTHER = '127.0.0.10';
const NOT_OBSERVABLE = { status: 'not_observable', version: null, cipher: null };
/**
 * An email with a line longer than senders may write, 8-bit octets, a leading dot, and fields that relays
 * often drop.
 */
const CONTENT = [
  ...['Bcc: hidden@example.com', 'From: shop@example.com', 'Subject: Order', ''],
  ...['x'.repeat(2500), 'Gr\xfc\xdfe', '.dot', ''],
].join('\r\n');

interface Taken {
  readonly client: ClientFacts;
  readonly text: string;
}

/** Starts the service with a receiver that accepts every email and replies as it is told. */
async function startSink(relays: RelayRanges) {
  const taken: Taken[] = [];
  const said: { rcpt: ReplyName | null; data: ReplyName } = { rcpt: null, data: 'analysed' };
  const receiver: Receiver = {
    accept: async ({ client }) =>
      said.rcpt
        ? { reply: said.rcpt, facts: {} }
        : {
            abandon: () => {},
            async receive(content) {
              const mail = await takeRelayField(content, client);
              const chunks: Buffer[] = [];
              for await (const chunk of mail.content) chunks.push(Buffer.from(chunk));
              taken.push({ client: mail.client, text: Buffer.concat(chunks).toString('latin1') });
              return { reply: said.data, facts: {} };
            },
          },
  };
  const metrics = createMetrics();
  const smtp = await startSmtp(
    { receiver, clock: Date.now, logger: keptLogger().logger, metrics },
    {
      ...{ host: '127.0.0.1', port: 0, hostname: 'in.example.net', maxClients: 20, relays },
      ...{ certificate: null, privateKey: null, maxMessageBytes: 1_000_000 },
    },
  );
  return { ...smtp, taken, said };
}

/** Sends one email from an address of this machine. Returns the first lines of the replies, by command. */
async function send(
  port: number,
  { from = ONE, hello = 'EHLO app.example.com', tls = false, content = CONTENT } = {},
) {
  const client = await smtpClient(port, true, undefined, from);
  if (hello) await client.send(hello);
  if (tls) {
    await client.startTls();
    await client.send(hello);
  }
  await client.send('MAIL FROM:<shop@example.com>');
  const rcpt = await client.send(`RCPT TO:<${TO}>`);
  if (!rcpt.startsWith('250')) return { rcpt, data: null };
  await client.send('DATA');
  const data = await client.send(`${content.replace(/^\./gm, '..')}.`);
  await client.send('QUIT');
  return { rcpt, data };
}

/** Waits until something is found, because a queue hands emails on in its own time. */
async function soon<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(20);
  }
}

const runs = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relays-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const canRunPostfix = process.getuid?.() === 0 && runs('postconf', '-d', 'mail_version');
const NO_POSTFIX = 'this is not root, or Postfix is not installed (Debian: postfix)';

describe.skipIf(!canRunPostfix)(`Postfix in front (else: ${NO_POSTFIX})`, () => {
  let sink: Awaited<ReturnType<typeof startSink>>;
  let etc: string;
  let before: number;
  let queue: number;

  beforeAll(async () => {
    sink = await startSink({ xforward: HERE });
    const { key, cert } = await selfSigned('mx.example.net', Date.now());
    await writeFile(join(folder, 'mx.pem'), key + cert);
    [before = 0, queue = 0] = await freePorts(2);
    const here = { host: '127.0.0.1', port: sink.port };
    etc = await startPostfix(
      folder,
      `${mainCf(folder, here, 'mx.example.net')}
relay_domains = in.example.net
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
mynetworks = 127.0.0.1/32
smtpd_tls_security_level = may
smtpd_tls_received_header = yes
smtpd_tls_chain_files = ${join(folder, 'mx.pem')}
smtpd_authorized_xclient_hosts = 127.0.0.1
transport_maps = inline:{ in.example.net=tests:[127.0.0.1]:${sink.port} }
default_transport = discard
`,
      `127.0.0.1:${before} inet n - n - 20 smtpd
  -o smtpd_proxy_filter=127.0.0.1:${sink.port}
  -o inet_protocols=all
127.0.0.1:${queue} inet n - n - 20 smtpd
tests unix - - n - 1 smtp
  -o smtp_send_xforward_command=yes
  -o smtp_connection_cache_destinations=static:all
  -o smtp_tls_security_level=none
`,
    );
  });
  afterEach(() => {
    sink.taken.length = 0;
    Object.assign(sink.said, { rcpt: null, data: 'analysed' });
  });
  afterAll(async () => {
    if (etc) await call('postfix', ['-c', etc, 'stop']);
    await sink?.stop();
  });

  const log = () => readFile(join(folder, 'log'), 'utf8');
  const client = (ip: string | null, helo: string | null) => ({
    ...{ ip, helo, source: ip === null ? 'unknown' : 'xclient', namedBy: 'xforward' },
    tls: NOT_OBSERVABLE,
  });

  test('before the queue: the client, and the email as it was sent', async () => {
    expect((await send(before)).data).toMatch(/^250 2\.0\.0 Your email was analysed/);
    expect(sink.taken).toEqual([{ client: client(ONE, 'app.example.com'), text: CONTENT }]);
  });

  test('before the queue: its own Received field shows the TLS of the client', async () => {
    await send(before, { tls: true });
    const tls = { status: 'tls', version: 'TLSv1.3', cipher: null };
    expect(sink.taken).toMatchObject([{ client: { ip: ONE, tls }, text: CONTENT }]);
  });

  test('before the queue: a client without HELO, and one with IPv6', async () => {
    await send(before, { hello: '' });
    const six = await smtpClient(before);
    await six.sendAll(
      'XCLIENT ADDR=IPV6:2001:db8::25 HELO=six.example.com',
      'EHLO six.example.com',
    );
    await six.sendAll(
      'MAIL FROM:<shop@example.com>',
      `RCPT TO:<${TO}>`,
      'DATA',
      `${CONTENT.slice(0, 80)}\r\n.`,
    );
    six.vanish();
    expect(sink.taken.map((one) => one.client)).toEqual([
      client(ONE, null),
      client('2001:db8::25', 'six.example.com'),
    ]);
  });

  test.each([
    ['unknown_address', null, /^550 5\.1\.1 No test has this address/],
    ['temporary_failure', null, /^451 4\.3\.0/],
    [null, 'unauthenticated', /^550 5\.7\.26 Refused/],
    [null, 'overloaded', /^451 4\.3\.2 This service is too busy/],
  ] as const)('before the queue: the client is told %s, %s', async (rcpt, data, reply) => {
    Object.assign(sink.said, { rcpt, data: data ?? 'analysed' });
    const replies = await send(before);
    expect(replies.data ?? replies.rcpt).toMatch(reply);
  });

  test('from the queue: each client of a connection that is kept open', async () => {
    const emails = [ONE, OTHER, ONE].map((ip) => ({
      client: client(ip, 'app.example.com'),
      text: `X: 1\r\n\r\n${ip}\r\n`,
    }));
    for (const { client, text } of emails)
      await send(queue, { from: client.ip ?? '', content: text });
    await soon(() => sink.taken[2]);
    // The queue may change the order. Local header rewriting applies only to the relay's own clients, so nothing
    // is added.
    const byText = (one: { text: string }, other: { text: string }) =>
      one.text < other.text ? -1 : 1;
    expect(sink.taken.toSorted(byText)).toEqual(emails.toSorted(byText));
    await soon(async () => /conn_use=3/.exec(await log()) ?? undefined);
  });

  test('from the queue: long lines are wrapped, and some fields are dropped', async () => {
    await send(queue);
    const { text } = await soon(() => sink.taken[0]);
    expect(text).not.toMatch(/^Bcc/m);
    expect(text).toContain('Gr\xfc\xdfe\r\n.dot\r\n');
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBe(998);
  });

  test.each([
    ['unauthenticated', /dsn=5\.7\.26, status=bounced .+550 5\.7\.26 Refused/],
    ['overloaded', /dsn=4\.3\.2, status=deferred .+451 4\.3\.2 This service/],
  ] as const)('from the queue: %s becomes what the queue makes of it', async (data, line) => {
    sink.said.data = data;
    expect((await send(queue)).data).toMatch(/^250 2\.0\.0 Ok: queued as/);
    await soon(async () => line.exec(await log()) ?? undefined);
  });

  test('an email from the server itself has an unknown client', async () => {
    const raw = 'From: root@mx.example.net\r\nSubject: Disk\r\n\r\nFull.\r\n';
    await call('sendmail', ['-C', etc, '-i', '-f', 'root@mx.example.net', TO], { input: raw });
    const { client: found, text } = await soon(() =>
      sink.taken.find((one) => /Disk/.test(one.text)),
    );
    expect(found).toMatchObject({ ip: null, source: 'unknown' });
    expect(text).not.toMatch(/^Received/m);
  });
});

const canRunHaproxy = runs('haproxy', '-v');
const NO_HAPROXY = 'HAProxy is not installed (Debian: haproxy)';

describe.skipIf(!canRunHaproxy)(`HAProxy in front (else: ${NO_HAPROXY})`, () => {
  let sink: Awaited<ReturnType<typeof startSink>>;
  let stop = async () => {};
  let ports: readonly number[];

  beforeAll(async () => {
    sink = await startSink({ proxy: HERE });
    ports = await freePorts(2);
    const file = join(folder, 'haproxy.cfg');
    const listen = (port = 0, how = '') =>
      `listen mail_${port}\n  bind 127.0.0.1:${port}\n  server tests 127.0.0.1:${sink.port} ${how}\n`;
    await writeFile(
      file,
      `defaults
  mode tcp
  timeout connect 5s
  timeout client 10m
  timeout server 10m
${listen(ports[0], 'send-proxy check inter 100')}${listen(ports[1], 'send-proxy-v2')}`,
    );
    const child = spawn('haproxy', ['-f', file], { stdio: 'ignore' });
    stop = async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    };
    await soon(() =>
      smtpClient(ports[0] ?? 0).then(
        (client) => client.vanish() ?? true,
        () => undefined,
      ),
    );
  });
  afterAll(async () => {
    await stop();
    await sink?.stop();
  });

  test('the client, its TLS, and the email as it was sent', async () => {
    const { data } = await send(ports[0] ?? 0, { tls: true });
    expect(data).toMatch(/^250 2\.0\.0/);
    await send(ports[0] ?? 0, { from: OTHER });
    const named = { helo: 'app.example.com', source: 'smtp', namedBy: 'proxy' };
    expect(sink.taken).toMatchObject([
      { client: { ...named, ip: ONE, tls: { status: 'tls', version: 'TLSv1.3' } }, text: CONTENT },
      { client: { ...named, ip: OTHER, tls: NOT_OBSERVABLE }, text: CONTENT },
    ]);
  });

  test('version 2 has a clear end', async () => {
    const client = await smtpClient(ports[1] ?? 0, false);
    expect(await client.closed).toMatch(/^421 4\.3\.0 A proxy in front of this service/);
  });
});
