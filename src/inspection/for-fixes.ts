/**
 * Looks up data that only the fixes for an email need (causes of failed DKIM signatures, misplaced DMARC
 * records, aliases, name servers, the SPF term of a shared pool), and adds the causes and records found to
 * the facts.
 */

import { isSameAddress } from '../analysis/addresses.ts';
import type { DkimFact, DkimFacts, Misplaced } from '../analysis/dkim/facts.ts';
import type { DmarcFacts } from '../analysis/dmarc/facts.ts';
import { resemblesDmarc } from '../analysis/dmarc/near-miss.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import type { Facts } from '../analysis/facts.ts';
import { ifKnown, type LookupResult, mapLookup } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import { heloName } from '../analysis/names/host-name.ts';
import { usualHosts } from '../analysis/names/mail-host.ts';
import { poolTerm } from '../analysis/names/shared-pools.ts';
import { isSpfRecord } from '../analysis/spf/parse.ts';
import type { Resolver } from '../ports/dns.ts';
import type { AtEndOfData } from './at-end-of-data.ts';
import type { AtRcpt } from './at-rcpt.ts';
import { type FoundCause, findCauses } from './dkim-tries.ts';
import { lookUpDnsNames, type NamesToTouch } from './dns-names.ts';
import { isDomainName } from './dns-results.ts';
import { lookUpNameInText, placesIn } from './misplaced.ts';
import { evaluateSpf } from './spf-record.ts';
import type { Authenticated } from './verdicts.ts';
import { wildcardOver } from './wildcards.ts';

/** Maximum number of name servers in a report. */
const MAX_NAME_SERVERS = 4;

/** Facts that only a fix needs, for an email with something to fix. */
export interface ForFixes {
  /** The causes that were found for failed signatures. */
  readonly causes: ReadonlyMap<DkimFact, FoundCause>;
  readonly dmarc: Misplaced | null;
  /** Absent if there was no answer in time. */
  readonly dnsNames?: NonNullable<Facts['dnsNames']>;
}

export const NOTHING_FOR_FIXES: ForFixes = { causes: new Map(), dmarc: null };

export async function lookUpForFixes(
  resolver: Resolver,
  mail: Pick<AtEndOfData, 'atRcpt' | 'reading' | 'scan' | 'authenticated'>,
  nameServers: Promise<readonly string[]>,
): Promise<ForFixes> {
  const { atRcpt, reading } = mail;
  // The sender waits for the last answer, so these names are queried before everything else is known.
  const from = mail.scan.headerFrom.domain;
  if (from !== null) void resolver.txt(from);
  for (const name of dmarcNames(from)) {
    void resolver.names(name, 'NS');
    void resolver.txt(wildcardOver(name));
  }
  for (const name of [heloName(atRcpt.client.helo), from ?? ''])
    if (isDomainName(name) && name !== organizationalDomain(name))
      void resolver.addresses(wildcardOver(name), 'A');
  const authenticated = await mail.authenticated;
  const signatures = ifKnown(authenticated.dkim)?.signatures ?? [];
  const [causes, dmarc, dnsNames] = await Promise.all([
    reading.authentication.then((part) =>
      findCauses(
        resolver,
        signatures.map((fact, i) => ({ fact, signed: part?.signatures[i]?.signed })),
      ),
    ),
    lookUpDmarcElsewhere(resolver, authenticated),
    namesToTouch(authenticated, atRcpt, nameServers).then((names) =>
      lookUpDnsNames(resolver, names),
    ),
  ]);
  await askForPool(authenticated, atRcpt);
  return { causes, dmarc, dnsNames };
}

/** Returns the names at which the fixes for this email may publish, if something needs to be fixed there. */
async function namesToTouch(
  { fromDomain, envelopeDomain, dkim, spf }: Authenticated,
  { client, heloAddresses, reverse }: AtRcpt,
  nameServers: Promise<readonly string[]>,
): Promise<NamesToTouch> {
  const helo = heloName(client.helo);
  const domains = [fromDomain ?? '', envelopeDomain].filter(isDomainName);
  const roots = [...new Set(domains.flatMap(withOrganization))];
  const failed = (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report, ofFromDomain }) => ofFromDomain && report.result !== 'pass',
  );
  const leadsHere = ifKnown(await heloAddresses)?.some(
    (address) => client.ip !== null && isSameAddress(address, client.ip),
  );
  const from = fromDomain ?? envelopeDomain;
  // Names that the server may be told to give in HELO, each with its own SPF record.
  const hosts = leadsHere === true ? [] : (ifKnown((await reverse).forward)?.confirmedNames ?? []);
  return {
    domains,
    texts: [
      ...[from, ...hosts],
      ...['_mta-sts', '_smtp._tls', 'default._bimi'].map((one) => `${one}.${from}`),
    ],
    hosts: [...new Set([helo, envelopeDomain, from])],
    // A HELO name that resolves to the sending address is already the name of the host, so no other is
    // needed.
    free: leadsHere === true ? [] : usualHosts(roots),
    records: [
      ...(ifKnown(spf)?.report.result === 'pass' ? [] : [envelopeDomain]),
      ...(ifKnown(spf)?.repairs ?? []).map(({ name }) => name),
      ...dmarcNames(fromDomain),
      ...failed.map(({ report }) => `${report.selector}._domainkey.${report.domain}`),
    ],
    nameServers: await nameServers,
  };
}

/** Returns the names at which a fix may publish a DMARC record. */
const dmarcNames = (fromDomain: string | null): readonly string[] =>
  fromDomain === null || !isDomainName(fromDomain)
    ? []
    : withOrganization(fromDomain).map((domain) => `_dmarc.${domain}`);

/** Returns a domain and its organizational domain, which can be the same. */
const withOrganization = (domain: string): readonly string[] => [
  ...new Set([domain, organizationalDomain(domain)]),
];

/**
 * Evaluates the SPF term that a shared sending pool publishes for its customers, so that its answers are
 * known before a record with that term is tried.
 */
async function askForPool(
  { spf }: Authenticated,
  { reverse, spfAbout }: Pick<AtRcpt, 'reverse' | 'spfAbout'>,
): Promise<void> {
  const { result } = ifKnown(spf)?.report ?? {};
  if (spfAbout === null || result === undefined || result === 'pass' || result === 'temperror')
    return;
  const names = ifKnown((await reverse).forward)?.confirmedNames ?? [];
  const term = names.flatMap((name) => poolTerm(name) ?? [])[0];
  if (term !== undefined) await evaluateSpf(spfAbout, `v=spf1 ${term} -all`);
}

/** Finds out where the sender enters DNS records: returns the name servers of the organizational domain. */
export async function lookUpNameServers(
  resolver: Resolver,
  from: string | null,
): Promise<readonly string[]> {
  if (from === null) return [];
  const answer = await resolver.names(organizationalDomain(from), 'NS');
  if (answer.status !== 'found') return [];
  return answer.records.filter(isDomainName).sort().slice(0, MAX_NAME_SERVERS);
}

/**
 * Looks for a DMARC record at the domain itself and at names that are confused with `_dmarc`, if `_dmarc` has
 * none.
 */
export async function lookUpDmarcElsewhere(
  resolver: Resolver,
  { fromDomain, answers }: Pick<Authenticated, 'fromDomain' | 'answers'>,
): Promise<Misplaced | null> {
  const isThere = [...answers.values()].some((answer) => textsOf(answer).some(resemblesDmarc));
  if (fromDomain === null || isThere) return null;
  const domains = withOrganization(fromDomain);
  const names = domains.flatMap((domain) => [
    domain,
    ...doubled(`_dmarc.${domain}`, domain),
    `dmarc.${domain}`,
  ]);
  const [inTexts, found] = await Promise.all([
    Promise.all(domains.map((domain) => lookUpNameInText(resolver, textsOf(answers.get(domain))))),
    Promise.all(names.map(async (name) => placesIn(name, await resolver.txt(name)))),
  ]);
  // A text with both records has to stay where it is, because its SPF record is in use.
  const isMisplaced = ({ record }: Misplaced) => resemblesDmarc(record) && !isSpfRecord(record);
  return [...inTexts, ...found].flat().find(isMisplaced) ?? null;
}

const doubled = (name: string, domain: string): readonly string[] => [
  ...new Set([`${name}.${domain}`, `${name}.${organizationalDomain(domain)}`]),
];

/** Adds to failed signatures the causes that were found. */
export const withCauses = (
  dkim: LookupResult<DkimFacts>,
  { causes }: ForFixes,
): LookupResult<DkimFacts> =>
  causes.size === 0
    ? dkim
    : mapLookup(dkim, (value) => ({
        ...value,
        signatures: value.signatures.map((one) => ({ ...one, ...causes.get(one) })),
      }));

/** Adds to the facts a DMARC record at a name where receivers do not look for it, if there is one. */
export const withDmarcElsewhere = (
  dmarc: LookupResult<DmarcFacts>,
  elsewhere: Misplaced | null,
): LookupResult<DmarcFacts> =>
  elsewhere === null ? dmarc : mapLookup(dmarc, (value) => ({ ...value, elsewhere }));
