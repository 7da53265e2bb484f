import type { DoorFacts } from '../analysis/doors/facts.ts';
import type { Facts } from '../analysis/facts.ts';
import { ifKnown, unknown } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
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
import { lookUpDoors, noDoors } from './doors.ts';
import {
  type ForFixes,
  lookUpForFixes,
  lookUpNameServers,
  NOTHING_FOR_FIXES,
} from './for-fixes.ts';
import { visitMailHosts } from './starttls.ts';
import { lookUpTransport, type TransportLookup } from './transport.ts';

/** Domains of a mail that are asked for: every list gets a query for each. */
const MAX_DOMAINS = 20;

/** What the lists of domains say of those that the mail names. Links are neither opened nor resolved. */
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
  // Anybody can write a name into a signature that does not pass.
  const passing = (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report }) => report.result === 'pass',
  );
  add(
    'dkim',
    passing.map(({ report }) => report.domain),
  );
  const own = [...new Set(named.flatMap(([role, name]) => (role === 'dkim' ? [] : name)))];
  // Who delays them is not spared the lists.
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
/** A TXT record first, then a file of at most 5 s. */
const FILES_MS = 12_000;
const WEB_RISK_MS = 3000;
const DOMAIN_LISTS_MS = 4000;
const NAME_SERVERS_MS = 1000;

export interface AfterVerdictPorts {
  readonly resolver: Resolver;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
  readonly webRisk: WebRisk;
  /** Missing: no mail host is connected to. */
  readonly visitMailHost?: VisitMailHost | undefined;
  /** null: none of them lists domains. */
  readonly domainLists: Blocklists | null;
  readonly clock: Clock;
}

/** What the report needs and the verdict does not. */
export interface AfterVerdict {
  /** null: not known. */
  readonly rua: Awaited<ReturnType<typeof lookUpRua>> | null;
  readonly transport: TransportLookup;
  readonly doors: DoorFacts;
  readonly bimi: BimiLookup;
  readonly forFixes: ForFixes;
  /** Who hosts the DNS of the From domain, and with it where a record is entered. */
  readonly nameServers: readonly string[];
  readonly webRisk: Facts['webRisk'];
  readonly domainLists: Facts['domainLists'];
}

interface Begun {
  /** Resolves when nothing is fetched any more. */
  readonly files: Promise<unknown>;
  /** What has come by the deadline. */
  collect(left: LookupDeadline): Promise<AfterVerdict>;
}

/** Begins it, each part as soon as it can be. */
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
  const doors = orElse(
    DOORS_MS,
    lookUpDoors(resolver, from, { from: mail.fromDomain, nameServers }),
    NO_DOORS,
  );
  return {
    files: Promise.all([transport, bimi]),
    collect: async (left) => {
      // For a mail that is refused nobody is connected to.
      const starttls = orElse(left(), beginStarttls(ports, from, mail, doors), null);
      return {
        rua: await rua,
        transport: await transport,
        doors: { ...(await doors), starttls: await starttls },
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
  // The record is asked for at once; only the result waits for DMARC.
  void ports.resolver.txt(`default._bimi.${fromDomain}`);
  void ports.resolver.txt(`default._bimi.${organizationalDomain(fromDomain)}`);
  const { dmarc, answers } = await mail.authenticated;
  const report = dmarc.status === 'known' ? dmarc.value.report : null;
  return lookUpBimi(ports, {
    fromDomain,
    // By the tree walk, else by the Public Suffix List.
    organizationalDomain: report?.organizational_domain ?? organizationalDomain(fromDomain),
    dmarcPass: report === null || report.result === 'temperror' ? null : report.result === 'pass',
    answers,
    at: new Date(ports.clock()).toISOString(),
  });
}

/** null: nothing was asked. */
async function beginWebRisk(
  { webRisk, clock }: AfterVerdictPorts,
  { reading }: AtEndOfData,
): Promise<Facts['webRisk'] | null> {
  if (!webRisk.configured) return null;
  const content = await reading.content;
  // Names alone: an address says nothing to the service that its network would not.
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

/** undefined: nothing is connected to. */
async function beginStarttls(
  { visitMailHost }: AfterVerdictPorts,
  domain: string | null,
  mail: AtEndOfData,
  doors: Promise<DoorFacts>,
): Promise<DoorFacts['starttls']> {
  if (!visitMailHost || domain === null) return undefined;
  const { fromMx } = await mail.fromDomain;
  const mxHosts = await mail.fromMxHosts;
  return visitMailHosts(visitMailHost, { domain, fromMx, mxHosts, doors: await doors });
}

/** From the moment the content and who signed are known; undefined: none is configured. */
async function beginDomainLists(
  { resolver, domainLists }: AfterVerdictPorts,
  mail: AtEndOfData,
): Promise<Facts['domainLists']> {
  if (domainLists === null) return undefined;
  await Promise.all([mail.reading.content, mail.authenticated]);
  return orElse(DOMAIN_LISTS_MS, lookUpDomainLists(resolver, domainLists, mail), null);
}

const NO_DOORS = noDoors(unknown('dns: DNSSEC: no answer in time'));

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
