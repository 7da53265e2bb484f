import type {} from '@fastify/swagger';
import type { FastifyPluginAsync } from 'fastify';
import type { ApiOptions } from '../options.ts';

/**
 * Serves `/healthz` and `/readyz`, which tell operators and load balancers whether the service is alive and
 * ready, how much room its log has, and whether reports can be sold. The routes have no rate limit.
 */
export const healthRoutes: FastifyPluginAsync<
  Pick<ApiOptions, 'readiness' | 'creation' | 'selling'>
> = async (app, { readiness, creation, selling }) => {
  const hidden = { config: { maxPerMinute: 0 }, schema: { hide: true } };

  app.get('/healthz', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'alive' };
  });

  app.get('/readyz', hidden, async (_request, reply) => {
    const checks = readiness();
    const ready = Object.values(checks).every(Boolean);
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    // A replica is ready even if nothing can be sold, because free reads and email still work. It is also
    // ready without room in the log: no test can then be created, but existing tests are served.
    return {
      status: ready ? 'ready' : 'not_ready',
      checks,
      log_room: creation.room(),
      selling: selling?.(),
    };
  });
};
