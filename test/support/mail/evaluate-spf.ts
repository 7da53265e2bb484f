import type { SpfEvaluation } from '../../../src/analysis/spf/evaluate.ts';
import { evaluateWhole, senderOf } from '../../../src/inspection/spf.ts';
import type { Resolver } from '../../../src/ports/dns.ts';

export interface SpfIdentity {
  readonly ip: string;
  readonly helo: string;
  readonly localPart: string;
  /** Empty: the null sender. */
  readonly domain: string;
}

/** SPF of one identity as the service evaluates it; nothing is asked that the result does not need. */
export async function evaluateSpf(
  identity: SpfIdentity,
  resolver: Resolver,
): Promise<SpfEvaluation> {
  const { evaluation } = await evaluateWhole(resolver, senderOf(identity), new Map(), 0);
  return evaluation;
}
