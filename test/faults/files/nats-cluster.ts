/**
 * Runs three nats-servers as a cluster, or a single one; chooses the leader, waits until all have the same
 * messages, and empties them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { connectNats, type LogConnection } from '../../../src/adapters/nats/connection.ts';
import { isOutage, reach } from '../../../src/adapters/nats/outage.ts';
import { infoOf } from '../../../src/adapters/nats/read.ts';
import { freePorts } from '../../environment/free-ports.ts';
import { type NatsServer, startNats } from '../../support/log/nats-server.ts';

/** Time for a cluster to elect its leader, in milliseconds. */
const ELECTION_MS = 30_000;

/** A nats-server of a cluster, with its name there. */
export interface ClusterNode extends NatsServer {
  readonly name: string;
}

/** Starts three nats-servers on loopback, each with its own store, or one, which is not a cluster. */
export async function startCluster(size: 1 | 3) {
  const ports = await freePorts(size);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const start = async (port: number, index: number): Promise<ClusterNode> => {
    const name = `node-${index + 1}`;
    const extra = `server_name: ${name}
cluster { name: faults, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
    return { ...(await startNats(size > 1 ? { extra } : {})), name };
  };
  const nodes = await Promise.all(ports.map(start));
  const url = nodes.map((node) => node.url).join(',');
  const connection = await connectNats({ url, name: 'operator', replicas: size });
  return {
    nodes,
    url,
    replicas: size,
    connection,
    /**
     * Resolves when each stream has a leader and each node has what the leader has, or never will. A leader
     * considers a node up to date that has yet to copy messages, and if that node becomes the leader before
     * it has, it stays behind.
     */
    async settled(): Promise<void> {
      if (size > 1) await level(nodes);
      // After a restart, the client reconnects to its server in its own time.
      else await reach(() => connection.jsm.getAccountInfo(), ELECTION_MS);
    },
    /** Returns the node whose copy of `TESTS` its one follower reads. */
    async readsOn(): Promise<string | undefined> {
      const [follower] = await connection.jsm.consumers.list('TESTS').next();
      return follower?.cluster?.leader;
    },
    /** Makes one node the leader of every stream. */
    async lead(name: string): Promise<void> {
      if (size > 1) await ofEachStream(connection, (stream) => lead(connection, stream, name));
    },
    /** Deletes all streams, or empties the stores if their servers do not start on them. */
    async clear(): Promise<void> {
      const cleared = size === 1 ? false : await deleteAll(connection).catch(() => false);
      if (!cleared) await Promise.all(nodes.map((node) => node.empty()));
    },
    async end(): Promise<void> {
      await connection.close();
      await Promise.all(nodes.map((node) => node.end()));
    },
  };
}

/** Makes a node that has a copy of a stream its leader. Returns `false` if it did not in time. */
async function lead(connection: LogConnection, stream: string, node: string): Promise<boolean> {
  const deadline = performance.now() + LEVEL_MS;
  while (performance.now() < deadline) {
    try {
      const { cluster } = await infoOf(connection.jsm, stream);
      if (cluster?.leader === node) return true;
      const order = JSON.stringify({ placement: { preferred: node } });
      await connection.nc.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, order);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    await sleep(100);
  }
  return false;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

async function deleteAll({ jsm }: LogConnection): Promise<boolean> {
  for await (const name of jsm.streams.names()) await jsm.streams.delete(name);
  return true;
}

/** Time for an election, and for nodes to copy what they lack, in milliseconds. */
const LEVEL_MS = 30_000;

async function level(nodes: readonly ClusterNode[]): Promise<void> {
  const deadline = performance.now() + LEVEL_MS;
  for (;;) {
    const [first = '', ...others] = await Promise.all(
      nodes.map((node) => endsOn(node).catch(none)),
    );
    const isLevel = first !== '' && !first.includes(NONE) && others.every((one) => one === first);
    if (isLevel || performance.now() > deadline) return;
    await sleep(200);
  }
}

const NONE = 'none';
const none = () => NONE;

interface Monitored {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { readonly last_seq: number };
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}

/** Returns the leader of each stream, and its last sequence according to that node's files. */
async function endsOn({ monitoringUrl }: ClusterNode): Promise<string> {
  const answer = await fetch(`${monitoringUrl}/jsz?streams=1`);
  const { account_details: [account] = [] } = (await answer.json()) as Monitored;
  const streams = account?.stream_detail ?? [];
  return streams
    .map(({ name, state, cluster }) => `${name} ${state.last_seq} ${cluster?.leader ?? NONE}`)
    .sort()
    .join();
}

/** Asks about all streams at once. Whatever is not ready in time shows in the responses. */
async function ofEachStream(
  { jsm }: LogConnection,
  wait: (stream: string) => Promise<boolean>,
): Promise<void> {
  // The first page of the listing has room for all streams.
  const names = await reach(() => jsm.streams.names().next(), ELECTION_MS).catch(() => []);
  await Promise.all(names.map(wait));
}
