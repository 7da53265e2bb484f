import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';

/**
 * Answers what no route takes: 405 where another method would do, else 404. A HEAD without a route
 * of its own is 404: a method of the safe kind is not offered under `/v1`, since one that carried a
 * payment must not be charged for an answer without a body.
 */
export function addNotFound(app: FastifyInstance, methodsOf: (path: string) => readonly string[]) {
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, ({ method, url }: FastifyRequest) => {
    const [path = ''] = url.split('?', 1);
    const allowed = method === 'HEAD' ? [] : [...new Set(methodsOf(path))].sort();
    if (allowed.length === 0) throw new ServiceError('not_found');

    const methods = allowed.join(', ');
    throw new ServiceError('method_not_allowed', {
      detail: `Use ${methods}.`,
      headers: { allow: methods },
    });
  });
}
