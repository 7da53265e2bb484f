/** Looks for records in places where nobody else looks for them. */
import type { Misplaced } from '../analysis/dkim/facts.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';
import { isDomainName } from './dns-results.ts';

type Texts = DnsAnswer<readonly string[]> | undefined;

/** Returns the texts at a name, including those that a CNAME beside them hides. */
export function placesIn(name: string, answer: Texts): readonly Misplaced[] {
  if (answer === undefined || answer.status === 'failed') return [];
  const [alias] = answer.cnames;
  return [
    ...textsOf(answer).map((record) => ({ name, record, ...(alias && { alias }) })),
    ...(answer.beside ?? []).map((record) => ({ name, record })),
  ];
}

/** A text that consists of the name of a host or record, and nothing else. */
const NAME = /^\W?([a-z0-9_](?:[a-z0-9_-]*\.)+[a-z][a-z0-9-]+)\.?\W?$/i;

/** Looks up the texts at a name that was entered as a text where an alias (CNAME) was intended. */
export async function lookUpNameInText(
  resolver: Resolver,
  texts: readonly string[],
): Promise<readonly Misplaced[]> {
  for (const asText of texts) {
    const name = NAME.exec(asText.trim())?.[1]?.toLowerCase() ?? '';
    if (isDomainName(name))
      return textsOf(await resolver.txt(name)).map((record) => ({ name, record, asText }));
  }
  return [];
}
