/** Fills in the values in the sentences of a fix. */

import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isPublicDomain, publicIp } from '../names/host-name.ts';

/** Values for the names in braces of a fix. */
export type Values = Readonly<Record<string, string | number>>;

/** Longest value, in characters: ten records that fit into a DNS answer, with their names. */
const MAX_VALUE = 8000;

/**
 * Fills the braces of a sentence in one pass, because a record may have braces of its own (SPF macros). A
 * value that is too long is left out completely, because half a record is useless.
 */
export const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(Object.hasOwn(values, name) ? values[name] : '(not known)');
    return value.length > MAX_VALUE ? `(${value.length} characters, too long to print)` : value;
  });

/** Returns the From domain if someone can publish records at it. */
export const publicFrom = ({ names: { fromDomain } }: Facts): string | null =>
  fromDomain !== null && isPublicDomain(fromDomain) ? fromDomain : null;

/** Returns the domain to sign with. A record may require the From domain itself (RFC 9989 §4.7). */
export function signingDomain(facts: Facts): string {
  const { names, headers, dmarc } = facts;
  // Only its provider can sign for a freemail domain.
  if (ifKnown(headers)?.from.freemail) return names.envelopeDomain;
  const from = names.fromDomain ?? 'your domain';
  return ifKnown(dmarc)?.report.adkim === 's' ? from : (names.fromOrganizationalDomain ?? from);
}

/** Returns the names that most sentences use. */
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

/** The names in braces that are filled for every check. */
export type CommonValue = keyof ReturnType<typeof commonValues>;
