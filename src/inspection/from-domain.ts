import {
  known,
  type LookupResult,
  type MailHosts,
  type Names,
  unknown,
} from '../analysis/facts.ts';
import type { DnsAnswer, MxRecord, Resolver } from '../ports/dns.ts';
import { dnsError, recordsOf } from './deadlines.ts';

export type FromDomainFacts = Pick<Names, 'fromDomainExists' | 'fromMx'>;

/** Whether the From domain exists, and where its mail goes. */
export async function lookUpFromDomain(
  resolver: Resolver,
  domain: string | null,
): Promise<FromDomainFacts> {
  if (domain === null) {
    const noFrom = unknown('headers: no usable From');
    return { fromDomainExists: noFrom, fromMx: noFrom };
  }
  const answers = await askForMailHosts(resolver, domain);
  return {
    fromDomainExists: judgeExistence(domain, answers),
    fromMx: judgeMx(domain, answers),
  };
}

/** Where the mail of a domain goes. */
export const lookUpMailHosts = async (
  resolver: Resolver,
  domain: string,
): Promise<LookupResult<MailHosts>> => judgeMx(domain, await askForMailHosts(resolver, domain));

type Answers = readonly [DnsAnswer<MxRecord>, DnsAnswer<string>, DnsAnswer<string>];

const askForMailHosts = (resolver: Resolver, domain: string): Promise<Answers> =>
  Promise.all([
    resolver.mx(domain),
    resolver.addresses(domain, 'A'),
    resolver.addresses(domain, 'AAAA'),
  ]);

/** RFC 9989 §A.4: only NXDOMAIN means that a name does not exist. */
function judgeExistence(
  domain: string,
  answers: readonly DnsAnswer<unknown>[],
): LookupResult<boolean> {
  const said = answers.find(({ status }) => status !== 'failed');
  if (said && said.status !== 'failed')
    // RFC 6604 §3: behind a CNAME it is the target that does not exist.
    return known(said.status !== 'nxdomain' || said.cnames.length > 0);
  const failed = answers.find((answer) => answer.status === 'failed');
  return unknown(dnsError('MX', domain, failed?.error ?? 'TIMEOUT'));
}

function judgeMx(domain: string, [answer, ...addresses]: Answers): LookupResult<MailHosts> {
  const lookup = recordsOf('MX', domain, answer);
  if (lookup.status === 'unknown') return lookup;
  const hasAddress = addresses.some(({ status }) => status === 'found');
  const failed = addresses.find((address) => address.status === 'failed');
  // Without MX the address stands in for it (RFC 5321 §5.1): whether there is one decides.
  if (lookup.value.length === 0 && !hasAddress && failed)
    return unknown(dnsError('address', domain, failed.error));
  const hosts = [...lookup.value]
    .sort((one, other) => one.preference - other.preference)
    .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''));
  // RFC 7505 §3: a single MX whose host is the root.
  const nullMx = hosts.length === 1 && hosts[0] === '';
  return known({ mx: hosts.filter((host) => host !== ''), nullMx, hasAddress });
}
