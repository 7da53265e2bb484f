import {
  type ArcFacts,
  type ConnectionFacts,
  type Facts,
  known,
  type LookupResult,
  unknown,
} from '../analysis/facts.ts';
import { completeHeaders, completeLinks } from '../analysis/mail/complete-reading.ts';
import { type HeaderScan, MAX_ARC_SETS } from '../analysis/mail/scan-headers.ts';
import { organizationalDomain } from '../analysis/names/domain-names.ts';
import type { Dmarc } from '../domain/report/authentication.ts';
import type { DnsQuery } from '../ports/dns.ts';
import type { ClientFacts, ProviderBlock } from '../ports/mail.ts';
import type { AuthenticationPart, ContentPart } from '../ports/reading.ts';
import type { BimiLookUp } from './bimi.ts';
import type { ReverseFacts } from './connection.ts';
import type { FromDomainFacts } from './from-domain.ts';
import { toCloudflare } from './provider.ts';
import type { TransportLookUp } from './transport-policy.ts';
import { type Authenticated, toDmarc } from './verdicts.ts';

/** Everything that was learnt of one mail. */
export interface Gathered {
  readonly testId: string;
  readonly receivedAt: string;
  readonly expiresAt: string;
  readonly sizeBytes: number;
  readonly client: ClientFacts;
  readonly nullSender: boolean;
  readonly block: ProviderBlock | undefined;
  readonly scan: HeaderScan;
  readonly authenticated: Authenticated;
  /** null: lost with its worker. */
  readonly authentication: AuthenticationPart | null;
  readonly content: ContentPart | null;
  readonly reverse: ReverseFacts;
  readonly heloAddresses: ConnectionFacts['heloAddresses'];
  readonly spamcop: ConnectionFacts['spamcop'];
  readonly blocklists: readonly ConnectionFacts['blocklists'][number][];
  readonly fromDomain: FromDomainFacts;
  readonly envelopeMx: Facts['names']['envelopeMx'];
  readonly mxHosts: Facts['names']['mxHosts'];
  readonly rua: NonNullable<Dmarc['rua']>;
  readonly transport: TransportLookUp;
  readonly bimi: BimiLookUp;
  readonly webRisk: Facts['webRisk'];
  readonly trace: readonly DnsQuery[];
}

/** The facts as the checks take them. Pure. */
export function assembleFacts(all: Gathered): Facts {
  const { client, scan, authenticated, content, fromDomain } = all;
  const from = scan.headerFrom.domain;
  const dmarc = toDmarc(authenticated, all.rua);
  const walked = dmarc.status === 'known' ? dmarc.value.report.organizational_domain : null;
  const fromOrganizationalDomain = from === null ? null : (walked ?? organizationalDomain(from));
  const completion = {
    fromOrganizationalDomain,
    signingDomains: authenticated.signingDomains,
  };
  const notRead = unknown('content: the mail was not read in time');
  const arc = toArc(all);
  return {
    testId: all.testId,
    receivedAt: all.receivedAt,
    expiresAt: all.expiresAt,
    mode: client.source === 'smtp' || client.source === 'xclient' ? 'smtp' : 'cloudflare',
    sizeBytes: all.sizeBytes,
    names: {
      fromDomain: from,
      fromOrganizationalDomain,
      envelopeDomain: authenticated.envelopeDomain,
      nullSender: all.nullSender,
      helo: client.helo,
      ip: client.ip,
      ...fromDomain,
      envelopeMx: all.envelopeMx,
      mxHosts: all.mxHosts,
    },
    connection: {
      ip: client.ip,
      helo: client.helo,
      source: client.source,
      tls: client.tls,
      ...all.reverse,
      heloAddresses: all.heloAddresses,
      spamcop: all.spamcop,
      blocklists: [...all.blocklists],
    },
    spf: authenticated.spf,
    dkim: authenticated.dkim,
    dmarc,
    arc,
    bimi: all.bimi.facts,
    transport: all.transport.facts,
    headers: content ? known(completeHeaders(content.headers, completion)) : notRead,
    content: content ? known(content.content) : notRead,
    links: content ? known(completeLinks(content.links, from, completion)) : notRead,
    cloudflare: toCloudflare(all, dmarc, arc),
    webRisk: all.webRisk,
    aliases: aliasesOf(all.trace),
    partialErrors: limitsReached(all),
    remarks: [...all.transport.fetched, ...all.bimi.fetched].map((url) => `fetched: ${url}`),
  };
}

const aliasesOf = (trace: readonly DnsQuery[]): NonNullable<Facts['aliases']> =>
  Object.fromEntries(
    trace.flatMap(({ name, type, alias }) => (type === 'TXT' && alias ? [[name, alias]] : [])),
  );

function toArc({ scan, authentication, block }: Gathered): LookupResult<ArcFacts> {
  if (scan.arcSets > MAX_ARC_SETS)
    return known({
      report: { result: 'fail', sets: scan.arcSets },
      sealer: null,
      fault: `more than ${MAX_ARC_SETS} sets`,
    });
  if (scan.arcSets === 0)
    return known(
      excludeProvider({ report: { result: 'none', sets: 0 }, sealer: null, fault: null }, block),
    );
  if (authentication === null) return unknown('arc: the chain was not verified in time');
  const { arc } = authentication;
  return arc.status === 'known'
    ? known(excludeProvider(withAllSets(arc.value, scan.arcSets), block))
    : arc;
}

/** Of a malformed chain the verifier gives no sets; the mail has them all the same. */
const withAllSets = (arc: ArcFacts, sets: number): ArcFacts => ({
  ...arc,
  report: { ...arc.report, sets: Math.max(arc.report.sets, sets) },
});

const excludeProvider = (arc: ArcFacts, block: ProviderBlock | undefined): ArcFacts =>
  block?.report.block_headers.includes('arc-seal')
    ? { ...arc, report: { ...arc.report, provider_set_excluded: true } }
    : arc;

function limitsReached({ scan, client, block, blocklists }: Gathered): string[] {
  const skipped = scan.dkimSignatureTotal - scan.dkimSignatures.length;
  return [
    ...(skipped > 0 ? [`dkim: ${skipped} more signatures were not looked at`] : []),
    ...(client.source === 'unknown' && !block
      ? ['connection: the provider did not say who sent the mail']
      : []),
    ...(block?.partialErrors ?? []),
    ...blocklists
      .filter(({ status }) => status === 'unavailable')
      .map(({ list }) => `blocklist: ${list}: no answer`),
  ];
}
