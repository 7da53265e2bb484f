/** Runs the yardstick for emails: an SMTP server that only receives and authenticates. */

import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { DNSResolver } from 'mailauth';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { authenticateAlone } from './mailauth-alone.ts';

/**
 * The yardstick of an email: smtp-server receives it, mailauth authenticates it, it is thrown away, and the
 * client gets a 250.
 */
async function authenticated(content: SMTPServerDataStream, resolver: DNSResolver) {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  await authenticateAlone(Buffer.concat(chunks), resolver);
}

async function start(dnsServer: string): Promise<void> {
  const dns = new Resolver();
  dns.setServers([dnsServer]);
  const resolver: DNSResolver = async (name, type) => (await dns.resolve(name, type)) as string[];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    useXClient: true,
    onData(content, _session, done) {
      authenticated(content, resolver).then(() => done(), done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  process.send?.((server.server.address() as AddressInfo).port);
}

process.once('disconnect', () => process.exit());
process.once('message', (dnsServer: string) => void start(dnsServer));
