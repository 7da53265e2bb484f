import { findEmbeddedNats } from '../../adapters/embedded-nats/running.ts';
import { startEmbeddedNats } from '../../adapters/embedded-nats/start.ts';
import { type Connection, connectNats } from '../../adapters/nats/connection.ts';
import { openLogs } from '../../adapters/nats/logs.ts';
import { kvProjection } from '../../adapters/nats/projection.ts';
import { absentViews, createViews, type ViewName } from '../../adapters/nats/streams.ts';
import type { loadLogConfig } from '../../config.ts';
import type { ReportWritten, TestEvent } from '../../domain/events.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import { isStatusView, type StatusView } from '../../domain/status-view.ts';
import type { EventLog, Projection } from '../../ports/log.ts';
import { isReportView, type ReportView } from '../../projection/report-view.ts';

/** The logs, and what is derived from them. */
export interface Source {
  readonly tests: EventLog<TestEvent>;
  readonly reports: EventLog<ReportWritten>;
  readonly payments: EventLog<PaymentEvent>;
  readonly statusViews: Projection<StatusView>;
  readonly reportViews: Projection<ReportView>;
}

/** A source whose views can be compared and rebuilt, also where a whole bucket is not there. */
export interface RebuildableSource extends Source {
  /** Those that are not there at all. */
  absentViews(): Promise<readonly ViewName[]>;
  /** Makes those that are not there, empty. */
  createViews(): Promise<void>;
}

export interface OpenSource extends RebuildableSource {
  close(): Promise<void>;
}

type LogConfig = ReturnType<typeof loadLogConfig>;

/**
 * Opens the log of a live service or of a stopped one, and changes nothing about it: limits that
 * this shell's settings would give it are not this command's to set.
 *
 * @throws when no service has ever run on it
 */
export async function openSource(config: LogConfig): Promise<OpenSource> {
  const { connection, stop } = await connect(config);
  try {
    await connection.jsm.streams.info('TESTS');
  } catch (cause) {
    await stop();
    throw new Error('There is no event log here: no service has run on it yet.', { cause });
  }
  return {
    ...openLogs(connection),
    statusViews: kvProjection(connection, { bucket: 'status', isValue: isStatusView }),
    reportViews: kvProjection(connection, { bucket: 'reports', isValue: isReportView }),
    absentViews: () => absentViews(connection),
    createViews: () => createViews(connection),
    close: stop,
  };
}

interface Connected {
  readonly connection: Connection;
  stop(): Promise<void>;
}

const NAME = 'replay';

/** The named server; else that of a running service; else one of our own on its files. */
async function connect({ nats, dataDir }: LogConfig): Promise<Connected> {
  if (nats.url !== null) return attach(await connectNats({ ...nats, url: nats.url, name: NAME }));
  const running = await findEmbeddedNats(dataDir);
  const live = running && (await connectNats({ ...running, name: NAME }).catch(() => undefined));
  if (live) return attach(live);
  if (nats.serverBin === null)
    throw new Error('There is no nats-server: set NATS_URL, or use `npm run replay -- …`.');
  const server = await startEmbeddedNats({ dataDir, serverBin: nats.serverBin });
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

const attach = (connection: Connection): Connected => ({
  connection,
  stop: () => connection.close(),
});
