/**
 * Runs replicas on a log, writes tests to it, and asks the replicas about them before and after damage to its
 * files.
 */

import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { highWater, readEnds } from '../../../src/adapters/nats/high-water.ts';
import { createMarks, createStreams } from '../../../src/adapters/nats/streams.ts';
import { logsOver, type Source } from '../../../src/operator/replay/source.ts';
import { openMarks } from '../../../src/service/high-water-marks.ts';
import { TOKEN } from '../../api/harness.ts';
import { startHistoryReplica } from '../../support/log/history-replica.ts';
import type { NatsServer } from '../../support/log/nats-server.ts';
import { logsOf } from '../../support/log/nats-test-histories.ts';
import { streamSettings } from '../../support/log/streams.ts';
import { chainOf } from '../../support/payments/payment-history.ts';
import { keptLogger } from '../../support/process/silent-logger.ts';
import { idOf, writeHistory } from './histories.ts';
import type { Cluster } from './nats-cluster.ts';

/** The responses of a client's requests about one test. */
export interface Answers {
  readonly status: string;
  readonly report: string;
}

/** Starts a replica as a service does. It refuses to start if its log lacks something that was in it. */
export async function startReplica(
  { url, replicas = 1 }: Pick<NatsServer, 'url'> & { readonly replicas?: number },
  path: string | undefined,
  prepare?: (source: Source) => Promise<unknown>,
) {
  const connection = await connectNats({ url, name: 'storage', replicas });
  const file = path === undefined ? path : { path, isOfOneStore: replicas === 1 };
  try {
    const source = { ...logsOf(connection), ...logsOver(connection) };
    if (prepare) {
      await createMarks(connection);
      // An operator resets the mark in a shell that has no access to the replicas' files.
      await highWater(connection).reset(await readEnds(connection));
      await createStreams(connection, streamSettings);
      await prepare(source);
    }
    const marks = await openMarks(connection, { file, logger: keptLogger().logger });
    await createStreams(connection, streamSettings);
    const chain = chainOf(
      () => [],
      () => 1,
    );
    const replica = await startHistoryReplica(logsOf(connection), chain);
    await replica.projected();
    return { ...replica, ...source, noteMarks: marks.stop };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export type StorageReplica = Awaited<ReturnType<typeof startReplica>>;

/**
 * Longest time for a start, and for one after an operator's intervention, in milliseconds. Longer counts as
 * none.
 */
const START_MS = 30_000;
const PREPARED_MS = 300_000;

interface ReplicaOptions {
  /** The file of the high-water marks, outside of the store. */
  readonly file?: string | undefined;
  /** The operator's action before it starts, which accepts what is there as everything there was. */
  readonly prepare?: (source: Source) => Promise<unknown>;
}

/**
 * Runs a replica while the work takes, and until it has recorded how far the log is.
 * @throws if it does not start, like a service that refuses its log
 */
export async function withReplica<T>(
  cluster: Pick<Cluster, 'url' | 'replicas'>,
  work: (replica: StorageReplica) => Promise<T>,
  { file, prepare }: ReplicaOptions = {},
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const withinMs = prepare ? PREPARED_MS : START_MS;
  const timer = setTimeout(() => late.reject(new Error('It does not start.')), withinMs);
  const starting = startReplica(cluster, file, prepare);
  const replica = await Promise.race([starting, late.promise]).finally(() => clearTimeout(timer));
  try {
    await replica.follower.ready;
    const done = await work(replica);
    await replica.projected();
    await replica.noteMarks();
    return done;
  } finally {
    await replica.stop();
  }
}

/** Writes tests in various states: created, refused, analysed, and every third of those paid for. */
export async function writeTests(logs: StorageReplica, from: number, count: number) {
  for (let n = from; n < from + count; n++)
    await writeHistory(
      logs,
      n % 6 === 0 ? 'waiting' : n % 6 === 1 ? 'refused' : n % 3 === 0 ? 'ready' : 'paid',
      n,
    );
}

/** Returns the responses for every test: status, and report with its receipt. */
export async function askAll({ ask }: Pick<StorageReplica, 'ask'>, count: number) {
  const answers = new Map<string, Answers>();
  for (let n = 0; n < count; n++) {
    const id = idOf(n);
    const status = await ask(`/v1/tests/${id}/status`);
    const report = await ask(`/v1/report?test_id=${id}`, { 'x-read-token': TOKEN });
    answers.set(id, { status: await textOf(status), report: await textOf(report) });
  }
  return answers;
}

/** Like `askAll`, and repeats while a newly elected leader does not respond yet. */
export async function askPatiently(replica: StorageReplica, count: number) {
  for (let n = 0; ; n++) {
    const answers = await askAll(replica, count);
    const isAway = [...answers.values()].some(({ status, report }) =>
      `${status} ${report}`.includes('503 log_unavailable'),
    );
    if (!isAway || n === 5) return answers;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function textOf(response: Response): Promise<string> {
  const body = await response.text();
  // The terms of a payment count from the moment of the request.
  if (response.status === 402) return '402';
  if (response.status >= 400) return `${response.status} ${JSON.parse(body).code}`;
  return `${response.status} ${response.headers.get('payment-response') ?? ''} ${body}`;
}
