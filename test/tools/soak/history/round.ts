import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../../src/config/config.ts';
import { openLog } from '../../../../src/service/log.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { prng } from '../../../support/prng/prng.ts';
import { mineBlock, transfersOf } from '../transfers.ts';
import { calls, type Owned } from './calls.ts';
import { runClients } from './clients.ts';
import type { History, Operation } from './history.ts';
import { runNemesis } from './nemesis.ts';
import { observe } from './observer.ts';
import { DECIDED_MS } from './rules/money.ts';
import { clusterTarget, singleTarget } from './target.ts';
import { startVisitors } from './visitors.ts';

/** For what is still to come after the last deadline, in milliseconds. */
const GRACE_MS = 15_000;

export interface RoundOptions {
  readonly seed: number;
  /** Clients and faults begin nothing new after this, in seconds. */
  readonly seconds: number;
  /** Nor after so many of each. */
  readonly tests: number;
  readonly faults: number;
  readonly clients: number;
  readonly cluster: boolean;
  /** From a mail, or from the creation, to the end of a test, in seconds. */
  readonly retentionSeconds: number;
  /** Another checkout, whose replicas come and go. */
  readonly other?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLog: (line: string) => void;
}

/** Deadlines of seconds, so that a round sees their ends. */
const shortRetention = (retentionSeconds: number) => ({
  receiveWindowSeconds: 6,
  refusalTimeoutSeconds: 3,
  analysisTimeoutSeconds: 5,
  retentionSeconds,
});

/** Starts everything again, hurts it, waits for the end of every test, and gives what happened. */
export async function runRound(options: RoundOptions): Promise<History> {
  const { seed, seconds, cluster, retentionSeconds, onLog } = options;
  const fixed = { durations: shortRetention(retentionSeconds) };
  const target = await (cluster ? clusterTarget : singleTarget)({ env: options.env, fixed, onLog });
  try {
    const config = readConfig({ ...target.environment.env, ...target.operator }, fixed);
    const log = await openLog({ ...config, replicaId: 'observer' }, createLogger('silent'));
    const observer = observe(log);
    const operations: Operation[] = [];
    const random = prng(seed);
    const until = Date.now() + seconds * 1000;

    const known: Owned[] = [];
    const visitors = startVisitors({
      calls: calls(target.environment, operations),
      replicas: target.replicas,
      random: random.split(),
      known,
    });
    const [faults] = await Promise.all([
      runNemesis({
        target,
        connection: log.connection,
        random: random.split(),
        faults: options.faults,
        other: options.other,
        until,
      }),
      runClients({
        calls: calls(target.environment, operations),
        replicas: target.replicas,
        random: random.split(),
        count: options.clients,
        tests: options.tests,
        until,
        known,
      }),
    ]);
    const kept = await observer.readAgain();
    const deadline = Date.now() + retentionSeconds * 1000 + GRACE_MS;
    while (!observer.allEnded() && Date.now() < deadline) await sleep(250);
    await visitors.stop();
    while (!observer.allDecided() && Date.now() < deadline + DECIDED_MS) {
      // The chain's time goes on by blocks, and nobody sends anything any more.
      await mineBlock(target.environment.chain);
      await sleep(1000);
    }
    const transfers = await transfersOf(target.environment.chain);
    await observer.stop();
    await log.close();
    return {
      durations: config.durations,
      operations,
      faults,
      kept,
      transfers,
      endedAt: Date.now(),
      ...observer.seen,
    };
  } finally {
    await target.stop();
  }
}
