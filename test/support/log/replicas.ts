import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config/config.ts';
import type { Fixed } from '../../../src/config/constants.ts';
import { openLog } from '../../../src/service/log.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startEnvironment } from '../../environment/environment.ts';
import { demoMail, sendMailPatiently } from '../../environment/mail.ts';
import { startService } from '../../environment/service-process.ts';
import type { CreatedTest } from '../process/stack.ts';

type Settings = Readonly<Record<string, string>>;

/**
 * Starts several processes of the service on one log, with the calls of their clients and a view of the log.
 * @param own fixed values of single replicas, which no setting changes
 */
export async function startReplicas(
  count: number,
  settings: Settings = {},
  own: readonly Partial<Fixed>[] = [],
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'replicas-'));
  const environment = await startEnvironment({
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    ...settings,
  });
  const lines: string[] = [];
  const services = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startService({
        env: environment.env,
        fixed: { replicaId: `replica-${index + 1}`, ...own[index] },
        onLog: (line) => lines.push(line),
      }),
    ),
  );
  const config = { ...readConfig(environment.env), replicaId: 'test' };
  const log = await openLog(config, createLogger('silent'));
  const listening = (index: number) => {
    const service = services[index];
    if (!service) throw new Error(`There is no replica ${index}.`);
    return service.listening();
  };

  return {
    environment,
    dataDir,
    lines,
    ...log,
    http: (index: number) => listening(index).http,
    pid: (index: number) => listening(index).pid,
    create: (index: number) => fetch(`${listening(index).http}/v1/tests`, { method: 'POST' }),
    async created(index: number): Promise<CreatedTest> {
      const response = await fetch(`${listening(index).http}/v1/tests`, { method: 'POST' });
      if (response.status !== 201) throw new Error(`No test was created: ${response.status}.`);
      return (await response.json()) as CreatedTest;
    },
    /** Returns the status according to a replica, or the code of its problem. */
    async status(index: number, { test_id }: Pick<CreatedTest, 'test_id'>): Promise<string> {
      const response = await fetch(`${listening(index).http}/v1/tests/${test_id}/status`);
      const body = (await response.json()) as { readonly status: string; readonly code?: string };
      return body.code ?? body.status;
    },
    /** Sends the demo's email, with the greeting of `host`. */
    send(
      index: number,
      { address }: Pick<CreatedTest, 'address'>,
      host: string = environment.client.host,
    ) {
      const [name = '', port = ''] = listening(index).smtp.split(/:(?=\d+$)/);
      const via = { host: name, port: Number(port), client: { ...environment.client, host } };
      return sendMailPatiently(demoMail(address, environment.key), via);
    },
    read: (index: number, { test_id, read_token }: CreatedTest) =>
      fetch(`${listening(index).http}/v1/report?test_id=${test_id}`, {
        headers: { 'x-read-token': read_token },
      }),
    async stop() {
      await log.close();
      await Promise.all(services.map((service) => service.stop()));
      await environment.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;
