/** Limits HTTP requests per client and network, and costly calls also in total. */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import type { ApiOptions, RateLimits } from '../options.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Requests per minute and client that are counted for this route alone, instead of the default; 0 means
     * no limit.
     */
    maxPerMinute?: number;
    /** True if its errors are pages for a browser. */
    isPage?: boolean;
  }
}

const MINUTE = 60_000;

/** How much of a limit a client has used. */
interface Usage {
  readonly max: number;
  readonly remaining: number;
  /** Seconds until more is available. */
  readonly seconds: number;
  readonly isExceeded: boolean;
}

/**
 * Counts by client and minute, and less strictly by the network around it. It uses a clock that never goes
 * back: if the wall clock were set back by an hour, clients would be shut out for an hour.
 */
function createCounter(max: number, capacity = Number.POSITIVE_INFINITY) {
  const rates = createRates({ windowMs: MINUTE, capacity, limits: [max, 4 * max] });
  return (ip: string, purpose = '', amount = 1): Usage => {
    const path = networksOf(ip).map((network) => network + purpose);
    const now = performance.now();
    const isExceeded = !rates.take(path, now, amount);
    const seconds = Math.max(1, Math.ceil(rates.remainingMs(path, now) / 1000));
    return { max, remaining: Math.max(0, rates.room(path, now)), seconds, isExceeded };
  };
}

/** Returns the fields of draft-ietf-httpapi-ratelimit-headers-10, and also those of a draft before 07. */
export const rateHeaders = ({ max, remaining, seconds }: Usage) => ({
  'ratelimit-policy': `"minute";q=${max};w=${MINUTE / 1000}`,
  ratelimit: `"minute";r=${remaining};t=${seconds}`,
  'ratelimit-limit': String(max),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(seconds),
});

/** Reports the limit that was reached, which may be a different one from that of this route. */
const tooMany = (usage: Usage) =>
  new ServiceError('rate_limited', {
    detail: `Wait ${usage.seconds} seconds, then try again.`,
    headers: { 'retry-after': String(usage.seconds), ...rateHeaders(usage) },
  });

/**
 * Limits calls that cost more than a request, by client and in total. The function throws a ServiceError
 * `rate_limited`.
 *
 * @param capacity of all clients together, per minute
 */
export function limitCalls(max: number, capacity: number): (ip: string) => void {
  const counter = createCounter(max, capacity);
  return (ip) => {
    const usage = counter(ip);
    if (usage.isExceeded) throw tooMany(usage);
  };
}

/** A limit on requests. */
export interface RequestLimit {
  /** Counts a request once, even if it was refused before it reached its route. */
  count(request: IncomingMessage, ip: string): Usage;
  /** Counts the calls of a request beyond its first. @throws ServiceError `rate_limited` */
  countMore(ip: string, calls: number): void;
  /** Counts the request on its route, and shows what remains of the limit. */
  hook(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
}

function createRequestLimit(max: number): RequestLimit {
  const counter = createCounter(max);
  const refused = new WeakMap<IncomingMessage, Usage>();

  function count(request: IncomingMessage, ip: string): Usage {
    const known = refused.get(request);
    if (known) return known;
    const usage = counter(ip);
    if (usage.isExceeded) refused.set(request, usage);
    return usage;
  }

  return {
    count,
    countMore(ip, calls) {
      const usage = counter(ip, undefined, calls);
      if (usage.isExceeded) throw tooMany(usage);
    },
    hook({ raw, ip }, reply, done) {
      const usage = count(raw, ip);
      if (usage.isExceeded) return done(tooMany(usage));
      reply.headers(rateHeaders(usage));
      done();
    },
  };
}

/** Limits that only some responses count against. */
export interface Misuse {
  /** Counts an id that is not in memory. @throws ServiceError `rate_limited` */
  unknownId(request: FastifyRequest): void;
  /** Counts a wrong token for one test. @throws ServiceError `rate_limited` */
  wrongToken(request: FastifyRequest, testId: string): void;
}

/** Options of routes that count misuse. */
export interface GuardedOptions extends ApiOptions {
  readonly misuse: Misuse;
}

export function countMisuse(limits: RateLimits): Misuse {
  const counting = (max: number) => {
    const counter = createCounter(max);
    return (ip: string, purpose?: string) => {
      if (max === 0) return;
      const usage = counter(ip, purpose);
      if (usage.isExceeded) throw tooMany(usage);
    };
  };
  const unknownId = counting(limits.unknownId);
  const wrongToken = counting(limits.wrongToken);
  return {
    unknownId: ({ ip }) => unknownId(ip),
    wrongToken: ({ ip }, testId) => wrongToken(ip, testId),
  };
}

/**
 * Limits the requests of all routes added later, in this replica's memory. Returns the limit of the routes
 * that do not set their own, or `undefined` if those are not limited.
 */
export function addRateLimits(
  app: FastifyInstance,
  { default: most }: RateLimits,
): RequestLimit | undefined {
  const common = most > 0 ? createRequestLimit(most) : undefined;
  /** Two routes with the same limit count together: both create tests. */
  const others = new Map<number, RequestLimit>();
  const limitOf = (max: number) => {
    const limit = others.get(max) ?? createRequestLimit(max);
    others.set(max, limit);
    return limit;
  };
  app.addHook('onRoute', (route) => {
    const own = route.config?.maxPerMinute;
    const limit = own === undefined ? common : own > 0 && limitOf(own);
    if (limit) route.onRequest = [route.onRequest ?? [], limit.hook].flat();
  });
  return common;
}
