/**
 * Finds the host name that the sending server should use in HELO and PTR, or the listed address from which it
 * should send, and what stands in the way, such as a missing address record or a web proxy.
 */

import { hexOf, inside6to4, isSameAddress } from '../addresses.ts';
import { dnsNameOf, isOthersDomain, isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import { entryOf, ifKnown } from '../lookup-result.ts';
import { sameOrganization } from './domain-names.ts';
import { isGenericName } from './generic-name.ts';
import { heloName, isPublicHost } from './host-name.ts';
import { webProxyOf } from './web-proxies.ts';

/** A name that the sending host can use in HELO and PTR. */
interface MailHost {
  /** The host name. Null if no name is known to be free. */
  readonly name: string | null;
  /** True if the name already resolves to the sending IP. */
  readonly resolves: boolean;
}

/** Usual first labels of a mail host's name. */
const LABELS = ['mail', 'smtp', 'out', 'mta'];

/** Returns names that a fix may propose for the mail host of the given domains, in order of preference. */
export const usualHosts = (domains: readonly string[]): readonly string[] =>
  domains.flatMap((domain) => LABELS.map((label) => `${label}.${domain}`));

/**
 * Returns the addresses of a name that was looked up for another reason, or `undefined` if they are unknown.
 */
export function addressesOf(facts: Facts, name: string): readonly string[] | undefined {
  const { connection, names } = facts;
  const { helo, heloAddresses, forward } = connection;
  const mx = entryOf(names.mxHosts, name);
  const isHelo = heloName(helo) === name;
  return (
    (isHelo ? ifKnown(heloAddresses) : undefined) ??
    entryOf(ifKnown(forward)?.addresses ?? {}, name) ??
    (mx && ifKnown(mx)?.addresses) ??
    dnsNameOf(name, facts).addresses
  );
}

/** Returns whether a name can be a mail host's: others can look it up, and no network assigned it. */
const canBeMailHost = (name: string, { names: { ip } }: Facts): boolean =>
  isPublicHost(name) && !isGenericName(name, ip);

/**
 * Returns whether a name is known to have no address of its own, although a wildcard may answer for it. A
 * second address beside an existing one would send visitors to the wrong host.
 */
export const isFree = (name: string, facts: Facts): boolean =>
  canBeMailHost(name, facts) &&
  (addressesOf(facts, name.toLowerCase())?.length === 0 ||
    dnsNameOf(name, facts).wildcard !== undefined);

/**
 * Returns a PTR name of the sending IP that resolves back to it and was chosen for a mail host, if there is
 * one.
 */
export const confirmedName = (facts: Facts): string | undefined =>
  ifKnown(facts.connection.forward)?.confirmedNames.find((name) => canBeMailHost(name, facts));

/**
 * Returns whether one of the reader's names belongs to the sending host, but has records only for the other
 * address family. The name belongs to the host if it receives the domain's mail, or if the PTR record of the
 * address contains it. A PTR record with the domain's own name proves nothing, because that name is also a
 * website's.
 */
export function lacksFamily(name: string, facts: Facts): boolean {
  const { ip, fromMx, envelopeMx } = facts.names;
  const addresses = addressesOf(facts, name) ?? [];
  if (ip === null || !canBeMailHost(name, facts) || !isOwnName(name, facts)) return false;
  if (inside6to4(ip) !== null) return false;
  const takesMail = [fromMx, envelopeMx].some(
    (lookup) => lookup && ifKnown(lookup)?.mx.includes(name),
  );
  const isNamed = ifKnown(facts.connection.ptr)?.some((ptr) => ptr.toLowerCase() === name);
  const isDomain = [facts.names.fromDomain, facts.names.envelopeDomain].includes(name);
  return (
    addresses.length > 0 &&
    addresses.every((address) => address.includes(':') !== ip.includes(':')) &&
    webProxyOf(addresses) === undefined &&
    (takesMail || (isNamed === true && !isDomain))
  );
}

/**
 * Returns the common cause of all findings that one missing address record would fix. With that record, the
 * reverse name, HELO and SPF of the reader's host would match the sending address. Returns `undefined` if no
 * such record is missing.
 */
export const familyCause = (name: string | null, facts: Facts): string | undefined =>
  name !== null && lacksFamily(name, facts) ? `address:${name}` : undefined;

/**
 * Returns the web proxy in front of a name that the reader wants to use for a mail host, or `undefined` if
 * there is none.
 */
export const proxyBefore = (name: string, facts: Facts): string | undefined =>
  isOwnName(name, facts) && dnsNameOf(name, facts).wildcard === undefined
    ? webProxyOf(addressesOf(facts, name) ?? [])
    : undefined;

/**
 * Returns an address of the reader's own mail host in the same network as the IPv6 sender, if the records of
 * that host do not list the sender itself. Such a host has several addresses, and sends from one that changes
 * (RFC 8981). Returns `undefined` if there is none.
 */
export function listedNeighbour(
  facts: Facts,
): { readonly name: string; readonly address: string } | undefined {
  const { ip, helo, mxHosts } = facts.names;
  const network = ip === null ? null : networkOf(ip);
  if (ip === null || network === null || isChosen(ip)) return undefined;
  const names = [heloName(helo), ...Object.keys(mxHosts)];
  for (const name of names.filter((one) => isOwnName(one, facts))) {
    const addresses = addressesOf(facts, name) ?? [];
    const address = addresses.find((one) => networkOf(one) === network);
    if (address !== undefined && !addresses.some((one) => isSameAddress(one, ip)))
      return { name, address };
  }
  return undefined;
}

/** Returns instructions for a host that should send from its listed address instead of one that changes. */
export const bindInstead = (
  ip: string,
  { name, address }: NonNullable<ReturnType<typeof listedNeighbour>>,
): string =>
  `Is ${ip} the same server as ${name}, which has ${address}? If so, have it send from ${address} (Postfix: smtp_bind_address6 = ${address}), instead of an address that may change, and publish nothing for ${ip}. If it is another server, give it its own name, with an AAAA record and a reverse name (PTR), and list its address in SPF.`;

/**
 * Returns instructions for a host that sends from a 6to4 address, or null for any other address. Such an
 * address gets neither a name nor a place in an SPF record.
 */
export function leave6to4(ip: string): string | null {
  const wrapped = inside6to4(ip);
  return (
    wrapped &&
    `${ip} is a 6to4 address, which embeds the IPv4 address ${wrapped}. 6to4 is no longer in use (RFC 7526). Have the server send over IPv4 (Postfix: smtp_address_preference = ipv4), or get IPv6 from your network provider.`
  );
}

/** Returns the first 64 bits of an IPv6 address, which identify one network link (RFC 4291 §2.5.4). */
function networkOf(ip: string): string | null {
  const hex = hexOf(ip);
  return hex?.length === 32 ? hex.slice(0, 16) : null;
}

/**
 * Returns whether a person chose the last 64 bits of an address. If a host generated them, they contain no
 * long run of zeros.
 */
const isChosen = (ip: string): boolean => hexOf(ip)?.slice(16).startsWith('00000000') === true;

const hosts = new WeakMap<Facts, MailHost>();

/**
 * Returns the name that the sending host should have: one that resolves to its IP, or otherwise one of the
 * sender's names that has no address yet. The result is computed once for all checks of an email.
 */
export function mailHost(facts: Facts): MailHost {
  const host = hosts.get(facts) ?? findMailHost(facts);
  hosts.set(facts, host);
  return host;
}

function findMailHost(facts: Facts): MailHost {
  const { ip, helo, fromDomain, fromOrganizationalDomain, envelopeDomain } = facts.names;
  const said = heloName(helo);
  const bases = [fromDomain, fromOrganizationalDomain, envelopeDomain].filter(
    (base) => base !== null && isPublicHost(`mail.${base}`) && !isOthersDomain(base, facts),
  );
  const usual = usualHosts(bases.flatMap((base) => base ?? []));
  const names = [confirmedName(facts) ?? '', said, ...usual].filter((name) =>
    canBeMailHost(name, facts),
  );
  const leadsHere = (name: string) =>
    ip !== null && addressesOf(facts, name)?.some((address) => isSameAddress(address, ip));
  const there = names.find(leadsHere);
  if (there !== undefined) return { name: there, resolves: true };
  const other = names.find((name) => lacksFamily(name, facts));
  if (other !== undefined) return { name: other, resolves: false };
  const free = names.find(
    (name) =>
      bases.some((base) => base !== null && sameOrganization(name, base)) && isFree(name, facts),
  );
  return { name: free ?? null, resolves: false };
}
