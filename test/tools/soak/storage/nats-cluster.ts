import type { JetStreamManager } from '@nats-io/jetstream';
import { connectNats, type LogConnection } from '../../../../src/adapters/nats/connection.ts';
import { freePorts } from '../../../environment/free-ports.ts';
import { type NatsServer, startNats } from '../../../support/log/nats-server.ts';

const NODES = 3;

/** For an election, or a node to catch up, in milliseconds. */
const SETTLE_MS = 30_000;

/** A nats-server of a cluster, with the name that it has there. */
export interface ClusterNode extends NatsServer {
  readonly name: string;
}

/** Three nats-servers on loopback, each with a store of its own. */
export async function startCluster() {
  const ports = await freePorts(NODES);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const start = async (port: number, index: number): Promise<ClusterNode> => {
    const name = `node-${index + 1}`;
    const extra = `server_name: ${name}
cluster { name: soak, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
    return { ...(await startNats({ extra })), name };
  };
  const nodes = await Promise.all(ports.map(start));
  const url = nodes.map((node) => node.url).join(',');
  const connection = await connectNats({ url, name: 'operator', replicas: NODES });
  return {
    nodes,
    url,
    replicas: NODES,
    connection,
    /** Resolves when each stream has a leader and each of its nodes has what that has. */
    settled: () => allStreams(connection.jsm, isSettled),
    /** Makes one node the leader of every stream that has a copy there. */
    async lead(name: string): Promise<void> {
      await allStreams(connection.jsm, (stream) => isLedBy(connection, stream, name));
    },
    async clear(): Promise<void> {
      for await (const name of connection.jsm.streams.names())
        await connection.jsm.streams.delete(name);
    },
    async end(): Promise<void> {
      await connection.close();
      await Promise.all(nodes.map((node) => node.end()));
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Until all do, or a while has passed. */
async function allStreams(
  jsm: JetStreamManager,
  does: (stream: Awaited<ReturnType<typeof jsm.streams.info>>) => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (let settled = false; !settled && performance.now() < deadline; ) {
    settled = true;
    try {
      for await (const name of jsm.streams.names())
        if (!(await does(await jsm.streams.info(name)))) settled = false;
    } catch {
      settled = false;
    }
    if (!settled) await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

type Info = Awaited<ReturnType<JetStreamManager['streams']['info']>>;

const isSettled = ({ cluster }: Info) =>
  cluster?.leader !== undefined &&
  cluster.replicas?.length === NODES - 1 &&
  cluster.replicas.every(({ current, offline, lag = 0 }) => current && !offline && lag === 0);

async function isLedBy({ nc }: LogConnection, { config, cluster }: Info, name: string) {
  if (cluster?.leader === name) return true;
  const order = JSON.stringify({ placement: { preferred: name } });
  await nc.request(`$JS.API.STREAM.LEADER.STEPDOWN.${config.name}`, order, { timeout: 2000 });
  return false;
}
