import { readConfig } from '../../../src/config/config.ts';
import { startService } from '../../../src/service/service.ts';
import { createLogger, flushLog } from '../../../src/telemetry/logger.ts';

/**
 * The service as `src/main.ts` runs it, with less patience in its payments: what is broken on purpose
 * would be waited for up to 30 s.
 */
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

/** The chain mines at once: what a settlement waits two blocks for comes within `settle`. */
const BLOCK_MS = 100;

/** To stop in, in milliseconds, as the service itself has it. */
const STOP_MS = 35_000;

async function run(fixed = '{}'): Promise<void> {
  const config = readConfig(process.env, JSON.parse(fixed));
  const logger = createLogger(config.logLevel).child({ replica: config.replicaId });
  const service = await startService(config, logger, { timeouts, blockMs: BLOCK_MS });
  const stop = async (code: number) => {
    // What is broken may not stop.
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
