import type { FastifyInstance } from 'fastify';

/** The methods that a path is offered with, by the routes added later; empty for no such path. */
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
