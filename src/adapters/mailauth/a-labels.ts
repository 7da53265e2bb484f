import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Returns a signature's domain name in lower case, with A-labels and without a final dot. RFC 8616 §5 allows
 * U-labels in internationalized email.
 */
export const toALabels = (name: string): string =>
  name.trim().replace(/\.$/, '').split('.').map(toALabel).join('.');

function toALabel(label: string): string {
  // The form in which the library reads the label when it looks up the key.
  const own = label.normalize('NFC').toLowerCase();
  if (/^[\x20-\x7e]*$/.test(own)) return own;
  const ascii = domainToASCII(own);
  // Other parsers replace some letters, for example `\uFB00` with `ff`. A name that means one thing to them
  // and another to the library is left unchanged and is not a valid name, because such a name must not be
  // vouched for by anyone's key.
  return domainToUnicode(ascii) === own ? ascii : own;
}
