/**
 * Limits, per client and network, the rate of HTTP requests, of costly calls, and of requests with an unknown
 * id or a wrong token. Costly calls are also limited in total.
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { networksOf } from '../../domain/fairness/networks.ts';
import { createRates } from '../../domain/fairness/rates.ts';
import type { ApiOptions, RateLimits } from '../options.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Maximum number of requests per client per minute to this route, which replaces the default limit; 0
     * means no limit.
     */
    maxPerMinute?: number;
    /** True if a browser gets this route's errors as pages. */
    isPage?: boolean;
  }
}

const MINUTE = 60_000;

/** The part of a limit that a client has used. */
interface Usage {
  readonly max: number;
  readonly remaining: number;
  /** Time in seconds until more requests are allowed. */
  readonly seconds: number;
  readonly isExceeded: boolean;
}

/**
 * Counts requests per client per minute, with a higher limit for the client's network. It uses a clock that
 * never goes back: otherwise, setting the wall clock back by an hour would shut clients out for an hour.
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

/**
 * Returns the rate limit headers of draft-ietf-httpapi-ratelimit-headers-10, and also those of drafts before
 * 07.
 */
export const rateHeaders = ({ max, remaining, seconds }: Usage) => ({
  'ratelimit-policy': `"minute";q=${max};w=${MINUTE / 1000}`,
  ratelimit: `"minute";r=${remaining};t=${seconds}`,
  'ratelimit-limit': String(max),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(seconds),
});

/**
 * Returns the error for a limit that was reached, with the state of that limit. The limit may be a different
 * one from this route's.
 */
const tooMany = (usage: Usage) =>
  new ServiceError('rate_limited', {
    detail: `Wait ${usage.seconds} seconds, then try again.`,
    headers: { 'retry-after': String(usage.seconds), ...rateHeaders(usage) },
  });

/**
 * Limits calls that cost more than a request, per client and in total. The returned function counts a call,
 * and throws a ServiceError `rate_limited` if there were too many.
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

/** A limit on the rate of requests. */
export interface RequestLimit {
  /** Counts a request. One that was refused before it reached its route is not counted again. */
  count(request: IncomingMessage, ip: string): Usage;
  /**
   * Counts the calls of a request after its first.
   * @throws ServiceError `rate_limited`
   */
  countMore(ip: string, calls: number): void;
  /** Counts the request on its route, and adds headers that show what remains of the limit. */
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

/** Limits that apply only to requests with an unknown id or a wrong token. */
export interface Misuse {
  /**
   * Counts a request for an id that is not in memory.
   * @throws ServiceError `rate_limited`
   */
  unknownId(request: FastifyRequest): void;
  /**
   * Counts a request with a wrong token for a test.
   * @throws ServiceError `rate_limited`
   */
  wrongToken(request: FastifyRequest, testId: string): void;
}

/** Options of routes that count unknown ids and wrong tokens. */
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
 * Limits the requests to all routes that are added later, counting in this replica's memory. Returns the
 * limit for routes without a limit of their own, or `undefined` if those are not limited.
 */
export function addRateLimits(
  app: FastifyInstance,
  { default: most }: RateLimits,
): RequestLimit | undefined {
  const common = most > 0 ? createRequestLimit(most) : undefined;
  /** Routes with the same limit of their own count together, because they all create tests. */
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
