import type { Facts } from '../analysis/facts.ts';
import { ifKnown, unknown } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { ReceivingFacts } from '../analysis/receiving/facts.ts';
import type { AskedDomain, DomainRole } from '../analysis/reputation/facts.ts';
import type { Clock } from '../ports/ambient.ts';
import type { Resolver } from '../ports/dns.ts';
import type { VisitMailHost } from '../ports/mail-host.ts';
import type { CheckCertificate, GuardedFetch, WebRisk } from '../ports/web.ts';
import type { AtEndOfData } from './at-end-of-data.ts';
import { type BimiLookup, lookUpBimi } from './bimi.ts';
import type { Blocklists } from './blocklists.ts';
import { type LookupDeadline, orElse } from './deadlines.ts';
import { lookUpRua } from './dmarc.ts';
import { isDomainName } from './dns-results.ts';
import {
  type ForFixes,
  lookUpForFixes,
  lookUpNameServers,
  NOTHING_FOR_FIXES,
} from './for-fixes.ts';
import { lookUpReceiving, noReceivingFacts } from './receiving.ts';
import { visitMailHosts } from './starttls.ts';
import { lookUpTransport, type TransportLookup } from './transport.ts';

/** Number of the email's domains that are looked up. Every list gets a query for each. */
const MAX_DOMAINS = 20;

/** Looks up the domains that the email names in the domain lists. Links are neither opened nor resolved. */
async function lookUpDomainLists(
  resolver: Resolver,
  blocklists: Blocklists,
  { scan, atRcpt, authenticated, reading }: AtEndOfData,
): Promise<NonNullable<Facts['domainLists']>> {
  const { dkim } = await authenticated;
  const from = scan.headerFrom.domain;
  const named: [DomainRole, string][] = [];
  const add = (role: DomainRole, names: readonly string[]) => {
    for (const name of names)
      if (isDomainName(name)) named.push([role, organizationalDomain(name)]);
  };
  add('from', from === null ? [] : [from]);
  add('envelope', [atRcpt.from.domain]);
  // Anyone can write a name into a signature that does not pass.
  const passing = (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report }) => report.result === 'pass',
  );
  add(
    'dkim',
    passing.map(({ report }) => report.domain),
  );
  const own = [...new Set(named.flatMap(([role, name]) => (role === 'dkim' ? [] : name)))];
  // Delaying these lookups does not spare a sender the lists.
  const hosting = await orElse(
    NAME_SERVERS_MS,
    Promise.all(own.map((name) => lookUpNameServers(resolver, name))),
    [],
  );
  const links = (await reading.content)?.links.report.domains ?? [];
  add(
    'link',
    links.flatMap(({ host, ip_literal }) => (ip_literal ? [] : host)),
  );
  add('name_server', hosting.flat());

  const roles = Map.groupBy(named, ([, name]) => name);
  return Promise.all(
    [...roles].slice(0, MAX_DOMAINS).map(
      async ([domain, all]): Promise<AskedDomain> => ({
        domain,
        roles: [...new Set(all.map(([role]) => role))],
        answers: await blocklists.ofDomain(resolver, domain),
      }),
    ),
  );
}

/** In milliseconds. */
const RUA_MS = 5000;
const FIXES_MS = 5000;
const DOORS_MS = 5000;
/** A TXT record first, then a file, which takes at most 5 s. */
const FILES_MS = 12_000;
const WEB_RISK_MS = 3000;
const DOMAIN_LISTS_MS = 4000;
const NAME_SERVERS_MS = 1000;

export interface AfterVerdictPorts {
  readonly resolver: Resolver;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
  readonly webRisk: WebRisk;
  /** If missing, no mail host is contacted. */
  readonly visitMailHost?: VisitMailHost | undefined;
  /** Null if none of them lists domains. */
  readonly domainLists: Blocklists | null;
  readonly clock: Clock;
}

/** What the report needs and the verdict does not. */
export interface AfterVerdict {
  /** Null if unknown. */
  readonly rua: Awaited<ReturnType<typeof lookUpRua>> | null;
  readonly transport: TransportLookup;
  readonly receiving: ReceivingFacts;
  readonly bimi: BimiLookup;
  readonly forFixes: ForFixes;
  /** Who hosts the DNS of the From domain, which shows where to enter a record. */
  readonly nameServers: readonly string[];
  readonly webRisk: Facts['webRisk'];
  readonly domainLists: Facts['domainLists'];
}

interface Begun {
  /** Resolves when nothing is being fetched any more. */
  readonly files: Promise<unknown>;
  /** Resolves with what has arrived by the deadline. */
  collect(left: LookupDeadline): Promise<AfterVerdict>;
}

/** Begins this work, each part as soon as possible. */
export function inspectAfterVerdict(ports: AfterVerdictPorts, mail: AtEndOfData): Begun {
  const { resolver } = ports;
  const from = mail.scan.headerFrom.domain;
  const rua = orElse<AfterVerdict['rua']>(
    RUA_MS,
    mail.answers.then((answers) => (from === null ? [] : lookUpRua(resolver, from, answers))),
    null,
  );
  const transport = orElse(
    FILES_MS,
    lookUpTransport(ports, from, mail.atRcpt.envelopeDomain, mail.fromDomain),
    transportOf(from),
  );
  const bimi: Promise<BimiLookup> =
    from === null
      ? Promise.resolve({ facts: unknown('headers: no usable From'), fetched: [] })
      : orElse(FILES_MS, beginBimi(ports, from, mail), NO_BIMI);
  const noWebRisk = { configured: ports.webRisk.configured, checkedAt: null, hosts: {} };
  const webRisk = beginWebRisk(ports, mail);
  const domainLists = beginDomainLists(ports, mail);
  const nameServers = orElse(FIXES_MS, lookUpNameServers(resolver, from), []);
  const forFixes = orElse(
    FIXES_MS,
    mail.authenticated.then((all) => lookUpForFixes(resolver, all, mail, nameServers)),
    NOTHING_FOR_FIXES,
  );
  const receiving = orElse(
    DOORS_MS,
    lookUpReceiving(resolver, from, { from: mail.fromDomain, nameServers }),
    NO_DOORS,
  );
  return {
    files: Promise.all([transport, bimi]),
    collect: async (left) => {
      // No host is contacted for an email that is refused.
      const starttls = orElse(left(), beginStarttls(ports, from, mail, receiving), null);
      return {
        rua: await rua,
        transport: await transport,
        receiving: { ...(await receiving), starttls: await starttls },
        bimi: await bimi,
        forFixes: await forFixes,
        nameServers: await nameServers,
        webRisk: (await orElse(left(), webRisk, null)) ?? noWebRisk,
        domainLists: await orElse(left(), domainLists, null),
      };
    },
  };
}

async function beginBimi(
  ports: AfterVerdictPorts,
  fromDomain: string,
  mail: AtEndOfData,
): Promise<BimiLookup> {
  // The record is looked up at once. Only the result waits for DMARC.
  void ports.resolver.txt(`default._bimi.${fromDomain}`);
  void ports.resolver.txt(`default._bimi.${organizationalDomain(fromDomain)}`);
  const { dmarc, answers } = await mail.authenticated;
  const report = dmarc.status === 'known' ? dmarc.value.report : null;
  return lookUpBimi(ports, {
    fromDomain,
    // From the tree walk, or else from the Public Suffix List.
    organizationalDomain: report?.organizational_domain ?? organizationalDomain(fromDomain),
    dmarcPass: report === null || report.result === 'temperror' ? null : report.result === 'pass',
    answers,
    at: new Date(ports.clock()).toISOString(),
  });
}

/** Resolves with null if nothing was asked. */
async function beginWebRisk(
  { webRisk, clock }: AfterVerdictPorts,
  { reading }: AtEndOfData,
): Promise<Facts['webRisk'] | null> {
  if (!webRisk.configured) return null;
  const content = await reading.content;
  // Only names, because an address tells the service no more than its network does.
  const hosts = (content?.links.report.domains ?? [])
    .filter(({ ip_literal }) => !ip_literal)
    .map(({ host }) => host);
  if (hosts.length === 0) return null;
  const checkedAt = new Date(clock()).toISOString();
  const found = await orElse(WEB_RISK_MS, webRisk.lookUpHosts(hosts), null);
  return {
    configured: true,
    checkedAt,
    hosts: found ?? Object.fromEntries(hosts.map((host) => [host, null])),
  };
}

/** Resolves with undefined if no host is contacted. */
async function beginStarttls(
  { visitMailHost }: AfterVerdictPorts,
  domain: string | null,
  mail: AtEndOfData,
  receiving: Promise<ReceivingFacts>,
): Promise<ReceivingFacts['starttls']> {
  if (!visitMailHost || domain === null) return undefined;
  const { fromMx } = await mail.fromDomain;
  const mxHosts = await mail.fromMxHosts;
  return visitMailHosts(visitMailHost, { domain, fromMx, mxHosts, receiving: await receiving });
}

/** Begins once the content and the signers are known. Resolves with undefined if none is configured. */
async function beginDomainLists(
  { resolver, domainLists }: AfterVerdictPorts,
  mail: AtEndOfData,
): Promise<Facts['domainLists']> {
  if (domainLists === null) return undefined;
  await Promise.all([mail.reading.content, mail.authenticated]);
  return orElse(DOMAIN_LISTS_MS, lookUpDomainLists(resolver, domainLists, mail), null);
}

const NO_DOORS = noReceivingFacts(unknown('dns: DNSSEC: no answer in time'));

const NO_BIMI: BimiLookup = {
  facts: unknown('bimi: no answer in time'),
  fetched: [],
};

const transportOf = (domain: string | null): TransportLookup => ({
  facts: {
    report: { domain },
    mtaSts: unknown('https: MTA-STS policy: no answer in time'),
    tlsRpt: unknown('dns: TLS-RPT: no answer in time'),
  },
  fetched: [],
});
