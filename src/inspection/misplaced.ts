/**
 * Finds TXT records where receivers do not look for them: beside an alias (CNAME), or at a name that was
 * published as a text instead of an alias.
 */
import type { Misplaced } from '../analysis/dkim/facts.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';
import { isDomainName } from './dns-results.ts';

type Texts = DnsAnswer<readonly string[]> | undefined;

/** Returns the TXT records at a name, including those that are hidden by a CNAME record at the same name. */
export function placesIn(name: string, answer: Texts): readonly Misplaced[] {
  if (answer === undefined || answer.status === 'failed') return [];
  const [alias] = answer.cnames;
  return [
    ...textsOf(answer).map((record) => ({ name, record, ...(alias && { alias }) })),
    ...(answer.beside ?? []).map((record) => ({ name, record })),
  ];
}

/** Matches a text that consists only of the name of a host or record. */
const NAME = /^\W?([a-z0-9_](?:[a-z0-9_-]*\.)+[a-z][a-z0-9-]+)\.?\W?$/i;

/**
 * Looks up the TXT records at a name that was itself entered as a text, where an alias (CNAME) was intended.
 */
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
