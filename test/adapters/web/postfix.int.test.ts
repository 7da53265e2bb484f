/**
 * Tests with a real Postfix the visits that find out a mail host's TLS, and the report on an email
 * that Postfix relays.
 */

import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSmtp } from '../../../src/adapters/smtp/server.ts';
import { createVisits } from '../../../src/adapters/web/mail-hosts.ts';
import { verdict } from '../../../src/domain/replies.ts';
import type { Receiver } from '../../../src/ports/mail.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { mainCf, startPostfix } from '../../edge/mta/postfix.ts';
import { call } from '../../edge/mta/program.ts';
import { freePorts } from '../../environment/free-ports.ts';
import { createAnalysis } from '../../support/mail/analysis.ts';
import { createAuthority } from '../../support/mail/certificates.ts';
import { startInspectionEnvironment } from '../../support/mail/inspection-environment.ts';
import { smtpClient } from '../../support/mail/smtp-client.ts';
import { keptLogger } from '../../support/process/silent-logger.ts';

const HOST = 'mail.example.com';
const WRONG = 'web.example.com';
const authority = createAuthority();
const certificates = { right: authority.sign(HOST), wrong: authority.sign(WRONG) };

/** Postfix can only be started as root, and gives up its rights itself. */
const canRun =
  process.getuid?.() === 0 && spawnSync('postconf', ['-d', 'mail_version']).status === 0;
const MISSING = 'this is not root, or Postfix is not installed (Debian: postfix)';

/** Accepts every email in full. */
function takeAll() {
  let onMail = (_: Buffer) => {};
  const receiver: Receiver = {
    accept: async () => ({
      abandon: () => {},
      async receive(content) {
        const chunks: Buffer[] = [];
        for await (const chunk of content) chunks.push(Buffer.from(chunk));
        onMail(Buffer.concat(chunks));
        return verdict('analysed');
      },
    }),
  };
  const next = () =>
    new Promise<Buffer>((resolve) => {
      onMail = resolve;
    });
  return { next, receiver };
}

describe.skipIf(!canRun)(`a real Postfix (else: ${MISSING})`, () => {
  const { next, receiver } = takeAll();
  let folder: string;
  let etc: string;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let ports: readonly number[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postfix-'));
    // Postfix gives up root's rights but still has to read this folder.
    await chmod(folder, 0o755);
    for (const [name, { key, cert }] of Object.entries(certificates))
      await writeFile(join(folder, `${name}.pem`), key + cert + authority.cert);
    smtp = await startSmtp(
      { receiver, clock: Date.now, logger: keptLogger().logger, metrics: createMetrics() },
      {
        ...{ host: '127.0.0.1', port: 0, hostname: 'in.example.net', maxClients: 5 },
        ...{
          certificate: null,
          privateKey: null,
          maxMessageBytes: 1_000_000,
          relays: { xclient: [] },
        },
      },
    );
    ports = await freePorts(3);
    const [right, wrong, plain] = ports.map((port) => `127.0.0.1:${port} inet n - n - - smtpd\n`);
    etc = await startPostfix(
      folder,
      `${mainCf(folder, { host: '127.0.0.1', port: smtp.port }, HOST)}
smtpd_tls_security_level = may
smtpd_tls_received_header = yes
smtpd_tls_chain_files = ${join(folder, 'right.pem')}
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_authorized_xclient_hosts = 127.0.0.1
mynetworks = 127.0.0.0/8, 198.51.100.0/24
`,
      `${right}${wrong}  -o smtpd_tls_chain_files=${join(folder, 'wrong.pem')}
${plain}  -o smtpd_tls_security_level=none
`,
    );
  });
  afterAll(async () => {
    if (etc) await call('postfix', ['-c', etc, 'stop']);
    await smtp?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const key = new X509Certificate(certificates.right.cert).publicKey;
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const byKey = hash(key.export({ type: 'spki', format: 'der' }));
  const byAuthority = hash(new X509Certificate(authority.cert).raw);
  const tlsa = [
    { usage: 3, selector: 1, matching: 1, data: byKey },
    { usage: 2, selector: 0, matching: 1, data: byAuthority },
  ];
  const visit = (at: number, records = tlsa) =>
    createVisits({
      helo: 'probe.example.net',
      override: { connect: '127.0.0.1', port: ports[at] ?? 0, ca: authority.cert },
    })({ host: HOST, addresses: ['192.0.2.25'], names: [], tlsa: records });

  test.each(tlsa)('shows its TLS and its certificate, which TLSA $usage names', async (record) => {
    expect(await visit(0, [record])).toEqual({
      status: 'known',
      value: { version: 'TLSv1.3', fault: null, named: true },
    });
  });

  test('with a certificate for another name fails, unless its key is named', async () => {
    expect(await visit(1, tlsa.slice(1))).toMatchObject({
      value: { version: 'TLSv1.3', fault: 'is for other names', named: false },
    });
    expect(await visit(1)).toMatchObject({ value: { named: true } });
  });

  test('without TLS offers none', async () => {
    expect(await visit(2)).toMatchObject({
      value: { version: null, fault: 'it does not offer STARTTLS', named: null },
    });
  });

  test.each([
    ['over TLS', 'ESMTPS', true],
    ['in clear', 'ESMTP', false],
  ])(
    'relays an email to this service %s, whose report shows the route',
    async (_, protocol, isTls) => {
      const environment = await startInspectionEnvironment();
      const taken = next();
      const client = await smtpClient(ports[0] ?? 0);
      await client.sendAll(
        'XCLIENT ADDR=198.51.100.9 NAME=app.example.com',
        'EHLO app.example.com',
      );
      if (isTls) await client.startTls();
      await client.sendAll(
        ...['EHLO app.example.com', 'MAIL FROM:<shop@example.com>'],
        ...['RCPT TO:<abcdefghijkl@in.example.net>', 'DATA'],
        'From: shop@example.com\r\nTo: abcdefghijkl@in.example.net\r\nSubject: Order\r\n\r\nThank you.\r\n.',
      );
      client.vanish();
      const report = await createAnalysis(environment.newResolver).report(await taken);
      await environment.stop();
      expect(report.message.way?.hops).toMatchObject([
        {
          ...{ from: 'app.example.com', by: HOST, whose: 'sender', protocol, encrypted: isTls },
          tls_version: isTls ? 'TLSv1.3' : null,
        },
      ]);
      const states = report.findings.map(({ id, state }) => [id, state]);
      expect(Object.fromEntries(states)).toMatchObject({
        received_chain: 'plausible',
        received_times: 'in_order',
        received_tls: isTls ? 'encrypted' : 'in_clear',
      });
    },
  );
});
