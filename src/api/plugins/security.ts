/** Sets the security headers of API responses and pages, and allows every origin to call the API (CORS). */

import type { FastifyInstance } from 'fastify';
import type { MethodsOf } from './route-methods.ts';

/**
 * Time in seconds for which browsers may cache a preflight response (one day). Browsers limit it to less, and
 * the permissions rarely change.
 */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Request headers that pages of other origins may send: any, because the libraries of a page add their own
 * (for tracing, for example), and a refused preflight would hide our response from the page. `*` does not
 * include `Authorization` (Fetch standard). The other names are for programs that look for them.
 */
const REQUEST_HEADERS = [
  '*',
  'Authorization',
  'X-Read-Token',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'Content-Type',
  'Prefer',
  'Test-Position',
].join(', ');

/** Response headers that pages of other origins may read. */
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

/** Headers that allow every origin. */
const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
};

/** Headers of the response to a preflight, or to any other OPTIONS request. */
const PREFLIGHT_HEADERS = {
  ...OPEN_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': REQUEST_HEADERS,
  'access-control-max-age': String(PREFLIGHT_SECONDS),
};

/**
 * Headers of responses that browsers are not expected to display. If a browser displays one after all,
 * nothing in it can run, and no page can frame it.
 */
export const DATA_HEADERS = {
  ...OPEN_HEADERS,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
};

/**
 * Allows every origin to call the API: the API uses no cookies, and anyone with a token may use it from
 * anywhere. API responses get only the headers that matter for them, because a dozen headers would take a
 * fifth of the time of a poll.
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
 * Content security policy of pages: only our own scripts and styles, nothing inline, and no frames. Images
 * may be data URIs, because wallets supply their icons in that form (EIP-6963).
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

/**
 * `Strict-Transport-Security` of one year, in seconds, for this host alone: we cannot decide for its
 * subdomains.
 */
const HTTPS_ONLY = 'max-age=31536000';

/**
 * Returns the security headers of a page, some of which replace those of data. They are set nowhere else, not
 * even in a proxy.
 */
export const pageHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  ...(baseUrl.startsWith('https:') && { 'strict-transport-security': HTTPS_ONLY }),
});

/** Adds the security headers of pages to all routes that are added later. */
export function addPageSecurity(app: FastifyInstance, baseUrl: () => string): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(pageHeaders(baseUrl()));
    done();
  });
}
