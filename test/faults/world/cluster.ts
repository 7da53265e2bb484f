/**
 * Runs a world with three nats-servers and three replicas, as operators run it, finds the leader of a stream,
 * and waits for its nodes.
 */

import { readConfig } from '../../../src/config/config.ts';
import { openLog } from '../../../src/service/log.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { type Cluster, startCluster } from '../../lab/cluster/start.ts';
import { connectAs } from '../../support/log/connect-as.ts';
import { startFacilitator } from '../../support/payments/facilitator.ts';
import { observe } from './observer.ts';
import { type Server, toReplica, untilReady, type World, waitFor } from './parts.ts';

type Node = Cluster['nodes'][number];

/** Pause before the supervisor restarts a node that ended, in milliseconds. */
const MISSED_MS = 1000;

/** A world as operators run it. */
export interface ClusterWorld extends World {
  readonly cluster: Cluster;
  /** The node stays down until the promise resolves. */
  holdDown(node: Node, until: Promise<unknown>): void;
}

interface Options {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The main module of another checkout, with which it begins. */
  readonly main?: string | undefined;
}

const preload = new URL('wall-clock.ts', import.meta.url);

/** Starts three nodes according to `nats.conf` and three replicas of `src/main.ts`. */
export async function startClusterWorld({ env, main }: Options): Promise<ClusterWorld> {
  const held = new Map<Node, Promise<unknown>>();
  const lines: string[] = [];
  const cluster = await startCluster({
    env: { TRUST_PROXY: '127.0.0.1', ...env },
    print: (line) => lines.push(line),
    preload,
    main,
    beforeRestart: async (node) => {
      await new Promise((resolve) => setTimeout(resolve, MISSED_MS));
      await held.get(node);
    },
  });
  // Each replica checks this at its start. Nodes configured as in `nats.conf` sync each write.
  const warning = lines.find((line) => line.includes('does not sync each write'));
  if (warning) throw new Error(warning);
  const { environment, nodes, operator } = cluster;
  const config = readConfig({ ...environment.env, ...operator }, { replicaId: 'observer' });
  const log = await openLog(config, createLogger('silent'));
  const observer = observe(log);
  const facilitator = await startFacilitator(environment.chain);
  const replicas = cluster.replicas.map(({ id, service }) => toReplica(id, service));
  return {
    ...{ cluster, environment, replicas, log, observer, facilitator, lines },
    servers: nodes.map(toServer),
    node: { fail: () => undefined },
    broadcasts: [],
    secrets: [],
    durations: config.durations,
    holdDown: (node, until) => void held.set(node, until),
    async whole() {
      await untilWhole(cluster);
      await Promise.all(replicas.map(untilReady));
    },
    async stop() {
      await observer.stop();
      await log.close();
      await facilitator.stop();
      await cluster.stop();
    },
  };
}

/** Describes a node as a server of the world. To start it is only to wait until its supervisor has done so. */
const toServer = ({ name, server }: Node): Server => ({
  name,
  pid: server.pid,
  kill: server.kill,
  start: () => waitFor(`${name} runs again`, async () => server.alive()),
});

/** Waits until every node responds, and each stream has all of its copies. */
export async function untilWhole({ nodes, operator }: Cluster): Promise<void> {
  for (const { name, monitoring } of nodes)
    await waitFor(`${name} is healthy`, async () => (await fetch(`${monitoring}/healthz`)).ok);
  const connection = await connectAs(operator);
  try {
    await waitFor('every stream has all of its copies', async () => {
      const streams = await connection.jsm.streams.list().next();
      const isWhole = ({ cluster }: (typeof streams)[number]) =>
        cluster?.leader &&
        cluster.replicas?.length === nodes.length - 1 &&
        cluster.replicas.every(({ current, offline }) => current && !offline);
      return streams.length > 0 && streams.every(isWhole);
    });
  } finally {
    await connection.close();
  }
}

/** Waits until a node that ended, for whatever reason, is restarted with another pid. */
export async function untilRestarted({ name, server }: Node, pid: number): Promise<void> {
  await waitFor(`${name} runs again`, async () => server.alive() && server.pid() !== pid);
}

/** Returns the node that leads a stream. */
export async function leaderOf({ nodes, operator }: Cluster, stream: string): Promise<Node> {
  const connection = await connectAs(operator);
  const { cluster: group } = await connection.jsm.streams.info(stream);
  await connection.close();
  const leader = nodes.find(({ name }) => name === group?.leader);
  if (!leader) throw new Error(`${stream} has no leader.`);
  return leader;
}
