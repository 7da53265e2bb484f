/**
 * Fills the placeholders, such as `{from_domain}`, in the sentences of a fix, provides the values that most
 * sentences use, and determines the From domain and the signing domain that fixes name.
 */

import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isPublicDomain, publicIp } from '../names/host-name.ts';

/** Values for the placeholders of a fix, keyed by placeholder name. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * Maximum length of a placeholder's value, in characters. The limit leaves room for the ten longest records
 * that a DNS answer can contain, with their names.
 */
const MAX_VALUE = 8000;

/**
 * Fills the placeholders of a sentence in a single pass, because a filled-in record may contain braces itself
 * (SPF macros). A value that is too long is replaced by a note, because half a record is useless.
 */
export const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(Object.hasOwn(values, name) ? values[name] : '(not known)');
    return value.length > MAX_VALUE ? `(${value.length} characters, too long to print)` : value;
  });

/** Returns the From domain if records can be published at it, or null if not. */
export const publicFrom = ({ names: { fromDomain } }: Facts): string | null =>
  fromDomain !== null && isPublicDomain(fromDomain) ? fromDomain : null;

/**
 * Returns the domain that the sender should sign with. With `adkim=s`, it must be the From domain itself (RFC
 * 9989 §4.7).
 */
export function signingDomain(facts: Facts): string {
  const { names, headers, dmarc } = facts;
  // Only the freemail provider can sign for its own domain.
  if (ifKnown(headers)?.from.freemail) return names.envelopeDomain;
  const from = names.fromDomain ?? 'your domain';
  return ifKnown(dmarc)?.report.adkim === 's' ? from : (names.fromOrganizationalDomain ?? from);
}

/** Returns the values of the placeholders that most sentences use. */
export function commonValues({ names, spf, dmarc }: Facts) {
  const from = names.fromDomain ?? 'your domain';
  const organization = names.fromOrganizationalDomain ?? from;
  return {
    from_domain: from,
    from_org_domain: organization,
    org_domain: organization,
    domain: from,
    return_path:
      ifKnown(dmarc)?.report.aspf === 's' ? `at ${from} itself` : `under ${organization}`,
    envelope_domain: ifKnown(spf)?.report.domain || names.envelopeDomain || from,
    helo: names.helo?.replace(/\.$/, '') || 'your server',
    ip: publicIp(names.ip) ?? 'your public IP address',
  };
}

/** The placeholders that are filled in the same way for every check. */
export type CommonValue = keyof ReturnType<typeof commonValues>;
