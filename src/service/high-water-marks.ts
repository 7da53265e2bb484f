/**
 * Records the last position that the log has reached, and refuses to start with a log that has lost its end.
 */

import { join } from 'node:path';
import type { LogConnection } from '../adapters/nats/connection.ts';
import {
  findLosses,
  highWater,
  type MarksFile,
  missingOf,
  readEnds,
} from '../adapters/nats/high-water.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';

interface Options {
  readonly file: MarksFile | undefined;
  readonly logger: Logger;
}

/**
 * The file in which this replica records the last position of the log. For our own nats-server, it is beside
 * that server's store; for another server, it is a file of its own. A DATA_DIR may have been used with both,
 * and what was seen on another server says nothing about our own store.
 */
export const fileOfMarks = ({ nats, dataDir }: Pick<Config, 'nats' | 'dataDir'>): MarksFile =>
  nats.url === null
    ? { path: join(dataDir, 'high-water.json'), isOfOneStore: true }
    : { path: join(dataDir, 'cluster-high-water.json'), isOfOneStore: false };

/** How often the position of the log is recorded, in milliseconds. */
const MARK_MS = 5000;

/**
 * Keeps a record of the last position that the log has reached.
 *
 * @throws if the log lacks what it contained before, because a service with such a log would respond as if
 * that had never existed
 */
export async function openMarks(connection: LogConnection, { file, logger }: Options) {
  const marks = highWater(connection, file);
  let ends = await readEnds(connection);
  let isNoted = false;
  let missing: readonly (readonly [stream: string, messages: number])[] = [];
  const losses = findLosses(await marks.read(ends), ends);
  if (losses.length > 0)
    throw new Error(
      `The event log lacks messages that were in it: ${losses.join('; ')}. The service does not ` +
        'start with this log. Restore a backup (npm run operate -- replay restore FILE), or continue without them ' +
        '(npm run operate -- replay accept-loss). See docs/event-log.md.',
    );
  if (marks.isOfOtherLog())
    logger.warn(
      { file: file?.path },
      'this is not the log that this replica used before: if its nats-server has lost its store, stop the service, and restore a backup (npm run operate -- replay restore FILE)',
    );
  async function note(): Promise<void> {
    const now = await readEnds(connection);
    missing = Object.entries(now).map(([stream, end]) => [
      stream,
      missingOf(ends[stream] ?? end, end),
    ]);
    const isNew = Object.entries(now).some(([stream, { seq }]) => seq !== ends[stream]?.seq);
    if ((isNoted && !isNew) || findLosses(ends, now).length > 0) return;
    await marks.raise(now);
    isNoted = true;
    ends = now;
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    paymentsEnd: ends.PAYMENTS?.seq ?? 0,
    /**
     * Returns the number of messages that each stream has lost since the last check that found none missing.
     */
    missing: () => missing,
    start() {
      const warn = (err: unknown) => logger.debug({ err }, 'high-water mark not written');
      timer = setInterval(() => void note().catch(warn), MARK_MS);
    },
    async stop() {
      clearInterval(timer);
      await note().catch(() => undefined);
    },
  };
}
