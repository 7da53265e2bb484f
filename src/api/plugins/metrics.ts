import type { FastifyInstance } from 'fastify';
import { classOf, type Metrics } from '../../telemetry/metrics.ts';

/** A path that no route has: one series for whatever is asked for. */
const UNKNOWN = 'none';

/** Counts and times each answer by the route's pattern: never by the path, which names a test. */
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
