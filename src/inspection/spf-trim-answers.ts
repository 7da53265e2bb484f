import { textsOf } from '../analysis/dns-answer.ts';
import { isSpfRecord } from '../analysis/spf/parse.ts';
import { essenceOf } from '../analysis/spf/trim-record.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';
import { turnFor } from './yield.ts';

type Ask = Resolver['ask'];

/**
 * What makes a resolver one for the evaluations of SPF for one sender: long records come without what
 * cannot change its result. Each is read once, however often the evaluations come to it.
 *
 * @param plain octets up to which a record stays as it is
 */
export function essenceFor(ip: string, plain?: number): (resolver: Resolver) => Resolver {
  const read = new WeakMap<object, Promise<DnsAnswer<unknown>>>();
  const shorten = async (answer: DnsAnswer<readonly string[]>): Promise<DnsAnswer<unknown>> => {
    if (answer.status !== 'found') return answer;
    const texts = textsOf(answer);
    await turnFor(texts);
    const records = texts.map((text) => [isSpfRecord(text) ? essenceOf(text, ip, plain) : text]);
    return { status: 'found', records, cnames: answer.cnames };
  };
  return (resolver) => {
    const ask: Ask = async (name, type) => {
      const answer = await resolver.ask(name, type);
      if (type !== 'TXT') return answer;
      const short = read.get(answer) ?? shorten(answer as DnsAnswer<readonly string[]>);
      read.set(answer, short);
      return short;
    };
    return { ...resolver, ask };
  };
}
