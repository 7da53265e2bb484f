/** Sets the security headers of data and of pages, and opens the API to every origin. */

import type { FastifyInstance } from 'fastify';
import type { MethodsOf } from './route-methods.ts';

/** A day. Browsers cap it lower, and the permissions rarely change. */
const PREFLIGHT_SECONDS = 86_400;

/** Headers that a browser may send. The official x402 client wrongly sends the last one on the request. */
const REQUEST_HEADERS = [
  'X-Read-Token',
  'PAYMENT-SIGNATURE',
  'Content-Type',
  'Prefer',
  'Test-Position',
  'Access-Control-Expose-Headers',
].join(', ');

/** Headers that a page of another origin may read. */
const RESPONSE_HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Location',
  'Link',
  'X-Request-Id',
  'Preference-Applied',
  'Test-Position',
].join(', ');

/** Headers for every origin. */
const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
};

/** Headers for a preflight, which is also the response to any other OPTIONS. */
const PREFLIGHT_HEADERS = {
  ...OPEN_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': REQUEST_HEADERS,
  'access-control-max-age': String(PREFLIGHT_SECONDS),
  'content-length': '0',
};

/** Headers for responses that no browser displays. If one does after all, it runs and frames nothing. */
export const DATA_HEADERS = {
  ...OPEN_HEADERS,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
};

/**
 * Opens the API to every origin: it uses no cookies, and anyone with a token may use it from anywhere. Data
 * gets only the headers that matter for it, because a dozen headers would take a fifth of the time of a poll.
 */
export function addSecurity(app: FastifyInstance, methodsOf: MethodsOf): void {
  app.addHook('onRequest', ({ method, url }, reply, done) => {
    reply.headers(method === 'OPTIONS' ? PREFLIGHT_HEADERS : DATA_HEADERS);
    if (method !== 'OPTIONS') return done();
    const allow = methodsOf(url).join(', ');
    reply
      .code(204)
      .headers(allow === '' ? {} : { allow })
      .send();
  });
}

/**
 * Allows only our own scripts and styles, nothing inline, and no frame. Wallets supply their icons as data
 * (EIP-6963).
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

/** A year, in seconds, for this host alone: we cannot decide for other hosts under its name. */
const HTTPS_ONLY = 'max-age=31536000';

/**
 * Returns the headers that keep a page safe, some of which replace those for data. They are set nowhere else,
 * not even in a proxy.
 */
export const pageHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  ...(baseUrl.startsWith('https:') && { 'strict-transport-security': HTTPS_ONLY }),
});

/** Adds everything that keeps pages safe. */
export function addPageSecurity(app: FastifyInstance, baseUrl: () => string): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(pageHeaders(baseUrl()));
    done();
  });
}
