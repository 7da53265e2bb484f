import { type BimiFacts, type Facts, type LookupResult, unknown } from '../analysis/facts.ts';
import type { Clock } from '../ports/ambient.ts';
import type { Resolver } from '../ports/dns.ts';
import type { CheckCertificate, GuardedFetch, WebRisk } from '../ports/web.ts';
import { type Late, organizationOf } from './at-end-of-data.ts';
import type { Early } from './at-rcpt.ts';
import { type BimiLookUp, lookUpBimi } from './bimi.ts';
import { orElse } from './deadlines.ts';
import { lookUpRua } from './dmarc.ts';
import { lookUpTransport, type TransportLookUp } from './transport-policy.ts';
import { gatherVerdicts, toDmarc } from './verdicts.ts';

/** In milliseconds. */
const RUA_MS = 5000;
/** A TXT record first, then a file of at most 5 s. */
const FILES_MS = 12_000;
const WEB_RISK_MS = 3000;

export interface RestPorts {
  readonly resolver: Resolver;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
  readonly webRisk: WebRisk;
  readonly clock: Clock;
}

/** What is gathered beyond the gate, each part begun as soon as it can be. */
export interface Rest {
  readonly rua: ReturnType<typeof lookUpRua>;
  readonly transport: Promise<TransportLookUp>;
  readonly bimi: Promise<BimiLookUp>;
  readonly webRisk: Promise<Facts['webRisk']>;
}

/** Begins what the report needs and the gate does not. */
export function beginRest(
  ports: RestPorts,
  late: Late,
  early: Early,
  envelopeDomain: string,
): Rest {
  const { resolver, clock } = ports;
  const from = late.scan.headerFrom.domain;
  return {
    rua: orElse(
      RUA_MS,
      late.answers.then((answers) => (from === null ? [] : lookUpRua(resolver, from, answers))),
      [],
    ),
    transport: orElse(
      FILES_MS,
      lookUpTransport(ports, from, envelopeDomain, late.fromDomain),
      noTransport(late),
    ),
    bimi:
      from === null
        ? Promise.resolve({ facts: unknown('headers: no usable From'), fetched: [] })
        : orElse(FILES_MS, beginBimi(ports, from, late, early, envelopeDomain), noBimi),
    webRisk: beginWebRisk(ports.webRisk, late, clock),
  };
}

async function beginBimi(
  ports: RestPorts,
  fromDomain: string,
  late: Late,
  early: Early,
  envelopeDomain: string,
): Promise<BimiLookUp> {
  // The record is asked for at once; only the verdict waits for DMARC.
  void ports.resolver.txt(`default._bimi.${fromDomain}`);
  void ports.resolver.txt(`default._bimi.${organizationOf(fromDomain, null)}`);
  const about = await gatherVerdicts(late, early, envelopeDomain);
  const dmarc = toDmarc(about, []);
  const report = dmarc.status === 'known' ? dmarc.value.report : null;
  return lookUpBimi(ports, {
    fromDomain,
    organizationalDomain: organizationOf(fromDomain, report?.organizational_domain),
    dmarcPass: report === null || report.result === 'temperror' ? null : report.result === 'pass',
    answers: about.answers,
    at: new Date(ports.clock()).toISOString(),
  });
}

async function beginWebRisk(
  webRisk: WebRisk,
  { reading }: Late,
  clock: Clock,
): Promise<Facts['webRisk']> {
  if (!webRisk.configured) return noWebRisk(webRisk);
  const content = await reading.content;
  // Names alone: an address says nothing to the service that its network would not.
  const hosts = (content?.links.report.domains ?? [])
    .filter(({ ip_literal }) => !ip_literal)
    .map(({ host }) => host);
  if (hosts.length === 0) return noWebRisk(webRisk);
  const checkedAt = new Date(clock()).toISOString();
  const said = await orElse(WEB_RISK_MS, webRisk.lookUpHosts(hosts), null);
  return {
    configured: true,
    checkedAt,
    hosts: said ?? Object.fromEntries(hosts.map((host) => [host, null])),
  };
}

export const noWebRisk = ({ configured }: WebRisk): Facts['webRisk'] => ({
  configured,
  checkedAt: null,
  hosts: {},
});

export const noBimi: { facts: LookupResult<BimiFacts>; fetched: readonly string[] } = {
  facts: unknown('bimi: no answer in time'),
  fetched: [],
};

export const noTransport = ({ scan }: Late): TransportLookUp => ({
  facts: {
    report: { domain: scan.headerFrom.domain },
    mtaSts: unknown('https: MTA-STS policy: no answer in time'),
    tlsRpt: unknown('dns: TLS-RPT: no answer in time'),
  },
  fetched: [],
});
