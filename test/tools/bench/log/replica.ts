import { randomUUID } from 'node:crypto';
import { startTimekeeper } from '../../../../src/actors/timekeeper/timekeeper.ts';
import { connectNats, type LogConnection } from '../../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../../src/adapters/nats/logs.ts';
import { createStreams } from '../../../../src/adapters/nats/streams.ts';
import { openViews } from '../../../../src/service/views.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../../src/telemetry/metrics.ts';

const GIB = 2 ** 30;

const durations = {
  ...{ receiveWindowSeconds: 3600, retentionSeconds: 86_400 },
  // Before the tests end, as it is in service.
  ...{ refusalTimeoutSeconds: 900, analysisTimeoutSeconds: 15 },
};

/** What a replica does about the log, without its mail, its API and its payments. */
export async function startReplica(url: string, replicaId: string, copies = 1) {
  const connection = await connectNats({ url, name: replicaId, replicas: copies });
  const counts = countRequests(connection);
  const limits = { testsMaxBytes: 4 * GIB, reportsMaxBytes: 4 * GIB, paymentsMaxBytes: GIB };
  await createStreams(connection, { ...durations, ...limits });
  const logs = openLogs(connection);
  const logger = createLogger('silent');
  const views = await openViews(
    { replicaId, durations },
    {
      log: { connection, ...logs, paymentsEnd: 0 },
      clock: Date.now,
      logger,
      metrics: createMetrics(),
    },
  );
  await views.ready;
  const timekeeper = startTimekeeper({
    log: logs.tests,
    follower: views.follower,
    order: views.order,
    ...{ durations, clock: Date.now, random: Math.random, newId: randomUUID },
    ...{ replica: replicaId, logger, onUnrecorded: views.makeRoom },
  });
  return {
    ...{ connection, logs, views, counts },
    async stop() {
      await timekeeper.stop();
      await views.stop();
      await connection.close();
    },
  };
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Works with so many replicas, `replica-0` and on, and ends them whatever happens: else they outlive their server. */
export async function withReplicas<T>(
  {
    url,
    count,
    copies = 1,
  }: { readonly url: string; readonly count: number; readonly copies?: number },
  work: (replicas: readonly Replica[]) => Promise<T>,
): Promise<T> {
  const replicas: Replica[] = [];
  try {
    for (let n = 0; n < count; n++) replicas.push(await startReplica(url, `replica-${n}`, copies));
    return await work(replicas);
  } finally {
    for (const replica of replicas) await replica.stop();
  }
}

/** Counts what is asked of the server, by the kind of it; following costs no requests but pulls. */
function countRequests({ nc }: LogConnection): Map<string, number> {
  const counts = new Map<string, number>();
  const { publish } = nc;
  nc.publish = (subject, body, options) => {
    const kind = options?.reply ? kindOf(subject) : undefined;
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    publish.call(nc, subject, body, options);
  };
  return counts;
}

function kindOf(subject: string): string | undefined {
  if (subject.startsWith('$JS.API.STREAM.MSG.GET.'))
    return subject.includes('.KV_') ? 'bucket read' : 'read';
  if (subject.startsWith('$JS.API.STREAM.MSG.DELETE.')) return 'erasure';
  if (subject.startsWith('$JS.API.STREAM.INFO.')) return 'info';
  if (subject.startsWith('$KV.')) return 'put';
  return subject.startsWith('$JS.API.') ? undefined : 'append';
}
