import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fixed } from '../../../../src/config/fixed.ts';
import { type Environment, startEnvironment } from '../../../environment/environment.ts';
import { freePorts } from '../../../environment/free-ports.ts';
import { type NatsProcess, natsProcess } from '../../../environment/server-process.ts';
import { startService } from '../../../environment/service-process.ts';
import { type Cluster, startCluster } from '../../cluster/start.ts';
import type { ClockOrder } from './wall-clock.ts';

/** One replica as its clients know it. */
export interface Replica {
  readonly id: string;
  http(): string;
  smtp(): { readonly host: string; readonly port: number };
  pid(): number;
  /** Sets its wall clock, ahead of the true time by that many milliseconds, or behind it. */
  setClock(wrongByMs: number): Promise<void>;
  /** Stops it, and starts it from another checkout; without one, from this. */
  deploy(folder: string | undefined): Promise<void>;
}

/** What is put to the test. */
export interface Target {
  readonly environment: Environment;
  readonly replicas: readonly [Replica, ...Replica[]];
  readonly servers: readonly { readonly name: string; readonly server: NatsProcess }[];
  /** The settings of a client that may do everything with the log. */
  readonly operator: Readonly<Record<string, string>>;
  /** A server that is killed comes back by itself. */
  readonly reviving: boolean;
  stop(): Promise<void>;
}

interface Options {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fixed: Partial<Fixed>;
  readonly onLog: (line: string) => void;
}

const preload = new URL('wall-clock.ts', import.meta.url);

const here = fileURLToPath(new URL('../../../../', import.meta.url));
const mainOf = (folder = here) => join(folder, 'test', 'environment', 'service-main.ts');

const toReplica = (id: string, service: Awaited<ReturnType<typeof startService>>): Replica => ({
  id,
  http: () => service.listening().http,
  smtp() {
    const [host = '', port = ''] = service.listening().smtp.split(/:(?=\d+$)/);
    return { host, port: Number(port) };
  },
  pid: () => service.listening().pid,
  setClock: (wallClockMs) => service.notify({ wallClockMs } satisfies ClockOrder),
  deploy: (folder) => service.replace({ main: mainOf(folder) }),
});

/** Three nodes and three replicas. */
export async function clusterTarget({ env, fixed, onLog }: Options): Promise<Target> {
  const cluster: Cluster = await startCluster({ env, fixed, print: onLog, preload });
  const [first, ...others] = cluster.replicas.map(({ id, service }) => toReplica(id, service));
  if (!first) throw new Error('The cluster has no replica.');
  return {
    environment: cluster.environment,
    replicas: [first, ...others],
    servers: cluster.nodes,
    operator: cluster.operator,
    reviving: true,
    stop: cluster.stop,
  };
}

/** One nats-server, on a port that it keeps, and two replicas. */
export async function singleTarget({ env, fixed, onLog }: Options): Promise<Target> {
  const bin = env.NATS_SERVER_BIN;
  if (!bin) throw new Error('NATS_SERVER_BIN is not set: start with `npm run lab -- soak`.');
  const folder = await mkdtemp(join(tmpdir(), 'deliverability-soak-'));
  const steps: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of steps.splice(0).reverse()) await step().catch(() => undefined);
  };
  try {
    const [port = 0] = await freePorts(1);
    const configFile = join(folder, 'server.conf');
    const store = JSON.stringify(join(folder, 'store'));
    await writeFile(
      configFile,
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${store}, sync_interval: always }\n`,
    );
    const server = natsProcess({ bin, configFile, pidFile: join(folder, 'pid') });
    await server.start();
    steps.push(() => server.stop());
    const natsUrl = `nats://127.0.0.1:${port}`;
    const environment = await startEnvironment({ ...env, DATA_DIR: folder, NATS_URL: natsUrl });
    steps.push(() => environment.stop());
    const services: { stop(): Promise<void> }[] = [];
    steps.push(() => Promise.all(services.map((one) => one.stop())));
    const startReplica = async (id: string) => {
      const service = await startService({
        env: { ...environment.env, REPLICA_ID: id },
        fixed,
        onLog,
        preload,
      });
      services.push(service);
      return toReplica(id, service);
    };
    const replicas = [await startReplica('replica-1'), await startReplica('replica-2')] as const;
    const servers = [{ name: 'nats-server', server }];
    return { environment, replicas, servers, operator: {}, reviving: false, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
