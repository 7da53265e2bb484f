/** Evaluates SPF in tests as the service does. */

import { checkHost } from '../../../src/adapters/mailauth/check-host.ts';
import { createReader } from '../../../src/analysis/spf/read-record.ts';
import { senderOf } from '../../../src/inspection/spf.ts';
import { judgeSpf, type SpfJudgement } from '../../../src/inspection/spf-record.ts';
import type { DnsAnswer, Resolver } from '../../../src/ports/dns.ts';

export interface SpfIdentity {
  readonly ip: string;
  readonly helo: string;
  readonly localPart: string;
  /** Domain of the envelope sender; empty for the null sender. */
  readonly domain: string;
}

/**
 * Evaluates SPF of one identity as the service does. Nothing is looked up twice, or without need for the
 * result.
 */
export function evaluateSpf(
  identity: SpfIdentity,
  { ask }: Pick<Resolver, 'ask'>,
): Promise<SpfJudgement> {
  const answers = new Map<string, Promise<DnsAnswer<unknown>>>();
  const once: Resolver['ask'] = (name, type) => {
    const answer = answers.get(`${type} ${name}`) ?? ask(name, type);
    answers.set(`${type} ${name}`, answer);
    return answer;
  };
  return judgeSpf({ checkHost, ask: once, sender: senderOf(identity), read: createReader() });
}
