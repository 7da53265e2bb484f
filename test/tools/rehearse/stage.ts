import { setTimeout as sleep } from 'node:timers/promises';
import { connectAs } from '../../support/log/connect-as.ts';
import type { Node } from '../cluster/nodes.ts';
import { startCluster } from '../cluster/start.ts';
import { type Load, startLoad } from './load.ts';
import { type Replica, toReplica } from './replica.ts';

/** Longest time for anything that a step waits for, in milliseconds. */
const WAIT_MS = 180_000;

/** A node that ended is missed for so long, in milliseconds. */
const MISSED_MS = 1000;

interface Options {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLog: (line: string) => void;
  readonly main?: string | undefined;
}

/** Three nodes, three replicas, and buyers that use them all the time. */
export async function startStage({ env, onLog, main }: Options) {
  const held = new Map<Node, Promise<unknown>>();
  const cluster = await startCluster({
    env,
    print: onLog,
    main,
    beforeRestart: async (node) => {
      await sleep(MISSED_MS);
      await held.get(node);
    },
  });
  const replicas: readonly Replica[] = cluster.replicas.map(toReplica);
  const load: Load = startLoad(cluster.environment, replicas);
  return {
    cluster,
    replicas,
    load,
    /** The node stays down until the promise resolves. */
    holdDown: (node: Node, until: Promise<unknown>) => void held.set(node, until),
    async stop(): Promise<void> {
      await load.stop();
      await cluster.stop();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** Looks again until it holds. A look that throws shows nothing. */
export async function waitFor(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not seen in ${WAIT_MS / 1000} s: ${what}.`);
    await sleep(200);
  }
}

export const untilReady = ({ id, http }: Replica) =>
  waitFor(`${id} is ready`, async () => (await fetch(`${http()}/readyz`)).ok);

/** One replica after the other: each is ready before the next one ends. */
export async function replaceEach(
  { replicas }: Stage,
  change: (replica: Replica) => Promise<Parameters<Replica['replace']>[0]>,
): Promise<void> {
  for (const replica of replicas) {
    await replica.replace(await change(replica));
    await untilReady(replica);
  }
}

/** Every node answers, and each stream has all of its copies. */
export async function untilWhole({ cluster: { nodes, operator } }: Stage): Promise<void> {
  for (const { name, monitoring } of nodes)
    await waitFor(`${name} is healthy`, async () => (await fetch(`${monitoring}/healthz`)).ok);
  const connection = await connectAs(operator);
  try {
    await waitFor('every stream has all of its copies', async () => {
      const streams = await connection.jsm.streams.list().next();
      return (
        streams.length > 0 &&
        streams.every(
          ({ cluster }) =>
            cluster?.leader &&
            cluster.replicas?.length === nodes.length - 1 &&
            cluster.replicas.every(({ current, offline }) => current && !offline),
        )
      );
    });
  } finally {
    await connection.close();
  }
}

/** A node that ends, however, is started again by its supervisor under another pid. */
export async function untilRestarted({ name, server }: Node, pid: number): Promise<void> {
  await waitFor(`${name} runs again`, async () => server.alive() && server.pid() !== pid);
}
