import { findDnsbl, isListing, nameOf } from '../../domain/dnsbls.ts';
import type { DnsAnswer, MxRecord } from '../../ports/dns.ts';
import { bad, type Diagnosis, ok } from './diagnosis.ts';

/** The cure where nothing is known: the records may be right. */
const RESOLVER = 'Set DNS_SERVERS to a resolver that answers, then run this again.';

/** Who takes the mail for the domain (RFC 5321 §5.1). */
export function judgeMx(domain: string, hostname: string, mx: DnsAnswer<MxRecord>): Diagnosis {
  const check = `MX of ${domain}`;
  const publish = `Publish this MX record at ${domain}: 10 ${hostname}`;
  if (mx.status === 'failed') return bad('fail', check, `no answer (${mx.error})`, RESOLVER);
  if (mx.status !== 'found') return bad('fail', check, 'it has none', publish);
  const hosts = mx.records.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''));
  if (hosts.includes(hostname)) return ok(check, hosts.join(', '));
  return bad('warn', check, `${hosts.join(', ')}, not ${hostname}`, publish);
}

/** Where the host is. */
export function judgeAddress(
  host: string,
  answers: readonly DnsAnswer<string>[],
): Diagnosis & { readonly addresses: readonly string[] } {
  const check = `addresses of ${host}`;
  const addresses = answers.flatMap((one) => (one.status === 'found' ? one.records : []));
  if (addresses.length > 0) return { ...ok(check, addresses.join(', ')), addresses };
  const failed = answers.find((one) => one.status === 'failed');
  const detail = failed ? `no answer (${failed.error})` : 'it has none';
  const advice = failed
    ? RESOLVER
    : `Publish an A record at ${host} with the address of this machine.`;
  return { ...bad('fail', check, detail, advice), addresses };
}

/** The name of an address: some senders mistrust a receiver without one. */
export function judgePtr(address: string, host: string, names: DnsAnswer<string>): Diagnosis {
  const check = `PTR of ${address}`;
  const advice = `Ask the owner of the address, mostly your host, to set its PTR record to ${host}.`;
  if (names.status === 'failed') return bad('warn', check, `no answer (${names.error})`, RESOLVER);
  if (names.status !== 'found') return bad('warn', check, 'it has none', advice);
  const found = names.records.map((name) => name.toLowerCase().replace(/\.$/, ''));
  return found.includes(host)
    ? ok(check, found.join(', '))
    : bad('warn', check, found.join(', '), advice);
}

/** A blocklist's own test point (RFC 5782 §5): public resolvers are refused by most lists. */
export function judgeBlocklist(zone: string, point: DnsAnswer<string>): Diagnosis {
  const check = `blocklist ${nameOf(zone)}`;
  const { terms } = findDnsbl(zone) ?? {};
  if (point.status === 'failed') return bad('warn', check, `no answer (${point.error})`, RESOLVER);
  const isListed = point.status === 'found' && point.records.some((code) => isListing(zone, code));
  return isListed
    ? ok(check, 'its test point answers')
    : bad(
        'warn',
        check,
        'its test point does not answer: the list refuses this resolver',
        ['Set DNS_SERVERS to a resolver of your own, not a public one.', terms ?? '']
          .join(' ')
          .trim(),
      );
}
