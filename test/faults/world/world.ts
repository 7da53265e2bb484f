/**
 * Runs a world with one nats-server, a chain behind a node and a facilitator, a DNS server and two replicas.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Hex, keccak256, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readConfig } from '../../../src/config/config.ts';
import { FIXED, type Fixed } from '../../../src/config/constants.ts';
import { openLog } from '../../../src/service/log.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { type Environment, startEnvironment } from '../../environment/environment.ts';
import { startService } from '../../environment/service-process.ts';
import { startNats } from '../../support/log/nats-server.ts';
import { startFacilitator } from '../../support/payments/facilitator.ts';
import { type Fate, startRpcProxy } from '../../support/payments/rpc-proxy.ts';
import type { Broadcast } from '../judge/history.ts';
import { startGate } from './gate.ts';
import { observe } from './observer.ts';
import { type Replica, toReplica, untilReady, type World } from './parts.ts';

type Settings = Readonly<Record<string, string>>;

/** Deadlines of seconds, so that they pass during a row. */
const DURATIONS = { ...FIXED.durations, refusalTimeoutSeconds: 3, analysisTimeoutSeconds: 5 };

/**
 * For the second replica: the tests that it creates end soon, while those of the first outlive the world.
 */
const HURRIED = { ...DURATIONS, receiveWindowSeconds: 4, retentionSeconds: 8 };

/** How money moves: with our own wallet and one node or two, or with a facilitator. */
const WORLDS = {
  wallet: (): Settings => ({}),
  'two nodes': (rpcUrl: string): Settings => ({ X402_SECOND_RPC_URL: rpcUrl }),
  facilitator: (_: string, url: string): Settings => ({
    X402_FACILITATOR_URL: url,
  }),
} as const;

export type MoneyName = keyof typeof WORLDS;

const script = fileURLToPath(new URL('service.ts', import.meta.url));
const preload = new URL('wall-clock.ts', import.meta.url);

/** Starts one nats-server, a chain behind a node and a facilitator, a DNS server, and two replicas. */
export async function startWorld(money: MoneyName): Promise<World> {
  const steps: (() => Promise<unknown>)[] = [];
  const after = <T>(started: T, stop: (one: T) => Promise<unknown>): T => {
    steps.push(() => stop(started));
    return started;
  };
  const stop = async () => {
    for (const step of steps.splice(0).reverse()) await step().catch(() => undefined);
  };
  try {
    const folder = after(await mkdtemp(join(tmpdir(), 'faults-')), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    const nats = after(await startNats({ sync: 'always' }), (one) => one.end());
    const environment = after(
      await startEnvironment({
        DATA_DIR: folder,
        NATS_URL: nats.url,
        TRUST_PROXY: '127.0.0.1',
      }),
      (one) => one.stop(),
    );
    const { chain } = environment;
    const broadcasts: Broadcast[] = [];
    const node = after(await startNode(chain.rpcUrl, broadcasts), (one) => one.stop());
    const facilitator = after(await startFacilitator(chain), (one) => one.stop());
    const shared = {
      ...environment.env,
      X402_RPC_URL: node.url,
      ...WORLDS[money](chain.rpcUrl, facilitator.url),
    };

    const lines: string[] = [];
    const secrets: string[] = [];
    const startReplica = async (id: string, durations: Fixed['durations']): Promise<Replica> => {
      const gate = after(await startGate(Number(new URL(nats.url).port)), (one) => one.end());
      const wallet = await newWallet(environment, join(folder, `wallet-${id}`));
      secrets.push(wallet.key);
      const service = await startService({
        env: {
          ...shared,
          ...{ NATS_URL: gate.url, DATA_DIR: join(folder, id) },
          X402_WALLET_KEY_FILE: wallet.file,
        },
        fixed: { durations, replicaId: id, natsMonitoringUrl: nats.monitoringUrl },
        onLog: (line) => lines.push(line),
        preload,
        main: script,
      });
      after(service, (one) => one.stop());
      return { ...toReplica(id, service), gate, wallet: wallet.address, walletFile: wallet.file };
    };
    const replicas = await Promise.all([
      startReplica('one', DURATIONS),
      startReplica('two', HURRIED),
    ]);
    const config = readConfig(environment.env, { durations: DURATIONS, replicaId: 'observer' });
    const log = after(await openLog(config, createLogger('silent')), (one) => one.close());
    const observer = after(observe(log), (one) => one.stop());
    return {
      ...{ environment, replicas, node, facilitator, log, observer, lines, broadcasts },
      servers: [{ name: 'nats-server', ...nats }],
      secrets: [...secrets, environment.key.privateKey.split('\n')[1] ?? ''],
      durations: config.durations,
      whole: () => Promise.all(replicas.map(untilReady)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * `transferWithAuthorization`, with a signature in parts or as bytes. Otherwise it fills a gap in the nonces.
 */
const PAYS = ['e3ee160e', 'cf092995'];

/** Starts the chain's node as the replicas see it. It records what is broadcast, and lies when told to. */
async function startNode(rpcUrl: string, broadcasts: Broadcast[]) {
  const proxy = await startRpcProxy(rpcUrl);
  const note = (raw: Hex) => {
    if (PAYS.some((selector) => raw.includes(selector)))
      broadcasts.push({ transaction: keccak256(raw), time: Date.now() });
  };
  const fail = (rule: (method: string, body: string) => Fate | undefined = () => undefined) =>
    proxy.fail((method, body) => {
      const fate = rule(method, body) ?? 'pass';
      if (method === 'eth_sendRawTransaction') note(JSON.parse(body).params[0]);
      return fate;
    });
  fail();
  return { ...proxy, fail };
}

async function newWallet({ chain }: Environment, file: string) {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.fundEther(address, parseEther('1'));
  await writeFile(file, key, { mode: 0o600 });
  return { key, address, file };
}
