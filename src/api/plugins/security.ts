import type { FastifyInstance } from 'fastify';
import type { MethodsOf } from './route-methods.ts';

/** A day: browsers cap it lower, and what is allowed rarely changes. */
const PREFLIGHT_SECONDS = 86_400;

/** Headers a browser may send. The official x402 client puts the last on the request, wrongly. */
const REQUEST_HEADERS = [
  'X-Read-Token',
  'PAYMENT-SIGNATURE',
  'Content-Type',
  'Prefer',
  'Test-Position',
  'Access-Control-Expose-Headers',
].join(', ');

/** Headers a page of another origin may read. */
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

/** For every origin. */
const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
};

/** For a preflight, which is also the answer to any other OPTIONS. */
const PREFLIGHT_HEADERS = {
  ...OPEN_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': REQUEST_HEADERS,
  'access-control-max-age': String(PREFLIGHT_SECONDS),
  'content-length': '0',
};

/** For answers that no browser shows: should one do so after all, it runs and frames nothing. */
export const DATA_HEADERS = {
  ...OPEN_HEADERS,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
};

/**
 * Opens the API to every origin: it knows no cookies, and who holds a token may use it anywhere.
 * Data gets the few headers that matter for it: a dozen would cost a poll a fifth of its time.
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

/** Our own scripts and styles only, nothing inline, in no frame. Wallets bring their icons as data (EIP-6963). */
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

/** A year, in seconds; for this host alone: what else is under its name is not ours to decide. */
const HTTPS_ONLY = 'max-age=31536000';

/**
 * What keeps a page safe, beside and in place of the headers for data. No other place has such headers, a proxy
 * in front neither.
 */
export const pageHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  ...(baseUrl.startsWith('https:') && { 'strict-transport-security': HTTPS_ONLY }),
});

/** Everything that keeps pages safe. */
export function addPageSecurity(app: FastifyInstance, baseUrl: () => string): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(pageHeaders(baseUrl()));
    done();
  });
}
