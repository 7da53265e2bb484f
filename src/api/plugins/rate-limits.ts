import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { RateLimits } from '../options.ts';
import { rateStore } from './rate-store.ts';

const MINUTE = 60_000;

/** Networks remembered; beyond that the longest unseen is forgotten. About 100 B each. */
const NETWORKS = 50_000;

const client = ({ ip }: FastifyRequest) => ip;

/** Of the limit that was met, which need not be the one that the route counts against. */
const tooMany = (max: number, seconds: number) =>
  new ServiceError('rate_limited', {
    detail: `Wait ${seconds} seconds, then try again.`,
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(max),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
    },
  });

/** Limits that only some answers count against. */
export interface Misuse {
  /** Counts an id that is not in memory. @throws ServiceError `rate_limited` */
  unknownId(request: FastifyRequest): Promise<void>;
  /** Counts a wrong token for one test. @throws ServiceError `rate_limited` */
  wrongToken(request: FastifyRequest, testId: string): Promise<void>;
}

/**
 * Limits by client and minute, in this replica's memory, and more softly by the networks around it:
 * see `prefixesOf`. The default holds for every route that does not set its own.
 */
export async function addRateLimits(app: FastifyInstance, limits: RateLimits): Promise<Misuse> {
  await app.register(rateLimit, {
    global: limits.default > 0,
    max: limits.default > 0 ? limits.default : Number.MAX_SAFE_INTEGER,
    timeWindow: MINUTE,
    store: rateStore(NETWORKS),
    keyGenerator: client,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { max, ttl }) =>
      tooMany(max, Math.max(1, Math.ceil(ttl / 1000))),
  });

  const counting = (max: number, key: (request: FastifyRequest) => string) => {
    const count = app.createRateLimit({ max, timeWindow: MINUTE, keyGenerator: key });
    return async (request: FastifyRequest) => {
      if (max === 0) return;
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(max, counted.ttlInSeconds);
    };
  };
  const unknownId = counting(limits.unknownId, client);
  const tested = new WeakMap<FastifyRequest, string>();
  const wrongToken = counting(
    limits.wrongToken,
    (request) => `${client(request)} ${tested.get(request)}`,
  );
  return {
    unknownId,
    wrongToken(request, testId) {
      tested.set(request, testId);
      return wrongToken(request);
    },
  };
}

/** The limit of one route instead of the default; 0: no limit. */
export const routeLimit = (max: number) => ({
  rateLimit: max === 0 ? (false as const) : { max, timeWindow: MINUTE },
});
