import { isAddress } from '../analysis/addresses.ts';
import {
  known,
  type LookupResult,
  type MailHosts,
  type Names,
  unknown,
} from '../analysis/facts.ts';
import type { Resolver } from '../ports/dns.ts';
import { dnsError } from './deadlines.ts';

/** MX hosts of a domain that are looked up: who has more is reached by the first. */
const MAX_HOSTS = 10;

type MxHosts = Names['mxHosts'];

/** The addresses of the MX hosts of a domain, side by side. */
export async function lookUpMxHosts(
  resolver: Resolver,
  mailHosts: LookupResult<MailHosts> | null,
): Promise<MxHosts> {
  const mx = mailHosts?.status === 'known' ? mailHosts.value.mx : [];
  const names = [...new Set(mx)].slice(0, MAX_HOSTS).filter((host) => !isAddress(host));
  const lookups = await Promise.all(
    names.map(async (host) => [host, await lookUpMxHost(resolver, host)] as const),
  );
  return Object.fromEntries(lookups);
}

async function lookUpMxHost(resolver: Resolver, host: string): Promise<MxHosts[string]> {
  const answers = await Promise.all([
    resolver.addresses(host, 'A'),
    resolver.addresses(host, 'AAAA'),
  ]);
  const addresses = answers.flatMap((answer) => (answer.status === 'found' ? answer.records : []));
  const failed = answers.find((answer) => answer.status === 'failed');
  // One family that answers is enough to be reached by.
  if (addresses.length === 0 && failed?.status === 'failed')
    return unknown(dnsError('address', host, failed.error));
  const cnames = answers.flatMap((answer) => (answer.status === 'failed' ? [] : answer.cnames));
  return known({ addresses, alias: cnames.at(-1) ?? null });
}
