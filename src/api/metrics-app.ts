/** Serves `/metrics` on a port of its own, so that it does not have to be public. */

import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from '../telemetry/logger.ts';

/** The part of a Prometheus registry that is served. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Serves `/metrics` on a port of its own, so that it does not have to be public. */
export async function buildMetricsApp(
  source: MetricsSource,
  logger: Logger,
): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.get('/metrics', async (_request, reply) => {
    reply.type(source.contentType).header('cache-control', 'no-store');
    return source.metrics();
  });
  return app;
}
