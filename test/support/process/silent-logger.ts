import { createLogger } from '../../../src/telemetry/logger.ts';

/** Returns a logger whose lines are kept instead of written. */
export function keptLogger() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  return { logger, lines };
}
