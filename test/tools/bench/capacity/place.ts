import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEnvironment } from '../../../environment/environment.ts';
import { startService } from '../../../environment/service-process.ts';
import { connectAs } from '../../../support/log/connect-as.ts';
import { prepareNodes } from '../../cluster/nodes.ts';
import { makeStreams } from '../../cluster/streams.ts';
import { cpuMsOf, cpuOfStat } from '../process-cpu.ts';

/** Processor time in milliseconds, and what the log holds in bytes. */
export interface Used {
  /** The thread that listens, answers and folds. */
  readonly main: number;
  /** Workers, collection of garbage, compilation. */
  readonly others: number;
  /** All three nodes together. */
  readonly nodes: number;
  /** In one copy of the streams and buckets. */
  readonly bytes: number;
}

/** One replica on three nodes with the configuration of production, as the demo's environment. */
export async function startPlace() {
  const bin = process.env.NATS_SERVER_BIN ?? '';
  const home = await mkdtemp(join(tmpdir(), 'deliverability-capacity-'));
  const steps: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of steps.splice(0).reverse()) await step().catch(() => undefined);
  };
  try {
    const {
      nodes,
      service: asService,
      operator,
    } = await prepareNodes({ bin, home, onEnd: () => {} });
    steps.push(() => Promise.all(nodes.map(({ server }) => server.stop())));
    await Promise.all(nodes.map(({ server }) => server.start()));
    const env = { PATH: process.env.PATH, ...asService };
    await makeStreams({ ...env, ...operator });
    const limits = { SMTP_MAX_CLIENTS: '200' };
    const environment = await startEnvironment({ ...env, ...limits, DATA_DIR: home });
    steps.push(() => environment.stop());
    const service = await startService({ env: environment.env, onLog: () => {} });
    steps.push(() => service.stop());
    const connection = await connectAs(operator);
    steps.push(() => connection.close());
    const { http, smtp, pid } = service.listening();
    const [host = '', port = ''] = smtp.split(/:(?=\d+$)/);

    async function used(): Promise<Used> {
      const main = cpuOfStat(await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8'));
      const all = await cpuMsOf(pid);
      const ofNodes = await Promise.all(nodes.map(({ server }) => cpuMsOf(server.pid())));
      const streams = await connection.jsm.streams.list().next();
      return {
        main,
        others: all - main,
        nodes: ofNodes.reduce((sum, one) => sum + one, 0),
        bytes: streams.reduce((sum, { state }) => sum + state.bytes, 0),
      };
    }
    return {
      environment,
      http,
      via: { host, port: Number(port), client: environment.client },
      used,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Place = Awaited<ReturnType<typeof startPlace>>;
