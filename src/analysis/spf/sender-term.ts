/**
 * Finds the SPF terms that would authorize the sender, or the reason why there are none, and tells whether a
 * term contains an address.
 */

import ipaddr from 'ipaddr.js';
import { behindNat64, inside6to4 } from '../addresses.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, isUnseen } from '../lookup-result.ts';
import { publicIp, whyNotPublic } from '../names/host-name.ts';
import { bindInstead, leave6to4, listedNeighbour } from '../names/mail-host.ts';
import { isSharedPool, poolTerm } from '../names/shared-pools.ts';
import type { SpfTrial } from './facts.ts';
import { parseSpf, type SpfTerm } from './parse.ts';
import { cutTerm } from './void-lookups.ts';

/**
 * Returns a function that tells whether a valid `ip4` or `ip6` term contains an address (RFC 7208 §5.6). An
 * IPv4 address mapped into IPv6 counts as IPv4 (§5).
 */
export function holderOf(ip: string): (term: SpfTerm) => boolean {
  const sender = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  const family = sender?.kind() === 'ipv6' ? 'ip6' : 'ip4';
  return ({ kind, name, value }) => {
    if (sender === undefined || kind !== 'mechanism' || name !== family) return false;
    const [address = '', bits = sender.toByteArray().length * 8] = value.split('/');
    return ipaddr.isValid(address) && sender.match(ipaddr.parse(address), Number(bits));
  };
}

/**
 * Returns the terms that would authorize the sender. For a shared pool, that is the term that its provider
 * documents, never one of the pool's addresses.
 */
export function termsFor(facts: Facts, present: readonly string[]): readonly string[] {
  const pool = poolNameOf(facts);
  if (pool !== undefined)
    return [poolTerm(pool) ?? []].flat().filter((term) => !present.includes(term));
  const ip = publicIp(facts.names.ip);
  return ip === null || listedNeighbour(facts) !== undefined || inside6to4(ip) !== null
    ? []
    : [`${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`];
}

/** Returns the confirmed name that shows to which shared pool the sending IP belongs. */
const poolNameOf = ({ connection }: Facts): string | undefined =>
  ifKnown(connection.forward)?.confirmedNames.find(isSharedPool);

/**
 * Returns the reason why no term can authorize the sender, with what to do instead, or null if no reason is
 * known.
 */
export function whyNoTerm(facts: Facts): string | null {
  const pool = poolNameOf(facts);
  const { ip } = facts.names;
  if (pool !== undefined)
    return `Many senders share ${ip} (${pool}), so it is not added to your record. Ask the service that owns the address which SPF term or return path its customers use.`;
  if (ip === null) {
    const { envelopeDomain: domain } = facts.names;
    const none = isUnseen(facts.dkim)
      ? ` If nobody sends mail as ${domain}, publish this TXT record at ${domain}: v=spf1 -all`
      : '';
    return `Find out which addresses your servers send from, and publish an SPF record that lists them.${none}`;
  }
  const neighbour = listedNeighbour(facts);
  if (neighbour !== undefined) return bindInstead(ip, neighbour);
  const wrapped = inside6to4(ip);
  if (wrapped !== null) return `${leave6to4(ip)} Does your record list ${wrapped}? If not, add it.`;
  const ipv4 = behindNat64(ip);
  if (ipv4 !== null) {
    const record = ifKnown(facts.spf)?.report.record ?? '';
    const isListed = parseSpf(record).some(holderOf(ipv4));
    return isListed
      ? `${whyNotPublic(ip)}. Receivers see ${ipv4}, which your record lists, so there is nothing to publish for this one.`
      : `${whyNotPublic(ip)}. Receivers see ${ipv4}, so there is nothing to publish for this one. Does your record list ${ipv4}? If not, add it.`;
  }
  return publicIp(ip) === null
    ? `${whyNotPublic(ip)}, so receivers see a different address. Find out which, and add it to your record.`
    : null;
}

/**
 * Returns a sentence about the record's own term that rejects exactly this address, because the owner wrote
 * that term on purpose. Returns null if another term decided.
 */
export function turnedAway(before: SpfTrial | null): string | null {
  const term = before?.matchedTerm ?? '';
  return /^-(?!all$)/i.test(term) ? `Your record refuses it with ${cutTerm(term)}.` : null;
}
