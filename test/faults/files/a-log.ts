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

/** What a client is answered about one test. */
export interface Answers {
  readonly status: string;
  readonly report: string;
}

/** A replica as a service starts it: refused where its log lacks what was in it. */
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
      // In a shell without the replicas' files.
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

/** How long a start may take before it counts as none, in milliseconds; and one after what an operator does. */
const START_MS = 30_000;
const PREPARED_MS = 300_000;

interface ReplicaOptions {
  /** Of the marks, outside of the store. */
  readonly file?: string | undefined;
  /** What an operator does before it starts, taking what there is for all there was. */
  readonly prepare?: (source: Source) => Promise<unknown>;
}

/**
 * Runs a replica for as long as the work takes, and until it has noted how far the log is.
 *
 * @throws when it does not start, as a service that refuses its log
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

/** Tests as they may stand: created, refused, analysed, and each third of those paid for. */
export async function writeTests(logs: StorageReplica, from: number, count: number) {
  for (let n = from; n < from + count; n++)
    await writeHistory(
      logs,
      n % 6 === 0 ? 'waiting' : n % 6 === 1 ? 'refused' : n % 3 === 0 ? 'ready' : 'paid',
      n,
    );
}

/** What every test answers: status, and report with its receipt. */
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

/** As `askAll`, again where a leader that has just been chosen does not answer yet. */
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
  // The terms of a payment are counted from the moment of the question.
  if (response.status === 402) return '402';
  if (response.status >= 400) return `${response.status} ${JSON.parse(body).code}`;
  return `${response.status} ${response.headers.get('payment-response') ?? ''} ${body}`;
}
