/**
 * Builds the HTTP server that serves `/metrics` on a port of its own, so that the metrics do not have to be
 * public.
 */

import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from '../telemetry/logger.ts';

/** The part of a Prometheus registry that `/metrics` needs. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Builds the HTTP server for `/metrics` without starting to listen. */
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
