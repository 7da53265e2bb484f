/**
 * Collects the facts about a domain without an email, from its DNS records, its policies and its mail hosts.
 */

import type { DkimFact } from '../analysis/dkim/facts.ts';
import { judgeDmarc } from '../analysis/dmarc/evaluate.ts';
import type { DmarcAnswers } from '../analysis/dmarc/tree-walk.ts';
import type { DomainFacts } from '../analysis/domain-report.ts';
import type { Facts } from '../analysis/facts.ts';
import { ifKnown, unseen } from '../analysis/lookup-result.ts';
import { readMailHead } from '../analysis/mail/scan-headers.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { CheckHost } from '../ports/check-host.ts';
import type { Resolver } from '../ports/dns.ts';
import type { VisitMailHost } from '../ports/mail-host.ts';
import type { SignatureVerdict } from '../ports/reading.ts';
import type { GuardedFetch } from '../ports/web.ts';
import { lookUpBimi } from './bimi.ts';
import { type FoundKey, lookUpKeys, toDkimFacts } from './dkim.ts';
import { lookUpDmarc, lookUpRua } from './dmarc.ts';
import { lookUpDnsNames } from './dns-names.ts';
import { lookUpDmarcElsewhere, lookUpNameServers, withDmarcElsewhere } from './for-fixes.ts';
import { lookUpFromDomain, lookUpMxHosts } from './mail-hosts.ts';
import { unopened } from './not-fetched.ts';
import { lookUpReceiving } from './receiving.ts';
import { aboutOf, lookUpSpf } from './spf.ts';
import { visitMailHosts } from './starttls.ts';
import { lookUpTransport } from './transport.ts';
import { withRua } from './verdicts.ts';

interface DomainPorts {
  readonly resolver: Resolver;
  readonly checkHost: CheckHost;
  /** Fetches only the MTA-STS policy. */
  readonly fetch: GuardedFetch;
  /** Connects to a mail host. If this function is absent, no mail host is contacted. */
  readonly visitMailHost?: VisitMailHost | undefined;
}

interface DomainSubject {
  readonly domain: string;
  readonly selectors: readonly string[];
  /** The time at which the domain is judged, in RFC 3339. */
  readonly at: string;
}

const NO_MAIL = unseen('mail: no mail was sent');

const connection: Facts['connection'] = {
  ip: null,
  helo: null,
  source: 'unknown',
  tls: { status: 'not_observable', version: null, cipher: null },
  ptr: NO_MAIL,
  forward: NO_MAIL,
  heloAddresses: NO_MAIL,
  spamcop: NO_MAIL,
  blocklists: [],
};

/**
 * A documentation address, from which nobody sends (RFC 5737). The whole SPF record is evaluated as if for
 * this sender.
 */
const NO_SENDER = '192.0.2.1';

/**
 * Collects the facts about a domain before any email is sent. Facts that only an email can show are marked as
 * impossible to find out in this run.
 */
export async function inspectDomain(
  { resolver, checkHost, fetch, visitMailHost }: DomainPorts,
  { domain, selectors, at }: DomainSubject,
): Promise<DomainFacts> {
  const from = lookUpFromDomain(resolver, domain);
  const nameServers = lookUpNameServers(resolver, domain);
  const answers = await lookUpDmarc(resolver, [domain]);
  const subject = { ip: NO_SENDER, helo: null, localPart: 'postmaster', domain };
  const about = aboutOf({ checkHost, resolver }, subject);
  const { fromDomainExists, fromMx } = await from;
  const dmarc = judgeDmarc({
    fromDomain: domain,
    exists: fromDomainExists,
    answers,
    spf: { domain, outcome: 'undecided' },
    dkim: [],
  });
  const organization =
    dmarc.status === 'known' ? dmarc.value.report.organizational_domain : undefined;
  const fromOrganizationalDomain = organization ?? organizationalDomain(domain);
  const [spf, rua, elsewhere, bimi, transport, receiving, mxHosts, keys] = await Promise.all([
    lookUpSpf(resolver, about, { nullSender: false, helo: null }),
    lookUpRua(resolver, domain, answers),
    lookUpDmarcElsewhere(resolver, { fromDomain: domain, answers }),
    lookUpBimi(
      { resolver, fetch: unopened, checkCertificate: async () => null },
      {
        fromDomain: domain,
        organizationalDomain: fromOrganizationalDomain,
        ...{ dmarcPass: null, answers, at },
      },
    ),
    lookUpTransport({ resolver, fetch }, domain, domain, from),
    lookUpReceiving(resolver, domain, { from, nameServers }),
    lookUpMxHosts(resolver, domain, fromMx),
    lookUpSelectors(resolver, { domain, selectors, at }, answers),
  ]);
  const dnsNames = await lookUpDnsNames(resolver, {
    ...{ domains: [domain], texts: [], hosts: [domain], free: [] },
    records: [
      ...[`_dmarc.${domain}`, `_dmarc.${fromOrganizationalDomain}`],
      ...(ifKnown(spf)?.repairs ?? []).map(({ name }) => name),
    ],
    nameServers: await nameServers,
  });
  const starttls =
    visitMailHost && (await visitMailHosts(visitMailHost, { domain, fromMx, mxHosts, receiving }));
  return {
    facts: {
      ...{ testId: '', receivedAt: at, expiresAt: at, sizeBytes: 0 },
      names: {
        ...{ fromDomain: domain, fromOrganizationalDomain, envelopeDomain: domain },
        ...{ nullSender: false, helo: null, ip: null },
        ...{ fromDomainExists, fromMx, envelopeMx: null, mxHosts },
        nameServers: await nameServers,
      },
      ...{ connection, spf, dkim: NO_MAIL, arc: NO_MAIL },
      dmarc: withDmarcElsewhere(withRua(dmarc, rua), elsewhere),
      ...{ bimi: bimi.facts, transport: transport.facts },
      receiving: { ...receiving, ...(starttls && { starttls }) },
      ...{ headers: NO_MAIL, content: NO_MAIL, links: NO_MAIL, route: NO_MAIL, provider: null },
      webRisk: { configured: false, checkedAt: null, hosts: {} },
      dnsNames,
      ...{ partialErrors: [], remarks: [] },
    },
    selectors: keys,
  };
}

/** Looks up the DKIM keys of the given selectors, under the names that signatures would use. */
async function lookUpSelectors(
  resolver: Resolver,
  { domain, selectors, at }: DomainSubject,
  answers: DmarcAnswers,
): Promise<readonly DkimFact[]> {
  const lines = selectors.map(
    (selector) =>
      `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=${selector}; h=from; bh=AA==; b=AA==\r\n`,
  );
  const head = `From: <postmaster@${domain}>\r\n${lines.join('')}\r\n`;
  const { scan } = readMailHead(new TextEncoder().encode(head));
  const names = selectors.map((selector) => `${selector}._domainkey.${domain}`);
  const [keys, texts] = await Promise.all([
    lookUpKeys(resolver, scan.dkimSignatures),
    Promise.all(names.map((name) => resolver.txt(name))),
  ]);
  const verdicts = keys.map((key, i) => verdictOf(key, texts[i]?.status === 'failed'));
  return toDkimFacts({ scan, verdicts, keys, answers, arrivedAt: Date.parse(at) }).signatures;
}

const verdictOf = (key: FoundKey, failed: boolean): SignatureVerdict => ({
  ...(failed
    ? { result: 'temperror', reason: 'dns' }
    : key === null
      ? { result: 'permerror', reason: 'no_key' }
      : { result: 'neutral', reason: null }),
  ...{ fault: null, bodyHash: null, keyBits: null, unsignedTailBytes: 0 },
});
