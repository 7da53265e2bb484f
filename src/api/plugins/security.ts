import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
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
  'Access-Control-Expose-Headers',
];

/** Headers a page of another origin may read. */
const RESPONSE_HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Location',
  'Link',
  'X-Request-Id',
  'Preference-Applied',
];

/** For answers that no browser shows: should one do so after all, it runs and frames nothing. */
const DATA_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
};

/**
 * Opens the API to every origin: it knows no cookies, and who holds a token may use it anywhere.
 * Data gets the few headers that matter for it: a dozen would cost a poll a fifth of its time.
 */
export async function addSecurity(app: FastifyInstance, methodsOf: MethodsOf): Promise<void> {
  // Before the preflight is answered, which is also the answer to any other OPTIONS.
  app.addHook('onRequest', ({ method, url }, reply, done) => {
    if (method === 'OPTIONS') {
      const allow = methodsOf(url).join(', ');
      if (allow !== '') reply.header('allow', allow);
    }
    done();
  });
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS.join(', '),
    maxAge: PREFLIGHT_SECONDS,
    // Strict, it would answer an OPTIONS without Origin by a text of its own.
    strictPreflight: false,
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(DATA_HEADERS);
    done();
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

/** What keeps a page safe, in place of the headers for data. */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
};

/** Everything that keeps pages safe. */
export async function addPageSecurity(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(PAGE_HEADERS);
    done();
  });
  await app.register(helmet, {
    contentSecurityPolicy: false,
    referrerPolicy: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
}
