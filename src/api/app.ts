/**
 * Assembles the HTTP server: the API, the pages, MCP, health checks and the endpoint for inbound mail, with
 * their limits.
 */

import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { discoveryLinks } from './discovery/manifest.ts';
import { addOpenapi } from './discovery/openapi.ts';
import type { ApiOptions } from './options.ts';
import { renderPage } from './pages/layout.ts';
import { problemPage } from './pages/problem.ts';
import { pathPrefix, siteOf, withoutPrefix } from './pages/site.ts';
import { limitConnections } from './plugins/connections.ts';
import { addBodies, addHttpRules, BODY_LIMIT, httpOptions } from './plugins/http-rules.ts';
import { addMetrics, addRequestLog } from './plugins/observe.ts';
import { newRequestId, problemAnswers } from './plugins/problem.ts';
import { addRateLimits, countMisuse } from './plugins/rate-limits.ts';
import { addNotFound, watchRoutes } from './plugins/route-methods.ts';
import { addPageSecurity, addSecurity, DATA_HEADERS } from './plugins/security.ts';
import { assetRoutes } from './routes/assets.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { deletionRoute } from './routes/deletion.ts';
import { discoveryRoutes } from './routes/discovery.ts';
import { healthRoutes } from './routes/health.ts';
import { inboundRoute } from './routes/inbound.ts';
import { mcpRoute } from './routes/mcp.ts';
import { pageRoutes } from './routes/pages.ts';
import { reportRoute } from './routes/report.ts';
import { answerPollsAtOnce } from './routes/status-at-once.ts';
import { testPages } from './routes/test-pages.ts';
import { testRoutes } from './routes/tests.ts';
import { walletRoute } from './routes/wallets.ts';

/** Builds the HTTP server without starting to listen. */
export async function buildApp(options: ApiOptions): Promise<FastifyInstance> {
  const { baseUrl, trustProxy, rateLimits } = options.settings;
  const problems = problemAnswers(baseUrl, (problem) => {
    const site = siteOf(options.settings);
    return renderPage(site, problemPage(site, problem));
  });
  const loggerInstance: FastifyBaseLogger = options.logger;
  const app = fastify({
    loggerInstance,
    // All requests share one logger, because a child logger per request costs more than the response to a
    // poll.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    ...httpOptions,
    // During shutdown, requests on open connections still get their usual responses.
    return503OnClosing: false,
    // A proxy in front of the service may either keep or strip the path prefix of the base URL.
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url, pathPrefix(baseUrl())),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    // Path parameters may be as long as Node's limit for all headers (16 KiB), so that an overlong id is
    // reported as malformed instead of as an unknown path.
    routerOptions: { maxParamLength: 16 * 1024 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    // Such an error comes before all hooks, so its response gets its headers here.
    frameworkErrors: (error, request, reply) =>
      problems.send(error, request, reply.headers(DATA_HEADERS)),
    clientErrorHandler: problems.refuseConnection,
  });

  // The schemas of responses also define their TypeScript types, so nothing has to be dropped or converted
  // when a response is sent.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(problems.send);
  const methodsOf = watchRoutes(app);
  addBodies(app);
  addRequestLog(app);
  addHttpRules(app, problems.refuseConnection);
  if (options.metrics) addMetrics(app, options.metrics);
  addSecurity(app, methodsOf);
  const limit = addRateLimits(app, rateLimits);
  const misuse = countMisuse(rateLimits);
  addNotFound(app, methodsOf, limit);
  answerPollsAtOnce(app, options, limit);
  if (options.maxConnections)
    limitConnections(app, options.maxConnections, problems.refuseConnection);

  const openapi = await addOpenapi(app, options.settings);
  await app.register(testRoutes, { ...options, misuse });
  await app.register(reportRoute, { ...options, misuse });
  await app.register(deletionRoute, { ...options, misuse });
  await app.register(async (pages) => {
    addPageSecurity(pages, baseUrl);
    pages.addHook('onRequest', async (_request, reply) => {
      reply.header('link', discoveryLinks(baseUrl()));
    });
    await pages.register(catalogueRoutes, options);
    await pages.register(pageRoutes, options);
    await pages.register(testPages, { ...options, misuse });
    await pages.register(discoveryRoutes, { ...options, openapi });
  });
  await app.register(walletRoute, options);
  await app.register(mcpRoute, { ...options, limit });
  await app.register(assetRoutes);
  await app.register(healthRoutes, options);
  for (const door of options.inbound ?? []) await app.register(inboundRoute, door);
  return app;
}
