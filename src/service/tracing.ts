import type { Config } from '../config/config.ts';
import type { Traces } from '../ports/traces.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Off, nothing is loaded and nothing is timed. */
export async function startTracing(
  { tracesEndpoint: endpoint, replicaId: replica }: Pick<Config, 'tracesEndpoint' | 'replicaId'>,
  logger: Logger,
): Promise<{ readonly traces?: Traces; stop(): Promise<unknown> }> {
  if (endpoint === null) return { stop: async () => {} };
  const { openTraces } = await import('../adapters/opentelemetry/traces.ts');
  const { stop, ...traces } = openTraces({ endpoint, replica, logger });
  return { traces, stop };
}
