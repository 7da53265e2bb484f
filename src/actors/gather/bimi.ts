import { type BimiFacts, known, type Looked, unknown } from '../../analysis/facts.ts';
import { textsOf } from '../../analysis/records/answer.ts';
import { type BimiRecord, isStrongEnough, readBimi } from '../../analysis/records/bimi.ts';
import { type LogoReading, readLogo } from '../../analysis/records/bimi-logo.ts';
import { type DmarcAnswers, discoverRecord, walkTree } from '../../analysis/records/dmarc-walk.ts';
import type { Bimi } from '../../domain/report/authentication.ts';
import type { CheckCertificate, Fetched, GuardedFetch, Resolver } from '../../ports.ts';
import { dnsError } from './looked-up.ts';

/** draft-svg-tiny-ps-abrotman: receivers take no larger logo, in bytes. */
const MAX_LOGO_BYTES = 32 * 1024;

const MAX_CERTIFICATE_BYTES = 64 * 1024;

/** The only selector that is looked up: a BIMI-Selector header is the sender's to test. */
const SELECTOR = 'default';

export interface BimiPorts {
  readonly resolver: Resolver;
  readonly fetch: GuardedFetch;
  readonly checkCertificate: CheckCertificate;
}

export interface BimiSubject {
  readonly fromDomain: string;
  readonly organizationalDomain: string;
  /** DMARC passed; null: not known. */
  readonly dmarcPass: boolean | null;
  readonly answers: DmarcAnswers;
  /** RFC 3339. */
  readonly at: string;
}

interface FoundRecord {
  readonly domain: string;
  readonly record: BimiRecord;
}

export interface BimiLookUp {
  readonly facts: Looked<BimiFacts>;
  readonly fetched: readonly string[];
}

/** The brand's logo: the record, and the files it points at. Nothing here costs points. */
export async function lookUpBimi(ports: BimiPorts, subject: BimiSubject): Promise<BimiLookUp> {
  const found = await findRecord(ports.resolver, subject);
  if (found.status === 'unknown') return { facts: found, fetched: [] };
  const { domain, record } = found.value;
  const readiness = judgeReadiness(subject);
  const base = {
    selector: SELECTOR,
    domain,
    record: record.state === 'absent' ? null : record.record,
    dmarc_ready: readiness.from,
  };
  if (record.state !== 'usable')
    return { facts: known(withoutFiles(record, base, readiness)), fetched: [] };

  const { logoUrl, certificateUrl } = record;
  const { resolver, fetch, checkCertificate } = ports;
  const [logoFile, certificateFile] = await Promise.all([
    fetch(logoUrl, { maxBytes: MAX_LOGO_BYTES, resolver }),
    certificateUrl === null
      ? null
      : fetch(certificateUrl, { maxBytes: MAX_CERTIFICATE_BYTES, resolver }),
  ]);
  const logo = judgeLogo(logoFile);
  const certificate = await judgeCertificate(certificateFile, logoFile, (pem, svg) =>
    checkCertificate({ pem, svg, domain, selector: SELECTOR, at: subject.at }),
  );
  const isReady = readiness.from && readiness.organization;
  const isGood = logo.state.status === 'known' && logo.state.value !== 'invalid';
  return {
    facts: known({
      report: {
        ...base,
        result: resultOf(subject.dmarcPass, isReady, logo.state, certificate.state, isGood),
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
    fetched: [logoUrl, ...(certificateUrl === null ? [] : [certificateUrl])],
  };
}

/** The From domain's own record, else the organizational domain's (§7.2). */
async function findRecord(
  resolver: Resolver,
  { fromDomain, organizationalDomain }: BimiSubject,
): Promise<Looked<FoundRecord>> {
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

interface Readiness {
  readonly from: boolean;
  readonly organization: boolean;
}

function judgeReadiness({ fromDomain, organizationalDomain, answers }: BimiSubject): Readiness {
  const isReady = (domain: string) => {
    const found = discoverRecord(walkTree(domain, answers));
    return found.status === 'known' && isStrongEnough(found.value?.record ?? null);
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
  isReady: boolean,
  logo: BimiFacts['logo'],
  certificate: BimiFacts['certificate'],
  isGood: boolean,
): Bimi['result'] {
  // §7.1: no logo without a DMARC pass under an enforced policy.
  if (dmarcPass === false || !isReady) return 'skipped';
  if (dmarcPass === null || logo.status === 'unknown' || certificate.status === 'unknown')
    return 'temperror';
  return isGood && certificate.value !== 'invalid' ? 'pass' : 'fail';
}

interface Logo {
  readonly state: BimiFacts['logo'];
  readonly report: NonNullable<Bimi['logo']>;
  readonly badElement: string | null;
}

function judgeLogo(file: Fetched): Logo {
  const bad = (error: string, size: number | null = null): Logo => ({
    state: known('invalid'),
    report: reportOf(null, size, [error]),
    badElement: null,
  });
  if (file.status === 'failed') {
    if (file.reason === 'too_large') return bad('the logo is over 32 KB');
    if (file.fault === 'theirs') return bad(`the logo cannot be fetched: ${file.reason}`);
    return {
      state: unknown(`https: BIMI logo: ${file.reason}`),
      report: { ...reportOf(null, null, []), checked: false },
      badElement: null,
    };
  }
  const size = file.body.length;
  if (file.httpStatus !== 200) return bad(`the logo answers with status ${file.httpStatus}`);
  if (!/^image\/svg\+xml\s*(?:;|$)/i.test(file.contentType))
    return bad('the logo is not served as image/svg+xml', size);
  const reading = readLogo(Buffer.from(file.body).toString('utf8'));
  const isValid = reading.errors.length === 0;
  return {
    state: known(!isValid ? 'invalid' : reading.square === false ? 'not_square' : 'valid'),
    report: reportOf(reading, size, reading.errors),
    badElement: reading.badElement,
  };
}

const MAX_WORD = 40;
const cut = (text: string | null | undefined) => text?.slice(0, MAX_WORD) ?? null;

const reportOf = (
  reading: LogoReading | null,
  size: number | null,
  errors: readonly string[],
): Logo['report'] => ({
  checked: true,
  size_bytes: size,
  base_profile: cut(reading?.baseProfile),
  version: cut(reading?.version),
  square: reading?.square ?? null,
  title_present: reading?.titlePresent ?? null,
  errors: [...errors],
});

interface Certificate {
  readonly state: BimiFacts['certificate'];
  readonly report: NonNullable<Bimi['certificate']> | null;
  readonly fault: string | null;
}

async function judgeCertificate(
  file: Fetched | null,
  logo: Fetched,
  check: (pem: Uint8Array, svg: Uint8Array | null) => ReturnType<CheckCertificate>,
): Promise<Certificate> {
  if (file === null) return { state: known('absent'), report: null, fault: null };
  const nothing = {
    checked: false,
    type: null,
    issuer: null,
    subject_names: [],
    not_after: null,
    valid: null,
    logo_matches: null,
  };
  const bad = (fault: string): Certificate => ({
    state: known('invalid'),
    report: { ...nothing, checked: true, valid: false },
    fault,
  });
  if (file.status === 'failed' && file.fault === 'ours')
    return {
      state: unknown(`https: BIMI certificate: ${file.reason}`),
      report: nothing,
      fault: null,
    };
  if (file.status === 'failed') return bad(`the certificate cannot be fetched: ${file.reason}`);
  if (file.httpStatus !== 200) return bad(`the certificate answers with status ${file.httpStatus}`);
  const svg = logo.status === 'fetched' && logo.httpStatus === 200 ? logo.body : null;
  const checked = await check(file.body, svg);
  if (checked === null)
    return {
      state: unknown('bimi: the certificate was not read in time'),
      report: nothing,
      fault: null,
    };
  const { fault, ...rest } = checked;
  return {
    state: known(fault === null ? 'valid' : 'invalid'),
    report: {
      checked: true,
      type: rest.type,
      issuer: rest.issuer,
      subject_names: [...rest.subjectNames],
      not_after: rest.notAfter,
      valid: fault === null,
      logo_matches: rest.logoMatches,
    },
    fault,
  };
}
