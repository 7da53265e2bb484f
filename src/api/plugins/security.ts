import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** A day: browsers cap it lower, and what is allowed rarely changes. */
const PREFLIGHT_SECONDS = 86_400;

/** Headers a browser may send. The official x402 client puts the last on the request, wrongly. */
const REQUEST_HEADERS = [
  'X-Read-Token',
  'PAYMENT-SIGNATURE',
  'Content-Type',
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
];

/**
 * Headers that keep browsers safe. The API is open to every origin: it knows no cookies, and who
 * holds a token may use it anywhere. Pages run our own scripts and styles only.
 */
export async function addSecurity(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // Strict, it would answer an OPTIONS without Origin by a text of its own.
    strictPreflight: false,
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
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
