import type {} from '@fastify/swagger';
import type { FastifyPluginAsync } from 'fastify';
import type { ApiOptions } from '../options.ts';

/** Tells operators whether the service is alive and ready for work. Never limited. */
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
    // Free reads and email continue while nothing can be sold. Without room, no test is created, but existing
    // tests are served, which counts as ready.
    return {
      status: ready ? 'ready' : 'not_ready',
      checks,
      log_room: creation.room(),
      selling: selling?.(),
    };
  });
};
