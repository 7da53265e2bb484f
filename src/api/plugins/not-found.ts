import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { RequestLimit } from './rate-limits.ts';
import type { MethodsOf } from './route-methods.ts';

/** Answers what no route takes: 405 where another method would do (RFC 9110 §15.5.6), else 404. */
export function addNotFound(app: FastifyInstance, methodsOf: MethodsOf, limit?: RequestLimit) {
  app.setNotFoundHandler(limit ? { preHandler: limit.hook } : {}, ({ url }: FastifyRequest) => {
    const allow = methodsOf(url).join(', ');
    if (allow === '') throw new ServiceError('not_found');
    throw new ServiceError('method_not_allowed', { detail: `Use ${allow}.`, headers: { allow } });
  });
}
