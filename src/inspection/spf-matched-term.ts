import { holderOf } from '../analysis/spf/network.ts';
import { isAll, isQuerying, parseSpf, readTerms } from '../analysis/spf/parse.ts';
import { essenceOf } from '../analysis/spf/trim-record.ts';
import type { SpfResult } from '../domain/report/authentication.ts';
import type { Resolver } from '../ports/dns.ts';
import type { EvaluateSpf } from '../ports/reading.ts';

/** Mechanisms tried: a record with more is far over its limits. */
const MAX_MECHANISMS = 200;

const DECIDED: readonly SpfResult[] = ['pass', 'fail', 'softfail', 'neutral'];

/**
 * The term of a record that gave its result: the first mechanism that matches on its own
 * (RFC 7208 §4.6.2), else `redirect=`; null: none did, or there was an error. Asks nothing new: the
 * evaluation came as far, and `resolver` has its answers.
 *
 * @param domain where the record is published
 */
export async function findMatchedTerm(
  resolver: Resolver,
  evaluate: EvaluateSpf,
  identity: Parameters<EvaluateSpf>[0],
  { domain, record, result }: { domain: string; record: string; result: SpfResult },
): Promise<string | null> {
  if (!DECIDED.includes(result)) return null;
  const terms = readTerms(parseSpf(record));
  const mechanisms = terms.filter(({ kind }) => kind === 'mechanism').slice(0, MAX_MECHANISMS);
  const holdsSender = holderOf(identity.ip);
  for (const term of mechanisms) {
    if (isAll(term)) return term.text;
    const holds = isQuerying(term) ? null : holdsSender(term);
    if (holds) return term.text;
    if (holds === false) continue;
    const alone = essenceOf(`v=spf1 ${term.text.replace(/^[+\-~?]/, '')}`, identity.ip);
    const said = await evaluate(identity, withRecord(resolver, domain, alone));
    if (said.result === 'pass') return term.text;
  }
  const redirect = terms.find(({ kind, name }) => kind === 'modifier' && name === 'redirect');
  return redirect?.text ?? null;
}

/** The DNS as it was, but for the SPF record of one domain. */
const withRecord = (resolver: Resolver, domain: string, record: string): Resolver => {
  const answer = { status: 'found', records: [[record]], cnames: [] } as const;
  return {
    ...resolver,
    ask: async (name, type) =>
      type === 'TXT' && name.toLowerCase() === domain.toLowerCase()
        ? answer
        : resolver.ask(name, type),
  };
};
