/**
 * Looks up the BIMI record of a domain, has its logo and certificate fetched and judged, and derives the BIMI
 * result from them and from DMARC.
 */

import type { BimiFacts } from '../analysis/bimi/facts.ts';
import { MAX_LOGO_KB } from '../analysis/bimi/logo.ts';
import { type BimiRecord, isStrongEnough, readBimi } from '../analysis/bimi/parse.ts';
import { type DmarcAnswers, walkTree } from '../analysis/dmarc/tree-walk.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import type { Bimi } from '../domain/report/logo.ts';
import type { Resolver } from '../ports/dns.ts';
import type { CheckCertificate, GuardedFetch } from '../ports/web.ts';
import { judgeCertificate, judgeLogo } from './bimi-files.ts';
import { dnsError } from './dns-results.ts';

const MAX_CERTIFICATE_BYTES = 64 * 1024;

/** The only selector that is looked up. A BIMI-Selector header is only for the sender's own tests. */
const SELECTOR = 'default';

interface BimiPorts {
  readonly resolver: Resolver;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
}

interface BimiSubject {
  readonly fromDomain: string;
  readonly organizationalDomain: string;
  /** True if DMARC passed. Null if unknown. */
  readonly dmarcPass: boolean | null;
  readonly answers: DmarcAnswers;
  /** The time at which the certificate is judged, in RFC 3339. */
  readonly at: string;
}

interface FoundRecord {
  readonly domain: string;
  readonly record: BimiRecord;
}

export interface BimiLookup {
  readonly facts: LookupResult<BimiFacts>;
  /** The URLs of a logo or certificate that responded. */
  readonly fetched: readonly string[];
}

/**
 * Looks up the sender's BIMI logo: the record, and the files that it points to. The results never cost
 * points.
 */
export async function lookUpBimi(ports: BimiPorts, subject: BimiSubject): Promise<BimiLookup> {
  const found = await findRecord(ports.resolver, subject);
  if (found.status === 'unknown') return { facts: found, fetched: [] };
  const { domain, record } = found.value;
  const readiness = judgeReadiness(subject);
  const base = {
    selector: SELECTOR,
    domain,
    record: record.state === 'absent' ? null : record.record,
    ...(readiness.from !== null && { dmarc_ready: readiness.from }),
  };
  if (record.state !== 'usable')
    return { facts: known(withoutFiles(record, base, readiness)), fetched: [] };

  const { logoUrl, certificateUrl } = record;
  const { resolver, fetch, checkCertificate } = ports;
  const [logoFile, certificateFile] = await Promise.all([
    fetch(logoUrl, { maxBytes: MAX_LOGO_KB * 1024, resolver }),
    certificateUrl === null
      ? null
      : fetch(certificateUrl, { maxBytes: MAX_CERTIFICATE_BYTES, resolver }),
  ]);
  const logo = judgeLogo(logoFile);
  const certificate = await judgeCertificate(certificateFile, logoFile, (pem, svg) =>
    checkCertificate({ pem, svg, domain, selector: SELECTOR, at: subject.at }).catch(() => {
      resolver.starve();
      return null;
    }),
  );
  const isGood = logo.state.status === 'known' && logo.state.value !== 'invalid';
  return {
    facts: known({
      report: {
        ...base,
        result: resultOf(subject.dmarcPass, readiness, logo.state, certificate.state, isGood),
        logo_url: logoUrl,
        logo: logo.report,
        certificate: certificate.report,
      },
      recordFault: null,
      declined: false,
      badElement: logo.badElement,
      logo: logo.state,
      certificate: certificate.state,
      certificateFault: certificate.fault,
      organizationalDomainReady: readiness.organization,
    }),
    fetched: [
      ...(logoFile.status === 'fetched' ? [logoUrl] : []),
      ...(certificateUrl !== null && certificateFile?.status === 'fetched' ? [certificateUrl] : []),
    ],
  };
}

/** Returns the From domain's own record, or else the organizational domain's (§7.2). */
async function findRecord(
  resolver: Resolver,
  { fromDomain, organizationalDomain }: BimiSubject,
): Promise<LookupResult<FoundRecord>> {
  const domains = [...new Set([fromDomain, organizationalDomain])];
  const answers = await Promise.all(
    domains.map((domain) => resolver.txt(`${SELECTOR}._bimi.${domain}`)),
  );
  for (const [i, domain] of domains.entries()) {
    const answer = answers[i];
    if (!answer || answer.status === 'failed')
      return unknown(dnsError('TXT', `${SELECTOR}._bimi.${domain}`, answer?.error ?? 'TIMEOUT'));
    const record = readBimi(textsOf(answer));
    if (record.state !== 'absent') return known({ domain, record });
  }
  return known({ domain: fromDomain, record: { state: 'absent' } });
}

/** States for each domain whether its DMARC policy is strong enough for BIMI. Null if unknown. */
interface Readiness {
  readonly from: boolean | null;
  readonly organization: boolean | null;
}

function judgeReadiness({ fromDomain, organizationalDomain, answers }: BimiSubject): Readiness {
  const isReady = (domain: string) => {
    const { discovered } = walkTree(domain, answers);
    return discovered.status === 'known' ? isStrongEnough(discovered.value?.record ?? null) : null;
  };
  return { from: isReady(fromDomain), organization: isReady(organizationalDomain) };
}

function withoutFiles(
  record: Exclude<BimiRecord, { readonly state: 'usable' }>,
  base: Partial<Bimi>,
  readiness: Readiness,
): BimiFacts {
  const results = { absent: 'none', broken: 'fail', declined: 'declined' } as const;
  return {
    report: { ...base, result: results[record.state] },
    recordFault: record.state === 'broken' ? record.fault : null,
    declined: record.state === 'declined',
    badElement: null,
    logo: unknown('bimi: there is no logo'),
    certificate: known('absent'),
    certificateFault: null,
    organizationalDomainReady: readiness.organization,
  };
}

function resultOf(
  dmarcPass: boolean | null,
  { from, organization }: Readiness,
  logo: BimiFacts['logo'],
  certificate: BimiFacts['certificate'],
  isGood: boolean,
): Bimi['result'] {
  // No logo is shown without a DMARC pass under an enforced policy (§7.1).
  if (dmarcPass === false || from === false || organization === false) return 'skipped';
  if (dmarcPass === null || from === null || organization === null) return 'temperror';
  if (logo.status === 'unknown' || certificate.status === 'unknown') return 'temperror';
  return isGood && certificate.value !== 'invalid' ? 'pass' : 'fail';
}
