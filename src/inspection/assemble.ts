/**
 * Assembles everything that is known about an email, from its lookups and from reading it, into the facts
 * that the checks read.
 */

import type { ArcFacts } from '../analysis/arc/facts.ts';
import type { Facts } from '../analysis/facts.ts';
import { known, type LookupResult } from '../analysis/lookup-result.ts';
import { completeHeaders, completeLinks } from '../analysis/mail/read-mail.ts';
import { type HeaderScan, MAX_ARC_SETS } from '../analysis/mail/scan-headers.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { DnsQuery } from '../ports/dns.ts';
import type { ProviderBlock } from '../ports/mail.ts';
import type { AuthenticationPart, ContentPart } from '../ports/reading.ts';
import type { AfterVerdict } from './after-verdict.ts';
import type { AtEndOfData } from './at-end-of-data.ts';
import { uncheckedSignatures } from './dkim.ts';
import { aliasesIn } from './dns-names.ts';
import { withCauses, withDmarcElsewhere } from './for-fixes.ts';
import { compareWithProvider } from './provider.ts';
import { type Authenticated, withRua } from './verdicts.ts';

/** Everything that is known about one email, from all steps. */
interface Inspected {
  readonly testId: string;
  readonly receivedAt: string;
  readonly expiresAt: string | null;
  readonly mail: AtEndOfData;
  readonly authenticated: Authenticated;
  readonly authentication: AuthenticationPart;
  readonly content: ContentPart;
  readonly afterVerdict: AfterVerdict;
  readonly trace: readonly DnsQuery[];
  readonly filters: Facts['filters'];
}

/** Assembles everything that is known about an email into the form that the checks expect. */
export async function assembleFacts(all: Inspected): Promise<Facts> {
  const { mail, authenticated, authentication, content, afterVerdict } = all;
  const { atRcpt, scan, block } = mail;
  const { client } = atRcpt;
  const from = scan.headerFrom.domain;
  const dmarc = withRua(authenticated.dmarc, afterVerdict.rua);
  const walked = dmarc.status === 'known' ? dmarc.value.report.organizational_domain : null;
  const fromOrganizationalDomain = from === null ? null : (walked ?? organizationalDomain(from));
  const completion = { fromOrganizationalDomain, signingDomains: authenticated.signingDomains };
  const arc = toArc(scan, authentication, block);
  const blocklists = [...(await atRcpt.blocklists)];
  const dnsbls = [...(await atRcpt.dnsbls)];
  return {
    testId: all.testId,
    receivedAt: all.receivedAt,
    expiresAt: all.expiresAt,
    sizeBytes: mail.sizeBytes,
    names: {
      fromDomain: from,
      fromOrganizationalDomain,
      nameServers: afterVerdict.nameServers,
      envelopeDomain: authenticated.envelopeDomain,
      nullSender: atRcpt.nullSender,
      helo: client.helo,
      ip: client.ip,
      ...(await mail.fromDomain),
      envelopeMx: await atRcpt.envelopeMx,
      mxHosts: { ...(await atRcpt.envelopeMxHosts), ...(await mail.fromMxHosts) },
    },
    connection: {
      ...client,
      ...(await atRcpt.reverse),
      heloAddresses: await atRcpt.heloAddresses,
      spamcop: await atRcpt.spamcop,
      blocklists,
      dnsbls,
    },
    spf: authenticated.spf,
    dkim: withCauses(authenticated.dkim, afterVerdict.forFixes),
    uncheckedSignatures: uncheckedSignatures(scan, authenticated.dkim),
    dmarc: withDmarcElsewhere(dmarc, afterVerdict.forFixes.dmarc),
    arc,
    bimi: afterVerdict.bimi.facts,
    transport: afterVerdict.transport.facts,
    receiving: { ...afterVerdict.receiving, starttls: afterVerdict.starttls },
    headers: known(completeHeaders(content.headers, from, completion)),
    content: known(content.content),
    links: known(completeLinks(content.links, from, completion)),
    route: known(content.route),
    provider: compareWithProvider({ block, authentication, authenticated }, dmarc, arc),
    webRisk: afterVerdict.webRisk,
    ...(afterVerdict.domainLists !== undefined && { domainLists: afterVerdict.domainLists }),
    ...(all.filters !== undefined && { filters: all.filters }),
    dnsNames: afterVerdict.forFixes.dnsNames ?? aliasesIn(all.trace),
    partialErrors: limitsReached(mail, [...blocklists, ...dnsbls]),
    remarks: [...afterVerdict.transport.fetched, ...afterVerdict.bimi.fetched].map(
      (url) => `fetched: ${url}`,
    ),
  };
}

function limitsReached(
  { atRcpt: { client }, scan, block }: AtEndOfData,
  blocklists: Facts['connection']['blocklists'],
): string[] {
  const unread = scan.furtherSignatures.length;
  return [
    ...(unread > 0 ? [`dkim: ${unread} more signatures were not checked`] : []),
    ...(client.source === 'unknown' && !block
      ? [
          `connection: the ${client.namedBy ? 'relay in front' : 'provider'} did not say who sent the mail`,
        ]
      : []),
    ...(block?.partialErrors ?? []),
    ...blocklists
      .filter(({ status }) => status === 'unavailable')
      .map(({ list }) => `blocklist: ${list}: no answer`),
  ];
}

/** Returns the sender's ARC chain, without the set that the inbound provider added. */
function toArc(
  { arcSets }: HeaderScan,
  { arc }: AuthenticationPart,
  block: ProviderBlock | undefined,
): LookupResult<ArcFacts> {
  if (arcSets > MAX_ARC_SETS)
    return known({
      report: { result: 'fail', sets: arcSets },
      sealer: null,
      fault: `more than ${MAX_ARC_SETS} sets`,
    });
  if (arcSets === 0) {
    const none: ArcFacts = { report: { result: 'none', sets: 0 }, sealer: null, fault: null };
    return known(excludeProvider(none, block));
  }
  return arc.status === 'known'
    ? known(excludeProvider(withAllSets(arc.value, arcSets), block))
    : arc;
}

/**
 * Corrects the number of ARC sets: if a chain is malformed, the verifier returns none, although the email has
 * some.
 */
const withAllSets = (arc: ArcFacts, sets: number): ArcFacts => ({
  ...arc,
  report: { ...arc.report, sets: Math.max(arc.report.sets, sets) },
});

const excludeProvider = (arc: ArcFacts, block: ProviderBlock | undefined): ArcFacts =>
  block?.report.block_headers.includes('arc-seal')
    ? { ...arc, report: { ...arc.report, provider_set_excluded: true } }
    : arc;
