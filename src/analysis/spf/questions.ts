/** Writes the questions about an SPF record that only its owner can answer. */

import { formatList } from '../format.ts';
import type { BrokenTerm, SpfFacts } from './facts.ts';
import { isValidTerm, parseTerm, type SpfTerm, specOf } from './parse.ts';
import { cutTerm, formatTerms } from './void-lookups.ts';

/**
 * Terms about which only the owner of a record can decide, because each of them may authorize the owner's
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

/**
 * Returns the questions to answer before these terms are removed from a record, each as a paragraph.
 *
 * @param name the name at which the record is published
 * @param domain the sender's domain, whose record leads to this one if it is another
 */
export function questionsOf(
  { unreadable, broken, wide, reverse, voids, isOpenEnd }: Asked,
  name: string,
  domain = name,
): readonly string[] {
  const list = (terms: readonly string[]) => formatList([...new Set(terms)].map(cutTerm));
  const hosts = unreadable.filter(
    (term) => isValidTerm(parseTerm(`a:${term}`)) && /^[^:=.]+\.[^:=]+$/.test(term),
  );
  const bare = unreadable.filter((term) => /^[-~?+]?(?:a|mx):$/i.test(term));
  const readings = [
    ...bare.map((term) => ` ${term} may mean ${term.slice(0, -1)}, which is ${name} itself.`),
    ...hosts.map(readingOfHost),
  ];
  const dead = broken.filter(({ cause, isNested }) => cause === 'absent' && !isNested);
  // A single question covers all unclear terms, because only the owner knows what each of them means.
  const unclear = [
    ...(unreadable.length > 0
      ? [
          `Receivers cannot parse ${list(unreadable)}, so the whole record is invalid.${readings.join('')}`,
        ]
      : []),
    ...dead.map(({ term, why }) => `${cutTerm(term)} does not work (${cutTerm(why)}).`),
    `Which server or service is meant? Add it ${FIRST}${unreadable.length > 0 ? ', as ip4:, a: or include:' : ''}. If you do not use it, leave it out.`,
  ];
  return [
    ...(unclear.length > 1 ? [unclear.join(' ')] : []),
    ...broken
      .filter((one) => !dead.includes(one) && !namesItself(one, name))
      .map((one) => questionAbout(one, domain)),
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

/** Returns whether a term names the record that contains it, so that it cannot stand for a service. */
const namesItself = ({ term, cause }: BrokenTerm, name: string): boolean =>
  cause === 'loop' && specOf(parseTerm(term)).toLowerCase().replace(/\.$/, '') === name;

/** Returns the question about a term that leads to a record with an error, to itself, or to too many servers. */
function questionAbout({ term, why, cause, isNested }: BrokenTerm, domain: string): string {
  if (cause === 'loop')
    return `${cutTerm(term)} leads back to the record that contains it. If it names a service that you use, ask the service which term its customers publish, and add that ${FIRST}.`;
  if (cause === 'crowded' && !isNested)
    return `${cutTerm(term)} names too many servers (${why}). Which of them send mail for ${domain}? Add the address of each (ip4: or ip6:) ${FIRST}: servers that it does not list no longer pass.`;
  return `${cutTerm(term)} leads to a record that contains an error (${cutTerm(why)})${isNested ? ' but still allows servers' : ''}. If you use that service, ask it to correct its record, and keep the term. If not, publish the record below.`;
}
