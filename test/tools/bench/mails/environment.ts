import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEnvironment } from '../../../environment/environment.ts';
import { freePorts } from '../../../environment/free-ports.ts';
import { newSenderKey, senderZone } from '../../../environment/sender.ts';
import { natsProcess } from '../../../environment/server-process.ts';
import { startService } from '../../../environment/service-process.ts';
import { toHostAndPort } from '../../../environment/story.ts';
import type { Test } from '../../mta/bench.ts';
import { forkDns } from '../fork-dns.ts';
import { forkPlainServer } from './plain-fork.ts';

/** The service and its yardstick as children, on one DNS server and with one sender. */
export async function startMailEnvironment() {
  const steps: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of steps.splice(0).reverse()) await step();
  };
  try {
    const key = newSenderKey();
    const dns = await forkDns(senderZone(key));
    steps.push(dns.stop);
    const nats = await startMonitoredNats();
    steps.push(nats.stop);
    const environment = await startEnvironment({
      PATH: process.env.PATH,
      DNS_SERVERS: dns.address,
      NATS_URL: nats.url,
      SMTP_MAX_CLIENTS: '256',
    });
    steps.push(environment.stop);
    const service = await startService({ env: environment.env, onLog: () => {} });
    steps.push(service.stop);
    const plain = await forkPlainServer(dns.address);
    steps.push(plain.stop);
    const { http, smtp, metrics, pid } = service.listening();
    const statusUrl = ({ test_id }: Test) => `${http}/v1/tests/${test_id}/status`;
    return {
      key,
      pid,
      metrics,
      statusUrl,
      via: { ...toHostAndPort(smtp), client: environment.client },
      plainVia: { host: plain.host, port: plain.port, client: environment.client },
      /** What the service has sent to its nats-server, as that counts it. */
      natsInMessages: nats.inMessages,
      async create(): Promise<Test> {
        const answer = await fetch(`${http}/v1/tests`, { method: 'POST' });
        if (answer.status === 201) return (await answer.json()) as Test;
        throw new Error(`A test was not created: ${answer.status} ${await answer.text()}`);
      },
      async status(test: Test): Promise<string> {
        const answer = await fetch(statusUrl(test));
        return ((await answer.json()) as { status: string }).status;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type MailEnvironment = Awaited<ReturnType<typeof startMailEnvironment>>;

/** As the service's own, each write synced, and with the port that shows its counters. */
async function startMonitoredNats() {
  const bin = process.env.NATS_SERVER_BIN;
  if (!bin) throw new Error('NATS_SERVER_BIN is not set: use `npm run bench`.');
  const folder = await mkdtemp(join(tmpdir(), 'bench-nats-'));
  const [port = 0, monitor = 0] = await freePorts(2);
  const configFile = join(folder, 'nats.conf');
  await writeFile(
    configFile,
    `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitor}"\njetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, sync_interval: always }\n`,
  );
  const server = natsProcess({ bin, configFile, pidFile: join(folder, 'pid') });
  await server.start();
  return {
    url: `nats://127.0.0.1:${port}`,
    async inMessages(): Promise<number> {
      const { connections } = (await (await fetch(`http://127.0.0.1:${monitor}/connz`)).json()) as {
        connections: readonly { in_msgs: number }[];
      };
      return connections.reduce((sum, { in_msgs }) => sum + in_msgs, 0);
    },
    async stop(): Promise<void> {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
