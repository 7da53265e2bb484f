/** Sets time limits for HTTP requests, and gives a body to responses that Node would send without one. */

import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { dropPorts } from '../request-address.ts';

/**
 * How often to close idle connections during a shutdown, in milliseconds, because Node does so only once.
 */
const IDLE_MS = 100;

/** Time within which a whole request has to arrive, and how often that is checked, in milliseconds. */
const REQUEST_MS = 20_000;
const CHECK_MS = 1000;

/**
 * Options for Node's own server. It would respond to a missing Host with a bare 400, so the Host is checked
 * below.
 */
export const httpOptions = {
  requestTimeout: REQUEST_MS,
  http: { requireHostHeader: false, connectionsCheckingInterval: CHECK_MS },
};

/** Responds to errors that Node encounters before there is a request. */
export type Refuse = (
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: Duplex,
) => void;

/** Handles requests to which Node would respond without a body, or not at all. */
export function addHttpRules(app: FastifyInstance, refuse: Refuse): void {
  // An unknown expectation may be ignored (RFC 9110 §10.1.1), but Node responds with a bare 417.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  // A connection that got a response during the shutdown would stay open for its keep-alive time, 72 s.
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_MS);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
  // We are not a proxy. Node would just close the connection.
  app.server.on('connect', (_request, socket) =>
    refuse.call(app, Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket),
  );
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    dropPorts(raw);
    done();
  });
  // Exactly one Host is required, except with HTTP/1.0 (RFC 9112 §3.2).
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countHosts(raw.rawHeaders);
    const isFine = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isFine ? undefined : new ServiceError('invalid_request', { detail: NO_HOST }));
  });
}

/** @param headers names and values alternately */
function countHosts(headers: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i]?.length === 4 && headers[i]?.toLowerCase() === 'host') count += 1;
  return count;
}

const NO_HOST = 'The request needs one Host header.';

/** 16 KiB. None of our requests needs a body at all. */
export const BODY_LIMIT = 16 * 1024;

/** Accepts only JSON. An empty body counts as absent, whatever its type. */
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
