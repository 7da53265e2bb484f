import { isPublicName, sameOrganization, toDomain } from '../names/domain-names.ts';
import { decodeWords } from '../syntax/encoded-words.ts';
import { DIRECTION } from '../syntax/text-direction.ts';
import type { FieldFacts } from './facts.ts';

export interface DisplayNameReading {
  readonly facts: FieldFacts['from']['displayName'];
  /** In lower case. They stay inside. */
  readonly words: readonly string[];
  /** Decoded; stays inside. */
  readonly text: string;
}

const MAX_NAME_LENGTH = 2000;

// Soft hyphen, zero-width space, word joiner, byte order mark. Joiners (U+200C, U+200D) are
// left out: several scripts and emoji need them.
const ZERO_WIDTH = /[\u00ad\u200b\u2060\ufeff]/;

/** The words of the name that are domains, with whether each is one of an address. */
const domainsIn = (name: string) =>
  name
    .split(/[\s,;:/<>()[\]"']+/)
    .map((word) => ({ word, at: word.lastIndexOf('@') }))
    .map(({ word, at }) => ({
      address: at > 0,
      domain: toDomain(word.slice(at + 1).replace(/\.$/, '')),
    }))
    .filter((found): found is { address: boolean; domain: string } =>
      Boolean(found.domain?.includes('.') && isPublicName(found.domain)),
    );

/** Reads a display name, encoded-words and all, against the domain of its address. */
export const readDisplayName = (
  raw: string,
  { local, domain: fromDomain }: { readonly local: string; readonly domain: string | null },
): DisplayNameReading => {
  const name = decodeWords(raw).text.slice(0, MAX_NAME_LENGTH).trim();
  const found = domainsIn(name);
  const others = found.filter(
    ({ domain }) => fromDomain === null || !sameOrganization(domain, fromDomain),
  );
  const faults = [
    others.some(({ address }) => address) && 'address',
    others.some(({ address }) => !address) && 'domain',
    DIRECTION.test(name) && 'direction_override',
    ZERO_WIDTH.test(name) && 'zero_width',
  ].filter((fault) => fault !== false);
  const isAddress = name.toLowerCase() === `${local}@${fromDomain}`.toLowerCase();
  return {
    facts: { present: name !== '' && !isAddress, hasDomain: found.length > 0, faults },
    text: name,
    words: name.toLowerCase().match(/\p{L}+/gu) ?? [],
  };
};
