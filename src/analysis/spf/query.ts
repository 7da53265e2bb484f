import { isSameAddress } from '../addresses.ts';
import type { Answer } from '../dns-answer.ts';
import { reverseName } from '../names/reverse-name.ts';
import { isIpv6Sender, type SpfSender } from './macro.ts';
import { prefixesOf, type SpfTerm } from './parse.ts';

/** RFC 7208 §4.6.4: names of the sending IP that are looked at. */
const MAX_NAMES = 10;

export interface SpfQuestion {
  readonly name: string;
  readonly type: 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR';
}

/** Answers by `questionKey`. */
export type SpfAnswers = ReadonlyMap<string, Answer<unknown>>;

export const questionKey = ({ name, type }: SpfQuestion): string => `${type} ${name}`;

/** An answer, or `undefined` when it is still to be had. */
export type AskSpf = (question: SpfQuestion) => Answer<unknown> | undefined;

/** What a receiver asks first for a term that names no other record (RFC 7208 §5.3 to §5.7). */
export function questionOf({ name }: SpfTerm, target: string, sender: SpfSender): SpfQuestion {
  switch (name) {
    case 'mx':
      return { name: target, type: 'MX' };
    case 'exists':
      return { name: target, type: 'A' };
    case 'ptr':
      return reverseQuestion(sender) ?? { name: target, type: 'PTR' };
    default:
      return { name: target, type: isIpv6Sender(sender) ? 'AAAA' : 'A' };
  }
}

/** For the names of the sending IP. */
export function reverseQuestion({ ip }: SpfSender): SpfQuestion | null {
  const name = reverseName(ip);
  return name === null ? null : { name, type: 'PTR' };
}

/**
 * What `%{p}` is in a record of `domain` (RFC 7208 §7.3): a validated name of the sending IP, best
 * the domain itself, else a name under it; `unknown` without any. `undefined`: still to be had.
 */
export function reverseOf(domain: string, sender: SpfSender, ask: AskSpf): string | undefined {
  const question = reverseQuestion(sender);
  const answer = question === null ? undefined : ask(question);
  if (question !== null && answer === undefined) return undefined;
  const names = answer?.status === 'found' ? answer.records.slice(0, MAX_NAMES).map(String) : [];
  const lookups = names.map((text) => {
    const name = text.toLowerCase().replace(/\.$/, '');
    return { name, addresses: ask({ name, type: isIpv6Sender(sender) ? 'AAAA' : 'A' }) };
  });
  if (lookups.some(({ addresses }) => addresses === undefined)) return undefined;
  const validated = lookups.flatMap(({ name, addresses }) =>
    addresses?.status === 'found' &&
    addresses.records.some((address) => isSameAddress(String(address), sender.ip))
      ? [name]
      : [],
  );
  return (
    validated.find((name) => name === domain) ??
    validated.find((name) => name.endsWith(`.${domain}`)) ??
    validated[0] ??
    'unknown'
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
