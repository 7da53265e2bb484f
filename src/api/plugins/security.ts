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

/** Everything that keeps a page safe: our own scripts and styles only, in no frame. */
export async function addPageSecurity(app: FastifyInstance): Promise<void> {
  // Before helmet, which writes to the raw answer, over which Fastify would put the policy for data.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.removeHeader('content-security-policy');
    done();
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Wallets bring their icons as data (EIP-6963).
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
