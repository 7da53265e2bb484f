import { Gauge, Registry } from 'prom-client';
import { createLogger } from '../../../src/telemetry/logger.ts';

/** A logger whose lines are kept instead of written. */
export function keptLogger() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  return { logger, lines };
}

/** The instruments of the log's actors, on a registry of their own. */
export function logMetrics() {
  const registers = [new Registry()];
  return {
    eraseBacklog: new Gauge({ name: 'backlog', help: 'backlog', registers }),
  };
}
