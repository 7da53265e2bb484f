/**
 * Opens the event log, on the operator's nats-server or on one of our own, with its streams, its buckets and
 * its clock, and watches that nothing is lost.
 */

import { startEmbeddedNats } from '../adapters/embedded-nats/start.ts';
import {
  type SupervisedNats,
  superviseEmbeddedNats,
} from '../adapters/embedded-nats/supervisor.ts';
import { kvClaims } from '../adapters/nats/claims.ts';
import { openLogClock } from '../adapters/nats/clock.ts';
import { connectNats } from '../adapters/nats/connection.ts';
import { openLogs } from '../adapters/nats/log.ts';
import { connectNamedNats } from '../adapters/nats/named-server.ts';
import { type Loss, watchStreams } from '../adapters/nats/stream-identity.ts';
import { createStreams } from '../adapters/nats/streams.ts';
import { readSync } from '../adapters/nats/sync.ts';
import type { Config } from '../config/config.ts';
import type { LogHealth } from '../ports/log.ts';
import type { Logger } from '../telemetry/logger.ts';
import { prepareDataDir } from './data-dir.ts';
import { fileOfMarks, openMarks } from './high-water-marks.ts';

type LogConfig = Pick<Config, 'nats' | 'durations' | 'dataDir' | 'replicaId'>;

/** Returns the nats-server to use: the one that the settings name, or one of our own. */
async function findServer({ nats, dataDir, replicaId }: LogConfig, logger: Logger) {
  if (nats.url !== null) {
    const settings = { ...nats, url: nats.url, name: replicaId };
    return {
      connect: () => connectNamedNats(settings),
      keep: () => ({ isWell: () => true, stop: none }),
      stop: none,
    };
  }
  const ownLogger = logger.child({ actor: 'nats-server' });
  const startedWith = { dataDir, storeKey: nats.storeKey, logger: ownLogger };
  const server = await startEmbeddedNats(startedWith);
  const { url, token } = server;
  return {
    connect: () => connectNats({ url, token, name: replicaId }),
    /** From here on, the server is restarted whenever it ends, hangs or cannot write. */
    keep: (answers: () => boolean): SupervisedNats =>
      superviseEmbeddedNats({ server, startedWith, answers, logger: ownLogger }),
    stop: () => server.stop(),
  };
}

const none = async () => {};

/** Warns if a power cut would lose what the server has acknowledged. Our own server syncs every write. */
async function warnOfDelay({ nats }: LogConfig, logger: Logger): Promise<void> {
  if (nats.url === null) return;
  const sync = await readSync(nats.url, nats.monitoringUrl);
  if (sync === 'delayed')
    logger.warn(
      'nats-server does not sync each write: a power cut can lose up to 2 minutes of acknowledged events, payments included; set sync_interval: always',
    );
  // This is not a fault: in the demo, for example, no monitoring port is open.
  if (sync === 'unknown')
    logger.info(
      'nats-server was not asked whether it syncs every write, because its monitoring port is closed; `npm run operate -- doctor` says how to check it',
    );
}

/** Buckets that can be rebuilt from the log, so that only their sizes matter. */
const REBUILT = ['KV_status', 'KV_reports'];

/**
 * Streams that cannot be rebuilt from the others. If one of them is missing, a replica must not continue.
 */
const KEPT = ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_payment_claims'];

/** Smallest change of the clock that is logged, in milliseconds. */
const SET_MS = 1000;

function noteSet(logger: Logger) {
  return (milliseconds: number) => {
    if (Math.abs(milliseconds) < SET_MS) return;
    logger.warn({ seconds: milliseconds / 1000 }, 'the clock of nats-server was changed');
  };
}

/** A log that is no longer the one that this replica has folded into its state. */
export interface LostLog {
  readonly stream: string;
  readonly loss: Loss;
}

/** Connects to the event log, with its streams and buckets. */
export async function openLog(config: LogConfig, logger: Logger) {
  await prepareDataDir(config.dataDir);
  const server = await findServer(config, logger);
  try {
    const connection = await server.connect();
    const marks = await openMarks(connection, { file: fileOfMarks(config), logger });
    const streams = await createStreams(connection, { ...config.nats, ...config.durations });
    const older = Object.keys(streams).filter((name) => streams[name] === 'kept older');
    if (older.length > 0)
      logger.info(
        { streams: older },
        'their messages are kept longer than the settings say, as was promised',
      );
    const notFinal = Object.keys(streams).filter((name) => streams[name] === 'not final');
    if (notFinal.length > 0)
      logger.warn(
        { streams: notFinal },
        'the previous release can still run on this log: once you will not roll back to it any more, run `npm run operate -- streams --final`',
      );
    await warnOfDelay(config, logger);
    const clock = await openLogClock(connection, { stream: 'TESTS', onSet: noteSet(logger) });
    const lost = Promise.withResolvers<LostLog>();
    const identity = await watchStreams(connection, {
      streams: KEPT,
      sized: REBUILT,
      onLost: (stream, loss) => lost.resolve({ stream, loss }),
    });
    const kept = server.keep(connection.connected);
    marks.start();
    return {
      connection,
      /** The clock for everything on which replicas have to agree. */
      clock: clock.now,
      health: {
        connected: () => connection.connected() && kept.isWell() && identity.isSame(),
      } satisfies LogHealth,
      sizes: identity.sizes,
      otherSizes: identity.otherSizes,
      /** Resolves when a stream was deleted or replaced while it was followed. */
      lost: lost.promise,
      ...openLogs(connection),
      claims: kvClaims(connection),
      /** The last sequence number of PAYMENTS at the start. */
      paymentsEnd: marks.paymentsEnd,
      missing: marks.missing,
      async close() {
        await marks.stop();
        clock.stop();
        identity.stop();
        await connection.close();
        await kept.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export type Log = Awaited<ReturnType<typeof openLog>>;
