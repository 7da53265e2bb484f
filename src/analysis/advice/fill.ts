import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isPublicDomain, publicIp } from '../names/host-name.ts';

/** What stands for the braces of a fix, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** Longest value of a brace, in characters: ten records that fit an answer, and their names. */
const MAX_VALUE = 8000;

/**
 * The sentence with its braces filled, in one pass: a record may hold braces of its own
 * (SPF macros). A value that is too long is left out as a whole: half a record is no record.
 */
export const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(Object.hasOwn(values, name) ? values[name] : '(not known)');
    return value.length > MAX_VALUE ? `(${value.length} characters, too long to print)` : value;
  });

/** A From domain that somebody can publish at. */
export const publicFrom = ({ names: { fromDomain } }: Facts): string | null =>
  fromDomain !== null && isPublicDomain(fromDomain) ? fromDomain : null;

/** The domain to sign with. RFC 9989 §4.7: a record may ask for the From domain itself. */
export function signingDomain(facts: Facts): string {
  const { names, headers, dmarc } = facts;
  // For freemail nobody else can sign.
  if (ifKnown(headers)?.from.freemail) return names.envelopeDomain;
  const from = names.fromDomain ?? 'your domain';
  return ifKnown(dmarc)?.report.adkim === 's' ? from : (names.fromOrganizationalDomain ?? from);
}

/** The names that most sentences speak of. */
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

/** The names in braces that every check has filled. */
export type CommonValue = keyof ReturnType<typeof commonValues>;
