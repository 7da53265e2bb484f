/** Judges the DNS records that the service needs to receive email, and whether blocklists answer it. */

import { findDnsbl, isListing, nameOf } from '../../domain/dnsbls.ts';
import type { DnsAnswer, MxRecord } from '../../ports/dns.ts';
import { type Diagnosis, examined } from './diagnosis.ts';

/** The advice if the DNS gave no answer. The records themselves may be right. */
const RESOLVER = 'Set DNS_SERVERS to a resolver that answers, then run this again.';

const toName = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** Judges a mail domain that cannot be looked up from outside, such as `localhost`. */
export function judgeLocal(domain: string): Diagnosis {
  const { ok, warn } = examined('MAIL_DOMAIN');
  return domain === 'localhost'
    ? ok('not set: only this machine can send emails here. To receive mail from outside, set it')
    : warn(
        `${domain} cannot be looked up on the Internet, so no email arrives from outside`,
        'Set MAIL_DOMAIN to a domain whose MX record you can publish.',
      );
}

/** Judges whether the domain's MX records name this host (RFC 5321 §5.1). */
export function judgeMx(domain: string, hostname: string, mx: DnsAnswer<MxRecord>): Diagnosis {
  const { ok, warn, fail } = examined(`MX of ${domain}`);
  const publish = `Publish this MX record at ${domain}: 10 ${hostname}`;
  if (mx.status === 'failed') return fail(`no answer (${mx.error})`, RESOLVER);
  if (mx.status !== 'found') return fail('it has none', publish);
  const hosts = mx.records.map(({ exchange }) => toName(exchange));
  const all = hosts.join(', ');
  return hosts.includes(hostname) ? ok(all) : warn(`${all}, not ${hostname}`, publish);
}

/** Judges whether the mail host has an address. */
export function judgeAddress(
  host: string,
  answers: readonly DnsAnswer<string>[],
): Diagnosis & { readonly addresses: readonly string[] } {
  const { ok, fail } = examined(`addresses of ${host}`);
  const addresses = answers.flatMap((one) => (one.status === 'found' ? one.records : []));
  if (addresses.length > 0) return { ...ok(addresses.join(', ')), addresses };
  const failed = answers.find((one) => one.status === 'failed');
  const publish = `Publish an A record at ${host} with the address of this machine.`;
  const fault = failed
    ? fail(`no answer (${failed.error})`, RESOLVER)
    : fail('it has none', publish);
  return { ...fault, addresses };
}

/** Judges the PTR record of an address, because some senders distrust a receiver without one. */
export function judgePtr(address: string, host: string, names: DnsAnswer<string>): Diagnosis {
  const { ok, warn } = examined(`PTR of ${address}`);
  const advice = `Ask the owner of the address, usually your hosting provider, to set its PTR record to ${host}.`;
  if (names.status === 'failed') return warn(`no answer (${names.error})`, RESOLVER);
  if (names.status !== 'found') return warn('it has none', advice);
  const found = names.records.map(toName);
  return found.includes(host) ? ok(found.join(', ')) : warn(found.join(', '), advice);
}

/**
 * Judges whether a blocklist answers for its own test point (RFC 5782 §5). Most lists refuse public
 * resolvers.
 */
export function judgeBlocklist(zone: string, point: DnsAnswer<string>): Diagnosis {
  const { ok, warn } = examined(`blocklist ${nameOf(zone)}`);
  const { terms = '' } = findDnsbl(zone) ?? {};
  if (point.status === 'failed') return warn(`no answer (${point.error})`, RESOLVER);
  if (point.status === 'found' && point.records.some((code) => isListing(zone, code)))
    return ok('its test point answers');
  return warn(
    'its test point does not answer: the list refuses this resolver',
    `Set DNS_SERVERS to your own resolver, not a public one. ${terms}`.trim(),
  );
}
