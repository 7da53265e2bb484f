/**
 * Starts three nats-servers and three replicas in the demo's environment on loopback, and starts
 * again any of them that ends.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Fixed } from '../../../src/config/constants.ts';
import { type Environment, startEnvironment } from '../../environment/environment.ts';
import { startService } from '../../environment/service-process.ts';
import { type Node, prepareNodes } from './nodes.ts';
import { makeStreams } from './streams.ts';

const REPLICAS = 3;

/** Pause before a node that ended is started again, in milliseconds: long enough to be missed. */
const PAUSE_MS = 1000;

interface Options {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with each event, and each line of a replica's log. */
  readonly print: (text: string) => void;
  /** Fixed values of the replicas, in the form that `startService` accepts. */
  readonly fixed?: Partial<Fixed> | undefined;
  readonly preload?: URL;
  readonly main?: string | undefined;
  /** Awaited before a node that ended is started again. */
  readonly beforeRestart?: (node: Node) => Promise<unknown>;
}

/**
 * Starts three nats-servers and three replicas of the service in the demo's environment. A node or a replica
 * that dies is started again at its addresses.
 */
export async function startCluster(options: Options) {
  const { env, print, preload, main, beforeRestart = () => sleep(PAUSE_MS) } = options;
  const steps: (() => Promise<unknown>)[] = [];
  let stopping = false;
  const stop = async () => {
    stopping = true;
    for (const step of steps.splice(0).reverse()) await step().catch(() => undefined);
  };

  try {
    const folder = await mkdtemp(join(tmpdir(), 'deliverability-cluster-'));
    steps.push(() => rm(folder, { recursive: true, force: true }));

    const revive = async (node: Node) => {
      if (stopping) return;
      print(`${node.name} ended; it is started again.`);
      // The node may need several attempts, for example on a full disk.
      while (!stopping && !node.server.alive()) {
        await beforeRestart(node);
        if (!stopping) await node.server.start().catch((error: Error) => print(error.message));
      }
      if (!stopping) print(`${node.name} runs again as pid ${node.server.pid()}.`);
    };
    const { nodes, secrets, service, operator } = await prepareNodes({
      home: env.DATA_DIR || folder,
      onEnd: (node) => {
        revive(node).catch((error: Error) => print(`${node.name}: ${error.message}`));
      },
    });
    steps.push(() => Promise.all(nodes.map(({ server }) => server.stop())));
    await Promise.all(nodes.map(({ server }) => server.start()));
    await makeStreams({ ...env, ...operator }, [], main);

    const environment = await startEnvironment({ ...env, DATA_DIR: folder, ...service });
    steps.push(() => environment.stop());

    const services: { stop(): Promise<void> }[] = [];
    // All at once, because Ctrl-C also reaches each of them, and one that ends unexpectedly is started again.
    steps.push(() => Promise.all(services.map((one) => one.stop())));
    const startReplica = async (index: number) => {
      const id = `replica-${index + 1}`;
      const settings = {
        ...environment.env,
        ...(await ownWallet(environment, folder, id)),
      };
      const service = await startService({
        env: settings,
        fixed: {
          replicaId: id,
          natsMonitoringUrl: nodes[0]?.monitoring ?? null,
          ...options.fixed,
        },
        onLog: print,
        ...(preload && { preload }),
        ...(main && { main }),
      });
      services.push(service);
      return { id, service };
    };
    const replicas = await Promise.all(
      Array.from({ length: REPLICAS }, (_, index) => startReplica(index)),
    );
    return {
      environment,
      nodes,
      secrets,
      replicas,
      /** Returns the setting with the key of a new wallet with ether, for one replica. */
      newWallet: (id: string) => ownWallet(environment, folder, id),
      /** The settings of a client with every permission on the log. */
      operator,
      /** The settings of the replicas. */
      service,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** With one key for several replicas, they would wait for each other's transactions. */
async function ownWallet({ chain, env }: Environment, folder: string, id: string) {
  if (env.X402_FACILITATOR_URL) return {};
  const key = generatePrivateKey();
  await chain.fundEther(privateKeyToAccount(key).address, parseEther('1'));
  const file = join(folder, `wallet-${id}`);
  await writeFile(file, key, { mode: 0o600 });
  return { X402_WALLET_KEY_FILE: file };
}
