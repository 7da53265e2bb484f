import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { DNSResolver } from 'mailauth';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { authenticateAlone } from '../mailauth-alone.ts';

/**
 * The yardstick as a process of its own: smtp-server takes a mail, mailauth authenticates it, the
 * mail is thrown away and the client answered 250.
 */

/** What the parent hears once it listens. */
export interface Listening {
  readonly port: number;
}

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
  const { port } = server.server.address() as AddressInfo;
  process.send?.({ port } satisfies Listening);
}

process.once('disconnect', () => process.exit());
await start(process.argv[2] ?? '');
