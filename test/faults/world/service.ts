/** Runs the service with less patience in its payments, so that what is broken on purpose ends sooner. */

import { readConfig } from '../../../src/config/config.ts';
import { startService } from '../../../src/service/service.ts';
import { createLogger, flushLog } from '../../../src/telemetry/logger.ts';

/** Shorter time limits for payments, which would otherwise wait up to 30 s for what is broken on purpose. */
const timeouts = {
  request: 2_000,
  decision: 3_000,
  firstPause: 100,
  longestPause: 300,
  join: 150,
  line: 700,
  settle: 500,
  abandoned: 350,
  firstLook: 150,
  nextLook: 150,
  lookAfterEnd: 300,
  tick: 50,
};

/** The chain mines at once, so a settlement gets the two blocks for which it waits within `settle`. */
const BLOCK_MS = 100;

/** Time to stop in, in milliseconds, as in the service itself. */
const STOP_MS = 35_000;

async function run(fixed = '{}'): Promise<void> {
  const config = readConfig(process.env, JSON.parse(fixed));
  const logger = createLogger(config.logLevel).child({ replica: config.replicaId });
  const service = await startService(config, logger, { timeouts, blockMs: BLOCK_MS });
  const stop = async (code: number) => {
    // A service that a fault has broken might never stop.
    setTimeout(() => process.exit(1), STOP_MS);
    await service.stop();
    await flushLog(logger);
    process.exit(code);
  };
  process.once('SIGTERM', () => void stop(0));
  process.once('disconnect', () => void stop(0));
  void service.lost.then(() => stop(1));
  logger.info({ http: service.http, smtp: service.smtp, metrics: service.metrics }, 'listening');
}

void run(...process.argv.slice(2));
