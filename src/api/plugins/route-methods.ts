/**
 * Responds to unknown paths with 404 and to wrong methods with 405, and tells which methods a path supports.
 */

import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { RequestLimit } from './rate-limits.ts';

/** Returns the methods that the known routes offer for a path; empty if there is no such path. */
export type MethodsOf = (url: string) => readonly string[];

export function watchRoutes(app: FastifyInstance): MethodsOf {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    const pattern = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
    routes.push({ pattern: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });

  return (url) => {
    const [path = ''] = url.split('?', 1);
    const methods = routes
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((one) => one.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
  };
}

/**
 * Responds to requests that match no route: 405 if the path supports another method (RFC 9110 §15.5.6),
 * otherwise 404. This comes before the body is read, because a fault of the body does not matter there.
 */
export function addNotFound(app: FastifyInstance, methodsOf: MethodsOf, limit?: RequestLimit) {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const refuse = (exceeded?: Error) => done(exceeded ?? refusalOf(methodsOf(request.url)));
    if (limit) limit.hook(request, reply, refuse);
    else refuse();
  });
}

function refusalOf(methods: readonly string[]): ServiceError {
  const allow = methods.join(', ');
  if (allow === '') return new ServiceError('not_found');
  return new ServiceError('method_not_allowed', { detail: `Use ${allow}.`, headers: { allow } });
}
