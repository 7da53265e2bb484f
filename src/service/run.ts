/**
 * Runs the service as a process until it is asked to stop or its log is lost. Also prints the settings
 * (`--help`) and checks them (`--check`).
 */

import { Console } from 'node:console';
import { setFlagsFromString } from 'node:v8';
import closeWithGrace from 'close-with-grace';
import { printable, readOptions, UsageError } from '../config/command-line.ts';
import { loadConfig } from '../config/config.ts';
import type { Fixed } from '../config/constants.ts';
import { ConfigError } from '../config/environment.ts';
import { describeSettings } from '../config/settings.ts';
import { endWithParent } from '../setup/parent.mjs';
import { createLogger, flushLog } from '../telemetry/logger.ts';
import { startService } from './service.ts';

/** Time in milliseconds for finishing work in progress when the service is asked to stop. */
const DRAIN_MS = 35_000;

/**
 * How much the long-lived objects of a thread may grow before V8 collects them again, in percent of what the
 * last collection left. By default, it is about 100 in a worker. Each collection also discards the optimized
 * code of callbacks, which V8 must then compile again.
 */
const HEAP_GROWTH_PERCENT = 150;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/**
 * Runs the service as a process of its own until it is asked to stop.
 *
 * @param fixed replaces what no setting changes, for tests and the demo
 */
export async function runService(args: readonly string[], fixed?: Partial<Fixed>): Promise<void> {
  // stdout is the log, with one JSON object per line. Anything that a library prints goes to stderr.
  globalThis.console = new Console(process.stderr);
  try {
    await run(args, fixed);
  } catch (error) {
    // There is no logger yet. The stack is not printed, because the message says what is wrong.
    process.stderr.write(`${printable(error)}\n`);
    if (error instanceof ConfigError)
      process.stderr.write('Nothing was started. Every setting is explained in .env.example.\n');
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

async function run(args: readonly string[], fixed?: Partial<Fixed>): Promise<void> {
  const { help, check } = readOptions(args, {
    help: { type: 'boolean', short: 'h' },
    check: { type: 'boolean' },
  }).values;
  if (help) return print(describeSettings());
  const config = loadConfig(fixed);
  const gone = config.removed.join(', ');
  if (check) {
    if (gone) print(`These are no longer settings and were not read: ${gone}. Remove them.`);
    return print('The settings are right.');
  }
  endWithParent();
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const logger = createLogger(config.logLevel).child({ replica: config.replicaId });
  if (gone)
    logger.warn({ settings: gone }, 'these are no longer settings and were not read: remove them');
  const service = await startService(config, logger);
  let stopping = false;
  // A supervisor that signals the whole process group reaches us twice, once through the launcher. In that
  // case, the second signal is not a request to hurry, but a second Ctrl-C is.
  const options = { delay: DRAIN_MS, logger: false as const, skip: ['SIGTERM' as const] };
  const grace = closeWithGrace(options, async ({ err, signal = 'SIGTERM' }) => {
    stopping = true;
    if (err) logger.fatal({ err }, 'unhandled error');
    logger.info({ signal }, 'stopping');
    await service.stop();
    logger.info('stopped');
    await flushLog(logger);
  });
  process.on('SIGTERM', () => {
    if (!stopping) grace.close();
  });
  void service.lost.then(async (lost) => {
    logger.fatal(
      lost,
      'the log was deleted or replaced: restore it, or `npm run operate -- replay accept-loss`, before the next start',
    );
    await service.stop();
    await flushLog(logger);
    process.exit(1);
  });
  // This line comes last, because its reader may signal us immediately.
  const { http, smtp, metrics } = service;
  logger.info({ http, smtp, metrics }, 'listening');
}
