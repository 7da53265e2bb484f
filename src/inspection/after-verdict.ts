/**
 * Starts the lookups that the report on an email needs but the decision to accept it does not, such as BIMI,
 * TLS policies and data for fixes, and collects what has arrived by their deadlines.
 */

import type { Facts } from '../analysis/facts.ts';
import { unknown } from '../analysis/lookup-result.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { ReceivingFacts } from '../analysis/receiving/facts.ts';
import type { Clock } from '../ports/ambient.ts';
import type { Resolver } from '../ports/dns.ts';
import type { VisitMailHost } from '../ports/mail-host.ts';
import type { CheckCertificate, GuardedFetch, WebRisk } from '../ports/web.ts';
import type { AtEndOfData } from './at-end-of-data.ts';
import { type BimiLookup, lookUpBimi } from './bimi.ts';
import type { Blocklists } from './blocklists.ts';
import { type LookupDeadline, orElse } from './deadlines.ts';
import { lookUpRua, type RuaLookup } from './dmarc.ts';
import { lookUpDomainLists } from './domain-lists.ts';
import { lookUpForFixes, lookUpNameServers, NOTHING_FOR_FIXES } from './for-fixes.ts';
import { lookUpReceiving, noReceivingFacts } from './receiving.ts';
import { visitMailHosts } from './starttls.ts';
import { lookUpTransport, type TransportLookup } from './transport.ts';

export interface AfterVerdictPorts {
  readonly resolver: Resolver;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
  readonly webRisk: WebRisk;
  /** Connects to a mail host. If this function is absent, no mail host is contacted. */
  readonly visitMailHost?: VisitMailHost | undefined;
  /** Null if none of the configured blocklists lists domains. */
  readonly domainLists: Blocklists | null;
  readonly clock: Clock;
}

/** The data with which the lookups below start. */
interface Subject {
  readonly ports: AfterVerdictPorts;
  readonly mail: AtEndOfData;
  /** The From domain. */
  readonly from: string | null;
  /** The hosts of the From domain's DNS, which show where to enter a record. */
  readonly nameServers: Promise<readonly string[]>;
}

/** A lookup that the report needs and the verdict does not. */
interface Lookup<T> {
  /**
   * Time limit in milliseconds from the beginning of the lookup. Null if the lookup may take as long as the
   * report waits.
   */
  readonly withinMs: number | null;
  /** Returns the result that the report shows if the lookup does not finish in time. */
  readonly otherwise: (subject: Subject) => T;
  readonly begin: (subject: Subject) => T | Promise<T>;
}

const lookup = <T>(
  withinMs: number | null,
  otherwise: Lookup<T>['otherwise'],
  begin: Lookup<T>['begin'],
): Lookup<T> => ({ withinMs, otherwise, begin });

/** Time limit in milliseconds for lookups that need only the DNS. */
const DNS_MS = 5000;

/**
 * Time limit in milliseconds for a lookup of a TXT record followed by the fetch of a file, which takes at
 * most 5 s.
 */
const FILES_MS = 12_000;

/** Every lookup after the verdict. To add one, add a row here and use its result in `assemble.ts`. */
const LOOKUPS = {
  rua: lookup<RuaLookup | null>(
    DNS_MS,
    () => null,
    async ({ ports, mail, from }) =>
      from === null ? { rua: [] } : lookUpRua(ports.resolver, from, await mail.answers),
  ),
  transport: lookup(
    FILES_MS,
    ({ from }) => transportOf(from),
    ({ ports, mail, from }) =>
      lookUpTransport(ports, from, mail.atRcpt.envelopeDomain, mail.fromDomain),
  ),
  bimi: lookup<BimiLookup>(
    FILES_MS,
    () => NO_BIMI,
    ({ ports, mail, from }) =>
      from === null
        ? { facts: unknown('headers: no usable From'), fetched: [] }
        : beginBimi(ports, from, mail),
  ),
  receiving: lookup(
    DNS_MS,
    () => NO_RECEIVING,
    ({ ports, mail, from, nameServers }) =>
      lookUpReceiving(ports.resolver, from, { from: mail.fromDomain, nameServers }),
  ),
  forFixes: lookup(
    DNS_MS,
    () => NOTHING_FOR_FIXES,
    ({ ports, mail, nameServers }) => lookUpForFixes(ports.resolver, mail, nameServers),
  ),
  nameServers: lookup<readonly string[]>(
    DNS_MS,
    () => [],
    ({ nameServers }) => nameServers,
  ),
  webRisk: lookup<Facts['webRisk']>(
    null,
    ({ ports }) => noWebRisk(ports),
    async ({ ports, mail }) => (await beginWebRisk(ports, mail)) ?? noWebRisk(ports),
  ),
  domainLists: lookup<Facts['domainLists']>(
    null,
    () => null,
    ({ ports, mail }) => lookUpDomainLists(ports, mail),
  ),
};

type Name = keyof typeof LOOKUPS;
type Results = { readonly [N in Name]: ReturnType<(typeof LOOKUPS)[N]['otherwise']> };

/** The results of the lookups after the verdict, and what the mail hosts of the From domain show. */
export interface AfterVerdict extends Results {
  readonly starttls: ReceivingFacts['starttls'];
}

interface Begun {
  /** Resolves when nothing is being fetched any more. */
  readonly files: Promise<unknown>;
  /** Resolves with what has arrived by the deadline. */
  collect(left: LookupDeadline): Promise<AfterVerdict>;
}

/** Starts the lookups that the verdict does not need, each as soon as possible. */
export function inspectAfterVerdict(ports: AfterVerdictPorts, mail: AtEndOfData): Begun {
  const from = mail.scan.headerFrom.domain;
  const nameServers = orElse(DNS_MS, lookUpNameServers(ports.resolver, from), []);
  const subject = { ports, mail, from, nameServers };
  const begin = (name: Name) => {
    const { withinMs, otherwise, begin }: Lookup<unknown> = LOOKUPS[name];
    const result = (async () => begin(subject))();
    return withinMs === null ? result : orElse(withinMs, result, otherwise(subject));
  };
  const names = Object.keys(LOOKUPS) as Name[];
  const begun = Object.fromEntries(names.map((name) => [name, begin(name)])) as {
    readonly [N in Name]: Promise<Results[N]>;
  };
  return {
    files: Promise.all([begun.transport, begun.bimi]),
    collect: async (left) => {
      // No host is contacted for an email that is refused.
      const starttls = orElse(left(), beginStarttls(ports, from, mail, begun.receiving), null);
      const results = names.map(async (name) => {
        const { withinMs, otherwise }: Lookup<unknown> = LOOKUPS[name];
        const result: Promise<unknown> = begun[name];
        return [
          name,
          await (withinMs === null ? orElse(left(), result, otherwise(subject)) : result),
        ];
      });
      return {
        ...(Object.fromEntries(await Promise.all(results)) as Results),
        starttls: await starttls,
      };
    },
  };
}

async function beginBimi(
  ports: AfterVerdictPorts,
  fromDomain: string,
  mail: AtEndOfData,
): Promise<BimiLookup> {
  // The BIMI record is looked up immediately. Only the judgement of the result waits for DMARC.
  void ports.resolver.txt(`default._bimi.${fromDomain}`);
  void ports.resolver.txt(`default._bimi.${organizationalDomain(fromDomain)}`);
  const { dmarc, answers } = await mail.authenticated;
  const report = dmarc.status === 'known' ? dmarc.value.report : null;
  return lookUpBimi(ports, {
    fromDomain,
    // Taken from DMARC's tree walk, or from the Public Suffix List if the walk has no result.
    organizationalDomain: report?.organizational_domain ?? organizationalDomain(fromDomain),
    dmarcPass: report === null || report.result === 'temperror' ? null : report.result === 'pass',
    answers,
    at: new Date(ports.clock()).toISOString(),
  });
}

/** Time limit for the web-risk service in milliseconds, once the content is known. */
const WEB_RISK_MS = 3000;

/** Asks the web-risk service about the hosts of links. Resolves with null if there is nothing to ask. */
async function beginWebRisk(
  { webRisk, clock }: AfterVerdictPorts,
  { reading }: AtEndOfData,
): Promise<Facts['webRisk'] | null> {
  if (!webRisk.configured) return null;
  const content = await reading.content;
  // Only host names are sent. IP addresses are left out, because they tell the service no more than their
  // network does.
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

/** Connects to the domain's mail hosts. Resolves with undefined if no host is contacted. */
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

const noWebRisk = ({ webRisk }: AfterVerdictPorts): Facts['webRisk'] => ({
  configured: webRisk.configured,
  checkedAt: null,
  hosts: {},
});

const NO_RECEIVING = noReceivingFacts(unknown('dns: DNSSEC: no answer in time'));

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
