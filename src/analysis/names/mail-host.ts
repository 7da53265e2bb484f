import { hexOf, isSameAddress } from '../addresses.ts';
import { dnsNameOf, isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import { entryOf, ifKnown } from '../lookup-result.ts';
import { sameOrganization } from './domain-names.ts';
import { isGenericName } from './generic-name.ts';
import { isPublicHost } from './host-name.ts';
import { isProviderDomain } from './shared-pools.ts';
import { webProxyOf } from './web-proxies.ts';

/** A name that the sending host can have in HELO and PTR. */
interface MailHost {
  /** null: none is known to be free. */
  readonly name: string | null;
  /** It resolves to the sending IP already. */
  readonly resolves: boolean;
}

/** The usual ones, before a domain. */
const LABELS = ['mail', 'smtp', 'out', 'mta'];

/** The names that a fix may choose for the mail host of some domains, in their order. */
export const usualHosts = (domains: readonly string[]): readonly string[] =>
  domains.flatMap((domain) => LABELS.map((label) => `${label}.${domain}`));

/** The addresses of a name that was looked up for some other reason; `undefined`: not known. */
export function addressesOf(facts: Facts, name: string): readonly string[] | undefined {
  const { connection, names } = facts;
  const { helo, heloAddresses, forward } = connection;
  const mx = entryOf(names.mxHosts, name);
  const isHelo = helo?.replace(/\.$/, '').toLowerCase() === name;
  return (
    (isHelo ? ifKnown(heloAddresses) : undefined) ??
    entryOf(ifKnown(forward)?.addresses ?? {}, name) ??
    (mx && ifKnown(mx)?.addresses) ??
    dnsNameOf(name, facts).addresses
  );
}

/** Whether a name can be a mail host's: others can look it up, and the network did not give it. */
const canBeMailHost = (name: string, { names: { ip } }: Facts): boolean =>
  isPublicHost(name) && !isGenericName(name, ip);

/** Whether a name is known to have no address: a second one would send visitors of the first astray. */
export const isFree = (name: string, facts: Facts): boolean =>
  canBeMailHost(name, facts) && addressesOf(facts, name.toLowerCase())?.length === 0;

/** A PTR name that leads back to the IP and was chosen for a mail host. */
export const confirmedName = (facts: Facts): string | undefined =>
  ifKnown(facts.connection.forward)?.confirmedNames.find((name) => canBeMailHost(name, facts));

/**
 * Whether a name of the reader's is this host by its records of the other family of addresses alone: it
 * takes the domain's mail, or the owner of the address gave it that name. A domain itself is also a website.
 */
export function lacksFamily(name: string, facts: Facts): boolean {
  const { ip, fromMx, envelopeMx } = facts.names;
  const addresses = addressesOf(facts, name) ?? [];
  if (ip === null || !canBeMailHost(name, facts) || !isOwnName(name, facts)) return false;
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
 * The cause of all that one record puts right which a host of the reader's lacks, for its other family of
 * addresses: its reverse name, HELO and SPF lead to the sending address then. `undefined`: it lacks none.
 */
export const familyCause = (name: string | null, facts: Facts): string | undefined =>
  name !== null && lacksFamily(name, facts) ? `address:${name}` : undefined;

/** The web proxy before a name of the reader's for a mail host; `undefined`: none is there. */
export const proxyBefore = (name: string, facts: Facts): string | undefined =>
  isOwnName(name, facts) ? webProxyOf(addressesOf(facts, name) ?? []) : undefined;

/**
 * An address of the reader's own mail host in the network of an IPv6 sender that it does not list: the
 * host has several, and sends from one that changes (RFC 8981); `undefined`: there is none.
 */
export function listedNeighbour(
  facts: Facts,
): { readonly name: string; readonly address: string } | undefined {
  const { ip, helo, mxHosts } = facts.names;
  const network = ip === null ? null : networkOf(ip);
  if (ip === null || network === null || isChosen(ip)) return undefined;
  const names = [helo?.replace(/\.$/, '').toLowerCase() ?? '', ...Object.keys(mxHosts)];
  for (const name of names.filter((one) => isOwnName(one, facts))) {
    const addresses = addressesOf(facts, name) ?? [];
    const address = addresses.find((one) => networkOf(one) === network);
    if (address !== undefined && !addresses.some((one) => isSameAddress(one, ip)))
      return { name, address };
  }
  return undefined;
}

/** What to do about it, as sentences. */
export const bindInstead = (
  ip: string,
  { name, address }: NonNullable<ReturnType<typeof listedNeighbour>>,
): string =>
  `Is ${ip} the same server as ${name}, which has ${address}? Then let it send from ${address} (Postfix: smtp_bind_address6 = ${address}), in place of an address that may change, and publish nothing for ${ip}. If it is another server, give it a name of its own, with an AAAA record and a reverse name (PTR), and list its address in SPF.`;

/** The first 64 bits of an IPv6 address: those of one link (RFC 4291 §2.5.4). */
function networkOf(ip: string): string | null {
  const hex = hexOf(ip);
  return hex?.length === 32 ? hex.slice(0, 16) : null;
}

/** Whether people chose the last 64 bits of an address: those that a host makes up hold no run of zeros. */
const isChosen = (ip: string): boolean => hexOf(ip)?.slice(16).startsWith('00000000') === true;

const hosts = new WeakMap<Facts, MailHost>();

/**
 * The name to give the sending host: one that resolves to its IP, else one of the sender's that has
 * no address yet, as far as is known. Found once for all checks of a mail.
 */
export function mailHost(facts: Facts): MailHost {
  const host = hosts.get(facts) ?? findMailHost(facts);
  hosts.set(facts, host);
  return host;
}

function findMailHost(facts: Facts): MailHost {
  const { ip, helo, fromDomain, fromOrganizationalDomain, envelopeDomain } = facts.names;
  const said = helo?.replace(/\.$/, '').toLowerCase() ?? '';
  const bases = [fromDomain, fromOrganizationalDomain, envelopeDomain].filter(
    (base) => base !== null && isPublicHost(`mail.${base}`) && !isProviderDomain(base),
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
