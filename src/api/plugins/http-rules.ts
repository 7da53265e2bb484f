import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { dropPorts } from '../request-address.ts';

/** While it closes, Node looks for idle connections once; we do again after so many milliseconds. */
const IDLE_MS = 100;

/** In which a whole request has to arrive, and how often that is checked, in milliseconds. */
const REQUEST_MS = 20_000;
const CHECK_MS = 1000;

/** For Node's own server. It would answer a missing Host by a bare 400: that is checked below. */
export const httpOptions = {
  requestTimeout: REQUEST_MS,
  http: { requireHostHeader: false, connectionsCheckingInterval: CHECK_MS },
};

/** Answers what Node meets before there is a request. */
export type Refuse = (
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: Duplex,
) => void;

/** What Node would answer without a body, or not at all. */
export function addHttpRules(app: FastifyInstance, refuse: Refuse): void {
  // An expectation that nobody knows may be passed over (RFC 9110 §10.1.1); Node answers a bare 417.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  // A connection that was answered while closing would stay open for its keep-alive time, 72 s.
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_MS);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
  // Nobody's proxy; Node would hang up.
  app.server.on('connect', (_request, socket) =>
    refuse.call(app, Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket),
  );
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    dropPorts(raw);
    done();
  });
  // RFC 9112 §3.2: exactly one Host, but for HTTP/1.0.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countHosts(raw.rawHeaders);
    const isFine = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isFine ? undefined : new ServiceError('invalid_request', { detail: NO_HOST }));
  });
}

/** @param headers names and values in turn */
function countHosts(headers: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i]?.length === 4 && headers[i]?.toLowerCase() === 'host') count += 1;
  return count;
}

const NO_HOST = 'The request needs one Host header.';

/** 16 KiB: no request of ours needs a body at all. */
export const BODY_LIMIT = 16 * 1024;

/** Takes JSON and nothing else. An empty body counts as absent, whatever its type. */
export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      if (body === '') return undefined;
      try {
        return JSON.parse(body);
      } catch {
        throw new ServiceError('invalid_request', {
          detail: 'The request body is not valid JSON.',
        });
      }
    },
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      if (body === '') return undefined;
      throw new ServiceError('unsupported_media_type');
    },
  );
}
