import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A name of a signature in lower case, with A-labels, no dot at the end. RFC 8616 §5 lets
 * internationalized mail have U-labels.
 */
export const toALabels = (name: string): string =>
  name.trim().replace(/\.$/, '').split('.').map(toALabel).join('.');

function toALabel(label: string): string {
  // As the library reads it, to ask for the key.
  const own = label.normalize('NFC').toLowerCase();
  if (/^[\x20-\x7e]*$/.test(own)) return own;
  const ascii = domainToASCII(own);
  // Other readers take some letters for others, `\uFB00` for `ff`. A name that is one to them and
  // another to the library stays as it is, and is no valid name: nobody's key may speak for it.
  return domainToUnicode(ascii) === own ? ascii : own;
}
