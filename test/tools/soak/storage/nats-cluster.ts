import { connectNats, type LogConnection } from '../../../../src/adapters/nats/connection.ts';
import { findUnevenLines, isSettled, lead } from '../../../../src/adapters/nats/copies.ts';
import { reach } from '../../../../src/adapters/nats/outage.ts';
import { freePorts } from '../../../environment/free-ports.ts';
import { type NatsServer, startNats } from '../../../support/log/nats-server.ts';

/** For a cluster that elects its leader, in milliseconds. */
const ELECTION_MS = 30_000;

/** A nats-server of a cluster, with the name that it has there. */
export interface ClusterNode extends NatsServer {
  readonly name: string;
}

/** Three nats-servers on loopback, each with a store of its own; or one, which is no cluster. */
export async function startCluster(
  size: 1 | 3 = 3,
  options: Pick<NonNullable<Parameters<typeof startNats>[0]>, 'sync' | 'encrypted'> = {},
) {
  const ports = await freePorts(size);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const start = async (port: number, index: number): Promise<ClusterNode> => {
    const name = `node-${index + 1}`;
    const extra = `server_name: ${name}
cluster { name: soak, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
    return { ...(await startNats({ ...options, ...(size > 1 && { extra }) })), name };
  };
  const nodes = await Promise.all(ports.map(start));
  const url = nodes.map((node) => node.url).join(',');
  const connection = await connectNats({ url, name: 'operator', replicas: size });
  return {
    nodes,
    url,
    replicas: size,
    connection,
    /** Resolves when each stream has a leader and each of its nodes has what that has. */
    settled: () => ofEachStream(connection, (stream) => isSettled(connection, stream)),
    /** Messages that are not on all nodes, and copies that are not followed: what it has not healed by itself. */
    async countUneven(streams: readonly string[]): Promise<number> {
      let uneven = 0;
      for (const stream of streams) {
        const { lines, unread } = await findUnevenLines(connection, stream);
        uneven += lines.length + unread.length;
      }
      return uneven;
    },
    /** The node whose copy of `TESTS` its one follower reads. */
    async readsOn(): Promise<string | undefined> {
      const [follower] = await connection.jsm.consumers.list('TESTS').next();
      return follower?.cluster?.leader;
    },
    /** Makes one node the leader of every stream. */
    async lead(name: string): Promise<void> {
      if (size > 1) await ofEachStream(connection, (stream) => lead(connection, stream, name));
    },
    /** Also of a server by itself that its store keeps from starting. */
    async clear(): Promise<void> {
      if (size === 1) await Promise.all(nodes.map((node) => node.empty()));
      else
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

/** Of all streams that there are, at once; what is not so in time shows in the answers. */
async function ofEachStream(
  { jsm }: LogConnection,
  wait: (stream: string) => Promise<boolean>,
): Promise<void> {
  // Fewer than a page of the listing holds.
  const names = await reach(() => jsm.streams.names().next(), ELECTION_MS);
  await Promise.all(names.map(wait));
}
