/**
 * Responds to unknown paths with 404 and to wrong methods with 405, and tells which methods a path supports.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
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
 * otherwise 404.
 */
export function addNotFound(app: FastifyInstance, methodsOf: MethodsOf, limit?: RequestLimit) {
  app.setNotFoundHandler(limit ? { preHandler: limit.hook } : {}, ({ url }: FastifyRequest) => {
    const allow = methodsOf(url).join(', ');
    if (allow === '') throw new ServiceError('not_found');
    throw new ServiceError('method_not_allowed', { detail: `Use ${allow}.`, headers: { allow } });
  });
}
