/** Writes the questions about an SPF record that only its owner can answer. */

import { formatList } from '../format.ts';
import type { SpfFacts } from './facts.ts';
import { isValidTerm, parseTerm, type SpfTerm } from './parse.ts';
import { cutTerm, formatTerms } from './void-lookups.ts';

/**
 * Terms about which only the owner of a record can decide, because each of them may authorise the owner's
 * servers.
 */
export interface Asked {
  readonly unreadable: readonly string[];
  readonly broken: SpfFacts['brokenTerms'];
  readonly wide: SpfFacts['wideTerms'];
  readonly reverse: readonly SpfTerm[];
  readonly voids: SpfFacts['voidTerms'];
  readonly isOpenEnd: boolean;
}

/** The value for a record about which there is nothing to ask. */
export const NOTHING_ASKED: Asked = {
  ...{ unreadable: [], broken: [], wide: [], reverse: [], voids: [] },
  isOpenEnd: false,
};

const readingOfHost = (term: string): string =>
  ` ${cutTerm(term)} may mean include:${cutTerm(term)}, the record of a service, or a:${cutTerm(term)}, a server.`;

const FIRST = 'to the record below before you publish it';

/** Returns the questions to answer before these terms are removed from a record, each as a paragraph. */
export function questionsOf(
  { unreadable, broken, wide, reverse, voids, isOpenEnd }: Asked,
  domain: string,
): readonly string[] {
  const list = (terms: readonly string[]) => formatList([...new Set(terms)].map(cutTerm));
  const hosts = unreadable.filter(
    (term) => isValidTerm(parseTerm(`a:${term}`)) && /\../.test(term),
  );
  const bare = unreadable.filter((term) => /^[-~?+]?(?:a|mx):$/i.test(term));
  const readings = [
    ...bare.map((term) => ` ${term} may mean ${term.slice(0, -1)}, which is ${domain} itself.`),
    ...hosts.map(readingOfHost),
  ];
  const dead = broken.filter(({ isLoop, isNested }) => !isLoop && !isNested);
  // A single question covers all unclear terms, because only the owner knows what each of them means.
  const unclear = [
    ...(unreadable.length > 0
      ? [
          `Receivers cannot parse ${list(unreadable)}, so the whole record is invalid.${readings.join('')}`,
        ]
      : []),
    ...dead.map(({ term, why }) => `${cutTerm(term)} leads nowhere (${cutTerm(why)}).`),
    `Which server or service is meant? Add it ${FIRST}${unreadable.length > 0 ? ', as ip4:, a: or include:' : ''}. If you do not use it, leave it out.`,
  ];
  return [
    ...(unclear.length > 1 ? [unclear.join(' ')] : []),
    ...broken
      .filter((one) => !dead.includes(one))
      .map(({ term, why, isLoop }) =>
        isLoop
          ? `${cutTerm(term)} leads back to the record that contains it. If it names a service that you use, ask the service which term its customers publish, and add that ${FIRST}.`
          : `${cutTerm(term)} leads to a record that contains an error (${cutTerm(why)}) but still allows servers. If you use that service, ask it to correct its record, and keep the term. If not, publish the record below.`,
      ),
    ...(reverse.length > 0
      ? [
          `Your record allows servers by their reverse names (${list(reverse.map(({ text }) => text))}). Which servers of ${domain} send mail? Add the address of each (ip4: or ip6:) ${FIRST}: servers that it does not list no longer pass.`,
        ]
      : []),
    ...(voids.length > 0
      ? [
          `${formatTerms(voids)} leads to names that do not exist. If you use that service, ask it to correct its record, and keep the term. If not, publish the record below.`,
        ]
      : []),
    ...(wide.length > 0 || isOpenEnd
      ? [
          `Which servers and services send for ${domain}? Add each of them ${FIRST}: mail from all others then gets an SPF softfail (~all).`,
        ]
      : []),
  ];
}
