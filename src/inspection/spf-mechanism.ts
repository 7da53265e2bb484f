import { canonicalIp } from '../analysis/addresses.ts';
import { type Answer, isAbsent } from '../analysis/dns-answer.ts';
import { reverseName } from '../analysis/names/reverse-name.ts';
import { prefixesOf, type SpfTerm } from '../analysis/spf/parse.ts';
import type { RecordType } from '../ports/dns.ts';

/** RFC 7208 §4.6.4: mail servers of one `mx` term. */
const MAX_EXCHANGES = 10;

/** What is wrong with a term; null: nothing, or it is not known. */
export type SpfFault =
  | { readonly kind: 'broken'; readonly why: string }
  /** `instead`: what means the same without a lookup, as it has addresses of the other family alone. */
  | { readonly kind: 'void'; readonly instead: readonly string[] };

export const FINDS_NOTHING: SpfFault = { kind: 'void', instead: [] };

/** An answer; `undefined`: it is not to be asked for. */
type Ask = (name: string, type: RecordType) => Promise<Answer<unknown> | undefined>;

/**
 * Asks what a receiver asks first for a mechanism that names no other record (RFC 7208 §5.3 to §5.7).
 *
 * @param ip who sends
 * @param isOwn it stands in the sender's own record, and asks for the same name for all of their mail
 */
export async function findFault(
  term: SpfTerm,
  target: string,
  ip: string,
  isOwn: boolean,
  ask: Ask,
): Promise<SpfFault | null> {
  const { name, type } = queryOf(term, target, ip);
  const answer = await ask(name, type);
  if (isAbsent(answer))
    return term.name === 'a' && isOwn
      ? { kind: 'void', instead: await otherFamily(term, target, type, ask) }
      : FINDS_NOTHING;
  const hosts = type === 'MX' && answer?.status === 'found' ? answer.records.length : 0;
  return hosts > MAX_EXCHANGES
    ? { kind: 'broken', why: `${hosts} mail servers; the limit is ${MAX_EXCHANGES}` }
    : null;
}

function queryOf({ name: mechanism }: SpfTerm, name: string, ip: string) {
  if (mechanism === 'mx') return { name, type: 'MX' } as const;
  if (mechanism === 'exists') return { name, type: 'A' } as const;
  if (mechanism === 'ptr') return { name: reverseName(ip) ?? name, type: 'PTR' } as const;
  return { name, type: canonicalIp(ip)?.includes(':') ? 'AAAA' : 'A' } as const;
}

/** Terms for the addresses of a host that has none of the sender's family, and some of the other. */
async function otherFamily(
  term: SpfTerm,
  name: string,
  own: RecordType,
  ask: Ask,
): Promise<readonly string[]> {
  const answer = await ask(name, own === 'A' ? 'AAAA' : 'A');
  if (answer?.status !== 'found') return [];
  const mechanism = own === 'A' ? 'ip6' : 'ip4';
  const sign = /^[+\-~?]/.exec(term.text)?.[0] ?? '';
  return answer.records.map((ip) => `${sign}${mechanism}:${ip}${prefixesOf(term)[mechanism]}`);
}
