/**
 * Enforces rules of HTTP that Node.js leaves open: time limits, a single Host header, JSON bodies only, and
 * error responses with a body.
 */

import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { dropPorts } from '../request-address.ts';

/**
 * Interval in milliseconds at which idle connections are closed during shutdown, because Node closes them
 * only once.
 */
const IDLE_MS = 100;

/**
 * Time within which a whole request has to arrive, and the interval at which this is checked, in
 * milliseconds.
 */
const REQUEST_MS = 20_000;
const CHECK_MS = 1000;

/**
 * Options for Node's HTTP server. Its own check of the Host header is off, because it responds with a bare
 * 400; `addHttpRules` checks the header instead.
 */
export const httpOptions = {
  requestTimeout: REQUEST_MS,
  http: {
    requireHostHeader: false,
    connectionsCheckingInterval: CHECK_MS,
    // Node swaps the two limits if the one for the header, 60 s by default, is the longer one.
    headersTimeout: REQUEST_MS,
  },
};

/** A function that responds to errors which occur before there is a request. */
export type Refuse = (
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: Duplex,
) => void;

/** Handles requests to which Node would respond without a body, or not respond at all. */
export function addHttpRules(app: FastifyInstance, refuse: Refuse): void {
  // Otherwise, a client that closes its side of the connection after its request gets no response, although
  // the request is carried out. Node's types do not know this property.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  // Any number of requests on one connection may wait until the client closes its side.
  app.server.on('connection', (socket) => socket.setMaxListeners(0));
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1), but Node would respond with a bare 417.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  // A connection that becomes idle during shutdown would otherwise stay open for its keep-alive time of 72 s.
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_MS);
    app.server.once('close', () => clearInterval(timer));
    timer.unref();
  });
  // CONNECT is refused, because this server is not a proxy. Node would just close the connection.
  app.server.on('connect', (_request, socket) =>
    refuse.call(app, Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket),
  );
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    dropPorts(raw);
    done();
  });
  // A request needs exactly one Host header, except with HTTP/1.0 (RFC 9112 §3.2).
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countHosts(raw.rawHeaders);
    const isFine = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isFine ? undefined : new ServiceError('invalid_request', { detail: NO_HOST }));
  });
}

/**
 * Returns the number of Host headers in a request.
 * @param headers names and values alternately
 */
function countHosts(headers: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i]?.length === 4 && headers[i]?.toLowerCase() === 'host') count += 1;
  return count;
}

const NO_HOST = 'The request needs one Host header.';

/** Maximum size of a request body in bytes (16 KiB). Requests to /v1 need no body at all. */
export const BODY_LIMIT = 16 * 1024;

/** Says how to send a body: a body that contains JSON also has to say so. */
export const NOT_JSON =
  'Send JSON with Content-Type: application/json. Calls under /v1 need no body.';

/** Accepts only JSON request bodies. An empty body counts as absent, whatever its media type. */
export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async ({ headers }: FastifyRequest, body: string) => {
      if (body === '') return undefined;
      if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
        throw new ServiceError('unsupported_media_type', {
          detail: 'Send the body without Content-Encoding.',
          headers: { 'accept-encoding': 'identity' },
        });
      try {
        // Some programs write a byte order mark before the text, which RFC 8259 §8.1 lets us ignore.
        return JSON.parse(body.replace(/^\ufeff/, ''));
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
      throw new ServiceError('unsupported_media_type', { detail: NOT_JSON });
    },
  );
}
