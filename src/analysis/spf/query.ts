import { isSameAddress } from '../addresses.ts';
import type { Answer } from '../dns-answer.ts';
import { reverseName } from '../names/reverse-name.ts';
import { isIpv6Sender, type SpfSender } from './macro.ts';
import { prefixesOf, type SpfTerm } from './parse.ts';

/** RFC 7208 §4.6.4: names of the sending IP that are looked at. */
const MAX_NAMES = 10;

export interface SpfQuery {
  readonly name: string;
  readonly type: 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR';
}

/** Answers by `queryKey`. */
export type SpfAnswers = ReadonlyMap<string, Answer<unknown>>;

export const queryKey = ({ name, type }: SpfQuery): string => `${type} ${name}`;

/** An answer, or `undefined` when it is still to be had. */
export type AskSpf = (query: SpfQuery) => Answer<unknown> | undefined;

/** What a receiver asks first for a term that names no other record (RFC 7208 §5.3 to §5.7). */
export function queryOf({ name }: SpfTerm, target: string, sender: SpfSender): SpfQuery {
  switch (name) {
    case 'mx':
      return { name: target, type: 'MX' };
    case 'exists':
      return { name: target, type: 'A' };
    case 'ptr':
      return reverseQuery(sender) ?? { name: target, type: 'PTR' };
    default:
      return addressQuery(target, sender);
  }
}

/** For the names of the sending IP. */
export function reverseQuery({ ip }: SpfSender): SpfQuery | null {
  const name = reverseName(ip);
  return name === null ? null : { name, type: 'PTR' };
}

/** For the addresses of a host, of the sender's family. */
export const addressQuery = (name: string, sender: SpfSender): SpfQuery => ({
  name,
  type: isIpv6Sender(sender) ? 'AAAA' : 'A',
});

/**
 * The names of the sending IP that have its address (RFC 7208 §5.5), the first ten; `undefined`:
 * still to be had. A name that cannot be had does not count.
 */
export function validatedNames(sender: SpfSender, ask: AskSpf): readonly string[] | undefined {
  const query = reverseQuery(sender);
  const answer = query === null ? undefined : ask(query);
  if (query !== null && answer === undefined) return undefined;
  const names = answer?.status === 'found' ? answer.records.slice(0, MAX_NAMES).map(String) : [];
  const hosts = names.map((text) => {
    const name = text.toLowerCase().replace(/\.$/, '');
    return { name, addresses: ask(addressQuery(name, sender)) };
  });
  if (hosts.some(({ addresses }) => addresses === undefined)) return undefined;
  return hosts.flatMap(({ name, addresses }) =>
    addresses?.status === 'found' &&
    addresses.records.some((address) => isSameAddress(String(address), sender.ip))
      ? [name]
      : [],
  );
}

/**
 * What `%{p}` is in a record of `domain` (RFC 7208 §7.3): a validated name of the sending IP, best
 * the domain itself, else a name under it; `unknown` without any. `undefined`: still to be had.
 */
export function reverseOf(domain: string, sender: SpfSender, ask: AskSpf): string | undefined {
  const names = validatedNames(sender, ask);
  return (
    names &&
    (names.find((name) => name === domain) ??
      names.find((name) => name.endsWith(`.${domain}`)) ??
      names[0] ??
      'unknown')
  );
}

/** Terms for the addresses of a host that has none of the sender's family, and some of the other. */
export function otherFamily(
  term: SpfTerm,
  name: string,
  sender: SpfSender,
  ask: AskSpf,
): readonly string[] {
  const isIpv6 = isIpv6Sender(sender);
  const answer = ask({ name, type: isIpv6 ? 'A' : 'AAAA' });
  const mechanism = isIpv6 ? 'ip4' : 'ip6';
  const sign = /^[+\-~?]/.exec(term.text)?.[0] ?? '';
  return answer?.status === 'found'
    ? answer.records.map((ip) => `${sign}${mechanism}:${ip}${prefixesOf(term)[mechanism]}`)
    : [];
}
