import { startEnvironment } from '../../../environment/environment.ts';
import { startService } from '../../../environment/service-process.ts';
import type { Test } from '../../mta/bench.ts';
import { forkPlainServer } from './plain-fork.ts';

/** The service and its yardstick as children, on one DNS server and with one sender. */
export async function startMailEnvironment() {
  const environment = await startEnvironment({
    PATH: process.env.PATH,
    NATS_SERVER_BIN: process.env.NATS_SERVER_BIN,
    SMTP_MAX_CLIENTS: '200',
    SMTP_MAX_CLIENTS_PER_IP: '200',
  });
  const parts: { stop(): Promise<void> }[] = [environment];
  const stop = async () => {
    for (const part of parts.reverse()) await part.stop();
  };
  try {
    const service = await startService({ env: environment.env, onLog: () => {} });
    parts.push(service);
    const plain = await forkPlainServer(environment.dns?.address ?? '');
    parts.push(plain);
    const { http, smtp, pid } = service.listening();
    const [host = '', port = ''] = smtp.split(/:(?=\d+$)/);
    return {
      key: environment.key,
      pid,
      via: { host, port: Number(port), client: environment.client },
      plainVia: { host: plain.host, port: plain.port, client: environment.client },
      async create(): Promise<Test> {
        const answer = await fetch(`${http}/v1/tests`, { method: 'POST' });
        return (await answer.json()) as Test;
      },
      async status({ test_id }: Test): Promise<string> {
        const answer = await fetch(`${http}/v1/tests/${test_id}/status`);
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
