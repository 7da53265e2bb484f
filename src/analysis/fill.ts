import type { Facts } from './facts.ts';
import { ifKnown } from './looked.ts';

/** What stands for the braces of a fix, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** Longest value of a brace, in characters: no record that can be published is longer. */
const MAX_VALUE = 2000;

/**
 * The template with its braces filled, in one pass: a record may hold braces of its own (SPF
 * macros). A name without a value becomes a word in capitals, for the sender to supply.
 */
export const fill = (template: string, values: Values): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(Object.hasOwn(values, name) ? values[name] : name.toUpperCase()).slice(0, MAX_VALUE),
  );

/** Whether a name can be a mail host's: several labels of letters, digits and hyphens. */
export const isHostName = (name: string): boolean =>
  /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i.test(name) && !/\.\d+$/.test(name);

/** Names that only one's own network knows (RFC 6761, RFC 6762). */
const LOCAL = /(?:^|\.)(?:local|localhost|localdomain)$/i;

/** Whether others could look a HELO name up. */
export const isPublicHost = (name: string): boolean => {
  const host = name.replace(/\.$/, '');
  return isHostName(host) && !LOCAL.test(host);
};

/** The SPF term that allows one address. */
export const ipTerm = (ip: string | null): string =>
  ip === null ? 'ip4:IP' : `${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`;

/** The names that most fixes speak of. */
export function commonValues({ names, connection, spf }: Facts): Values {
  const from = names.fromDomain ?? 'YOUR.DOMAIN';
  const organization = names.fromOrganizationalDomain ?? from;
  const helo = names.helo && isPublicHost(names.helo) ? names.helo : `mail.${from}`;
  const ptr = ifKnown(connection.forward)?.confirmedNames[0] ?? ifKnown(connection.ptr)?.[0];

  return {
    from_domain: from,
    from_org_domain: organization,
    org_domain: organization,
    domain: from,
    envelope_domain: ifKnown(spf)?.report.domain || names.envelopeDomain || from,
    helo,
    ptr: ptr ?? helo,
    ip: names.ip ?? 'IP',
    ip_term: ipTerm(names.ip),
  };
}
