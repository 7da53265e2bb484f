/**
 * Expands the name that a term of an SPF record queries, and makes the term's first lookup to find its
 * faults, such as finding nothing.
 */

import { canonicalIp } from '../analysis/addresses.ts';
import { type Answer, isAbsent } from '../analysis/dns-answer.ts';
import { reverseName } from '../analysis/names/host-name.ts';
import type { BrokenTerm, SpfRepair } from '../analysis/spf/facts.ts';
import { isTargetName, prefixesOf, type SpfTerm } from '../analysis/spf/parse.ts';
import type { SpfReading } from '../analysis/spf/read-record.ts';
import type { CheckHost, SpfSender } from '../ports/check-host.ts';
import type { DnsAnswer, RecordType, Resolver } from '../ports/dns.ts';

/**
 * Maximum length of a name, in octets. Labels are removed from the left of a longer name (RFC 7208 §7.3).
 */
const MAX_NAME = 253;

/** The sender for whom a record is evaluated, with the engine and the DNS answers that are used. */
export interface SpfAbout {
  readonly checkHost: CheckHost;
  readonly ask: Resolver['ask'];
  readonly sender: SpfSender;
  /** Reads each record once per email. */
  readonly read: (record: string) => SpfReading;
}

export const toTxt = (record: string): DnsAnswer<readonly string[]> => ({
  status: 'found',
  records: [[record]],
  cnames: [],
});

/** Answers queries for the records that a fix corrects with the corrected ones. */
export function withRepairs(about: SpfAbout, repairs: readonly SpfRepair[]): SpfAbout {
  if (repairs.length === 0) return about;
  const texts = new Map(repairs.map(({ name, record }) => [name, record]));
  return {
    ...about,
    ask: async (name, type) => {
      const answer = await about.ask(name, type);
      if (type !== 'TXT' || answer.status !== 'found') return answer;
      const text = texts.get(answer.cnames.at(-1) ?? name);
      return text === undefined ? answer : toTxt(text);
    },
  };
}

/**
 * Returns the name that a domain-spec in a record of `domain` expands to, or null if it cannot be looked up.
 * The engine expands the macros: it evaluates a record that asks for the mail servers of that name.
 */
export async function expandSpec(
  { checkHost, ask, sender }: SpfAbout,
  spec: string,
  domain: string,
): Promise<string | null> {
  if (!spec.includes('%') && spec.length <= MAX_NAME) {
    const name = spec.toLowerCase().replace(/\.$/, '');
    return isTargetName(name) ? name : null;
  }
  let target: string | null = null;
  await checkHost(sender, async (name, type) => {
    if (type === 'TXT')
      return toTxt(
        name === domain ? `v=spf1 mx:${spec}` : `v=spf1 redirect=${domain.replaceAll('%', '%%')}`,
      );
    if (type !== 'MX') return ask(name, type);
    target = name;
    return { status: 'nxdomain', cnames: [] };
  });
  return target;
}

/** Maximum number of mail servers for one `mx` term (RFC 7208 §4.6.4). */
const MAX_EXCHANGES = 10;

/** The fault of a term. Null if there is none, or if it is unknown. */
export type SpfFault =
  | ({ readonly kind: 'broken' } & Pick<BrokenTerm, 'cause' | 'why'>)
  /**
   * The lookup finds nothing. If the name has addresses only of the other family, `instead` lists terms that
   * mean the same and need no lookup.
   */
  | { readonly kind: 'void'; readonly instead: readonly string[] };

export const FINDS_NOTHING: SpfFault = { kind: 'void', instead: [] };

/** Resolves with an answer, or with `undefined` if the name must not be looked up. */
type Ask = (name: string, type: RecordType) => Promise<Answer<unknown> | undefined>;

/**
 * Makes the first lookup that a receiver makes for a mechanism that names no other record, and returns the
 * fault it shows (RFC 7208 §5.3 to §5.7).
 *
 * @param ip the sending address
 * @param isOwn true if the term is in a record of the sender's organization and queries the same name for all
 * of the sender's email
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
    ? {
        kind: 'broken',
        cause: 'crowded',
        why: `${hosts} mail servers; the limit is ${MAX_EXCHANGES}`,
      }
    : null;
}

function queryOf({ name: mechanism }: SpfTerm, name: string, ip: string) {
  if (mechanism === 'mx') return { name, type: 'MX' } as const;
  if (mechanism === 'exists') return { name, type: 'A' } as const;
  if (mechanism === 'ptr') return { name: reverseName(ip) ?? name, type: 'PTR' } as const;
  return { name, type: canonicalIp(ip)?.includes(':') ? 'AAAA' : 'A' } as const;
}

/**
 * Returns terms for the addresses of a host whose addresses all belong to the other family than the sender's.
 */
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
