/**
 * Finds raw non-ASCII letters in header fields: domains that should be written as A-labels, and text besides
 * them.
 */

import { toDomain } from '../names/domain-names.ts';
import { headerText, isEightBit } from '../syntax/charset.ts';
import type { HeaderBlock, HeaderField } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/words.ts';
import type { RawDomain } from './facts.ts';

const ADDRESSES = splitWords('From Sender Reply-To To Cc');

/**
 * Patterns for the domain after the at sign of an address, and for the domains in `d=` and `i=` of a
 * DKIM-Signature (RFC 6376 §3.5), each with what comes before the domain.
 */
const OF_ADDRESS = /(@)([^\s<>@,;:"()[\]]+)/gu;
const OF_SIGNATURE = /((?:^|;)\s*(?:d\s*=\s*|i\s*=[^;@]*@))([^\s;]+)/gu;

const isSignature = ({ name }: HeaderField): boolean => name === 'dkim-signature';

const formOf = (field: HeaderField): RegExp | null => {
  if (isSignature(field)) return OF_SIGNATURE;
  return ADDRESSES.some((name) => name.toLowerCase() === field.name) ? OF_ADDRESS : null;
};

/** Returns the A-label of a non-ASCII name, or null if the name is ASCII or not a domain. */
const aLabelOf = (name: string): string | null => (isEightBit(name) ? toDomain(name) : null);

/** Returns each raw non-ASCII domain once per field, in the order of the header. */
export function readRawDomains({ fields }: HeaderBlock): readonly RawDomain[] {
  const found = fields.flatMap((field) => {
    const form = isEightBit(field.value) ? formOf(field) : null;
    const matches = form === null ? [] : [...headerText(field.value).matchAll(form)];
    const shown = ADDRESSES.find((name) => name.toLowerCase() === field.name) ?? 'DKIM-Signature';
    return matches.flatMap(([, , name = '']) => {
      const aLabel = aLabelOf(name);
      return aLabel === null ? [] : [{ field: shown, aLabel }];
    });
  });
  const byText = new Map(found.map((one) => [`${one.field} ${one.aLabel}`, one]));
  return [...byText.values()];
}

/** Returns whether a header field contains raw non-ASCII text besides its domains. */
export function hasRawWords(field: HeaderField): boolean {
  const form = isEightBit(field.value) ? formOf(field) : null;
  if (form === null) return isEightBit(field.value);
  const rest = headerText(field.value).replace(form, (all, before: string, name: string) =>
    aLabelOf(name) === null ? all : before,
  );
  return isEightBit(rest);
}
