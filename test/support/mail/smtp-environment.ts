/** Starts an SMTP receiver for tests, behind a real socket, and opens sessions to it. */

import { onTestFinished } from 'vitest';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';
import { type SmtpSettings, startSmtp } from '../../../src/adapters/smtp/server.ts';
import type { MailEnvelope, Receiver } from '../../../src/ports/mail.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { ADDRESS, MAIL_DOMAIN, mailEnvironment } from './mail-environment.ts';
import { type SmtpClient, smtpClient } from './smtp-client.ts';

type Options = Partial<SmtpSettings> & {
  readonly environment?: Parameters<typeof mailEnvironment>[0];
};

/** Key pair for all tests, because making a key takes longer than most tests. */
const pair = selfSigned(MAIL_DOMAIN, Date.now());

/** Starts a receiver of one test's email behind a real socket. It is stopped at the end of the test. */
export async function smtpEnvironment({ environment: options, ...settings }: Options = {}) {
  const environment = await mailEnvironment(options);
  await environment.create();
  const { clock, logger } = environment;
  const envelopes: MailEnvelope[] = [];
  const receiver: Receiver = {
    accept(envelope, onGiveWay) {
      envelopes.push(envelope);
      return environment.receiver.accept(envelope, onGiveWay);
    },
  };
  const { key, cert } = await pair;
  const server = await startSmtp(
    { receiver, clock, logger, metrics: createMetrics() },
    {
      host: '127.0.0.1',
      port: 0,
      hostname: MAIL_DOMAIN,
      certificate: cert,
      privateKey: key,
      maxMessageBytes: environment.settings.maxMessageBytes,
      maxClients: 50,
      relays: { xclient: [] },
      ...settings,
    },
  );
  const clients: SmtpClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.vanish();
    await server.stop();
  });

  return {
    ...environment,
    ...server,
    /** The recipient addresses, as clients wrote them. */
    envelopes,
    async connect(greeted = true): Promise<SmtpClient> {
      const client = await smtpClient(server.port, greeted);
      clients.push(client);
      return client;
    },
    /** Opens a session whose recipient is accepted. Returns the reply to RCPT. */
    async upTo(command: 'RCPT' | 'DATA', to = ADDRESS) {
      const client = await this.connect();
      const steps = ['EHLO mail.example.com', 'MAIL FROM:<sender@example.com>', `RCPT TO:<${to}>`];
      const last = await client.sendAll(...steps, ...(command === 'DATA' ? ['DATA'] : []));
      return { client, last };
    },
    /** Returns the reply to a complete email, whose dots are already doubled. */
    async deliver(content: string): Promise<string> {
      const { client } = await this.upTo('DATA');
      client.write(`${content}\r\n.\r\n`);
      return client.reply();
    },
  };
}

export type SmtpEnvironment = Awaited<ReturnType<typeof smtpEnvironment>>;
