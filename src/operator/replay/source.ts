/**
 * Opens the event log of a live service or of a stopped one for the commands of `replay`. Also finds and
 * accepts losses, and creates missing streams.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findEmbeddedNats, startEmbeddedNats } from '../../adapters/embedded-nats/start.ts';
import { kvClaims } from '../../adapters/nats/claims.ts';
import { connectNats, type LogConnection } from '../../adapters/nats/connection.ts';
import { findLosses, highWater, type MarksFile, readEnds } from '../../adapters/nats/high-water.ts';
import { openLogs } from '../../adapters/nats/log.ts';
import { connectNamedNats } from '../../adapters/nats/named-server.ts';
import { codeOf, codes, isForbidden, reach } from '../../adapters/nats/outage.ts';
import { kvProjection } from '../../adapters/nats/projection.ts';
import { createMarks, createStreams } from '../../adapters/nats/streams.ts';
import type { loadLogConfig } from '../../config/config.ts';
import type { ReportWritten, TestEvent } from '../../domain/events.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import { isStatusView, type StatusView } from '../../domain/status-view.ts';
import type { ClaimStore, EventLog, Projected, Projection } from '../../ports/log.ts';
import { isReportView, type ReportView } from '../../projection/views.ts';
import { fileOfMarks } from '../../service/high-water-marks.ts';
import { patiently } from './concurrently.ts';

/** The logs, and the buckets that are derived from them. */
export interface Source {
  readonly tests: EventLog<TestEvent>;
  readonly reports: EventLog<ReportWritten>;
  readonly payments: EventLog<PaymentEvent>;
  readonly statusViews: Projection<StatusView>;
  readonly reportViews: Projection<ReportView>;
  readonly allClaims: ClaimStore;
}

export interface OpenSource extends Source {
  /** Creates missing streams and buckets with the settings of this shell. They are empty at first. */
  createStreams(): Promise<void>;
  /** Returns what is missing at the ends of the streams, one line each. */
  losses(): Promise<readonly string[]>;
  /**
   * Accepts the present content as complete, whatever replicas have recorded. Returns what is known to be
   * missing, one line per stream.
   */
  acceptLoss(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS'] as const;

export type StreamName = (typeof STREAMS)[number];

type LogConfig = Pick<ReturnType<typeof loadLogConfig>, 'nats' | 'dataDir' | 'durations'>;

/** Longest time that a cluster may take to elect a leader, in milliseconds. */
const ANSWER_MS = 15_000;

/**
 * Opens the log of a live service or of a stopped one, without changing anything about it: this command must
 * not apply the limits in this shell's settings.
 *
 * @param needed the streams without which there is nothing to read
 * @throws if no service has ever run on the log, or one of those streams is missing
 */
export async function openSource(
  config: LogConfig,
  needed: readonly StreamName[] = STREAMS,
): Promise<OpenSource> {
  const { connection, stop } = await connectLog(config);
  try {
    await requireStreams(connection, needed);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...logsOver(connection),
    async createStreams() {
      const there = await streamNames(connection);
      const settings = { ...config.nats, ...config.durations };
      await createStreams(connection, settings, { isWanted: (name) => !there.includes(name) });
    },
    async losses() {
      const ends = await readEnds(connection);
      return findLosses(await highWater(connection, fileOfMarks(config)).read(ends), ends);
    },
    acceptLoss: () => acceptLoss(connection, fileOfMarks(config)),
    close: stop,
  };
}

/**
 * Opens the logs and the buckets that are derived from them. A command that reads a whole bucket survives an
 * outage for as long as `patiently` repeats its work.
 */
export function logsOver(connection: LogConnection): Source {
  const claims = kvClaims(connection);
  return {
    ...openLogs(connection),
    statusViews: patient(kvProjection(connection, { bucket: 'status', isValue: isStatusView })),
    reportViews: patient(kvProjection(connection, { bucket: 'reports', isValue: isReportView })),
    allClaims: { ...claims, all: () => patiently(claims.all) },
  };
}

/** A bucket that does not exist counts as empty. */
const patient = <V extends Projected>(view: Projection<V>): Projection<V> => ({
  ...view,
  get: (key) => view.get(key).catch(unlessAbsent(undefined)),
  has: (key) => view.has(key).catch(unlessAbsent(false)),
  erase: (key) => view.erase(key).catch(unlessAbsent(undefined)),
  keys: () => patiently(view.keys).catch(unlessAbsent([])),
  scan: (onValue) => patiently(() => view.scan(onValue)).catch(unlessAbsent(undefined)),
});

const unlessAbsent =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (codeOf(error) !== codes.streamNotFound) throw error;
    return nothing;
  };

async function acceptLoss(connection: LogConnection, file: MarksFile): Promise<readonly string[]> {
  const marks = highWater(connection, file);
  const ends = await readEnds(connection);
  const losses = findLosses(await marks.read(ends), ends);
  const isEmpty = Object.values(ends).every(({ created }) => created === undefined);
  if (isEmpty && losses.length === 0) return losses;
  await createMarks(connection);
  await marks.reset(ends);
  return losses;
}

const NO_LOG = 'There is no event log here: no service has created one yet.';

const NOT_ALLOWED =
  'This NATS user may not list the streams: set NATS_USER and NATS_PASSWORD_FILE to those of the operator.';

const streamNames = ({ jsm }: LogConnection) =>
  reach(async () => {
    const listed: string[] = [];
    for await (const name of jsm.streams.names()) listed.push(name);
    return listed;
  }, ANSWER_MS).catch((error: unknown) => {
    throw isForbidden(error) ? new Error(NOT_ALLOWED, { cause: error }) : error;
  });

/** Rejects if a stream is missing, because a follower would wait for it for ever. */
async function requireStreams(
  connection: LogConnection,
  needed: readonly StreamName[],
): Promise<void> {
  const names = await streamNames(connection);
  const there = STREAMS.filter((name) => names.includes(name));
  if (needed.length === 0) return;
  if (there.length === 0) throw new Error(NO_LOG);
  const absent = needed.filter((name) => !there.includes(name));
  if (absent.length === 0) return;
  throw new Error(
    `Missing streams: ${absent.join(', ')}. Present: ${there.join(', ')}. The missing ones were deleted, or ` +
      'the store was restored without them. The service recreates them, empty, at its next start.',
  );
}

interface Connected {
  readonly connection: LogConnection;
  stop(): Promise<void>;
}

const NAME = 'replay';

/**
 * Connects to the nats-server that the settings name. If they name none, connects to that of a running
 * service, or starts one on the service's files.
 */
export async function connectLog({ nats, dataDir }: LogConfig): Promise<Connected> {
  if (nats.url !== null)
    return attach(await connectNamedNats({ ...nats, url: nats.url, name: NAME }));
  const running = await findEmbeddedNats(dataDir);
  const live = running && (await connectNats({ ...running, name: NAME }).catch(() => undefined));
  if (live) return attach(live);
  // Starting a server would leave an empty store in a mistyped folder.
  const store = join(dataDir, 'nats', 'store');
  if (!existsSync(store))
    throw new Error(
      `${NO_LOG} (DATA_DIR=${dataDir}) To restore a backup here, make the folder first: mkdir -p ${store}`,
    );
  const server = await startEmbeddedNats({ ...nats, dataDir });
  try {
    const connection = await connectNats({ url: server.url, token: server.token, name: NAME });
    const { stop } = attach(connection);
    return {
      connection,
      async stop() {
        await stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const attach = (connection: LogConnection): Connected => ({
  connection,
  stop: () => connection.close(),
});
