/**
 * Gives each HTTP response an id, counts and measures it for the metrics, and logs it if it is a server
 * error. At level debug, every response is logged.
 */

import type { FastifyInstance } from 'fastify';
import { classOf, type Metrics } from '../../telemetry/metrics.ts';

/** Returns whether every response is logged, instead of only server errors. */
export const logsAll = ({ log }: Pick<FastifyInstance, 'log'>): boolean =>
  log.level === 'debug' || log.level === 'trace';

/**
 * Writes one log line per response, with the request id that the response shows. It contains the route's
 * pattern instead of the URL, because someone may put a token into a query by mistake.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', ({ id }, reply, done) => {
    reply.header('x-request-id', id);
    done();
  });
  const showsAll = logsAll(app);
  app.addHook('onResponse', ({ id, method, routeOptions, log }, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    if (statusCode < 500 && !showsAll) return done();
    const line = {
      request: id,
      method,
      route: routeOptions.url ?? 'none',
      status: statusCode,
      milliseconds: Math.round(elapsedTime),
    };
    if (statusCode >= 500) log.warn(line, 'request answered');
    else log.debug(line, 'request answered');
    done();
  });
}

/** Label for all paths without a route, so that they share one time series. */
const UNKNOWN = 'none';

/**
 * Counts and measures each response by the route's pattern, never by the path, because a path contains the id
 * of a test.
 */
export function addMetrics(
  app: FastifyInstance,
  { countAnswer, watchRoute }: Pick<Metrics, 'countAnswer' | 'watchRoute'>,
): void {
  watchRoute('GET', UNKNOWN);
  app.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat())
      if (one !== 'HEAD' && one !== 'OPTIONS') watchRoute(one, url);
  });
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const { url: route = UNKNOWN } = routeOptions;
    const counted = route === UNKNOWN || method === 'HEAD' ? 'GET' : method;
    const labels = { method: counted, route, class: classOf(statusCode) };
    countAnswer(labels, elapsedTime / 1000);
    done();
  });
}
