/**
 * Looks up the MTA-STS record, the MTA-STS policy file and the TLS-RPT record of a domain, and judges whether
 * the policy covers its MX hosts (RFC 8461, RFC 8460).
 */

import { isAddress } from '../analysis/addresses.ts';
import { isAbsent, textsOf } from '../analysis/dns-answer.ts';
import { ifKnown, known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { mailHostsOf } from '../analysis/names/domain-names.ts';
import type { TransportFacts } from '../analysis/transport/facts.ts';
import {
  matchesPattern,
  readStsPolicy,
  readStsRecord,
  readTlsRpt,
  type StsPolicy,
} from '../analysis/transport/policies.ts';
import type { TransportPolicy } from '../domain/report/connection.ts';
import type { Resolver } from '../ports/dns.ts';
import type { Fetched, GuardedFetch } from '../ports/web.ts';
import { dnsError } from './dns-results.ts';
import type { FromDomainFacts } from './mail-hosts.ts';
import { notFetched } from './not-fetched.ts';

/** Maximum size of a policy, in bytes, as RFC 8461 §3.3 suggests. */
const MAX_POLICY_BYTES = 64 * 1024;

type MtaSts = TransportFacts['mtaSts'];
type StsReport = NonNullable<TransportPolicy['mta_sts']>;

export interface TransportLookup {
  readonly facts: TransportFacts;
  /** The URLs of an MTA-STS policy that responded. */
  readonly fetched: readonly string[];
}

/**
 * Looks up what the From domain publishes about TLS for the email that it receives. The results never cost
 * points.
 */
export async function lookUpTransport(
  ports: { readonly resolver: Resolver; readonly fetch: GuardedFetch },
  domain: string | null,
  envelopeDomain: string,
  from: Promise<FromDomainFacts>,
): Promise<TransportLookup> {
  const differs_from_envelope = domain !== null && domain !== envelopeDomain;
  if (domain === null) {
    const noFrom = unknown('headers: no usable From');
    const facts = { report: { domain, differs_from_envelope }, mtaSts: noFrom, tlsRpt: noFrom };
    return { facts, fetched: [] };
  }
  const [sts, tls, { fromMx }] = await Promise.all([
    lookUpSts(ports, domain),
    lookUpTlsRpt(ports.resolver, domain),
    from,
  ]);
  const mailHosts = ifKnown(fromMx);
  const judged = judgeSts(sts, mailHosts ? mailHostsOf(domain, mailHosts) : null);
  return {
    facts: {
      report: {
        domain,
        differs_from_envelope,
        ...(mailHosts && { mx: [...mailHosts.mx] }),
        ...(judged.report && { mta_sts: judged.report }),
        ...(tls.report && { tls_rpt: tls.report }),
      },
      mtaSts: judged.facts,
      tlsRpt: tls.facts,
    },
    fetched: sts.fetched,
  };
}

interface StsLookup {
  readonly report: StsReport | null;
  readonly facts: MtaSts;
  readonly policy: StsPolicy | null;
  readonly fetched: readonly string[];
}

async function lookUpSts(
  { resolver, fetch }: { readonly resolver: Resolver; readonly fetch: GuardedFetch },
  domain: string,
): Promise<StsLookup> {
  const name = `_mta-sts.${domain}`;
  const answer = await resolver.txt(name);
  if (answer.status === 'failed') return stsOf(null, unknown(dnsError('TXT', name, answer.error)));
  const record = readStsRecord(textsOf(answer));
  const published = textsOf(answer).filter((text) => /sts/i.test(text));
  if (record.state === 'absent') {
    const report = { record: null, id: null, fetched: false };
    return stsOf(report, known({ state: 'absent', fault: null }));
  }
  if (record.state === 'broken') {
    const report = { record: record.record, id: null, fetched: false, error: record.fault };
    return stsOf(report, known({ state: 'broken', fault: record.fault, published }));
  }
  // The policy is always at this address (RFC 8461 §3.3).
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
  const response = await fetch(url, { maxBytes: MAX_POLICY_BYTES, resolver });
  const fetched = response.status === 'fetched' ? [url] : [];
  const file = readPolicyFile(response);
  const report: StsReport = { record: record.record, id: record.id, fetched: false };
  if (file.status === 'unknown') return stsOf({ ...report, error: file.error }, file);
  const { policy, fault, isFetched } = file.value;
  return stsOf(
    {
      ...report,
      fetched: isFetched,
      ...(policy && {
        policy: {
          version: policy.version?.slice(0, 20) ?? null,
          mode: policy.mode,
          max_age: policy.maxAge,
          mx: [...policy.mx],
        },
      }),
      error: fault,
    },
    known({ state: fault === null ? (policy?.mode ?? 'broken') : 'broken', fault, published }),
    policy,
    fetched,
  );
}

const stsOf = (
  report: StsReport | null,
  facts: MtaSts,
  policy: StsPolicy | null = null,
  fetched: readonly string[] = [],
): StsLookup => ({ report, facts, policy, fetched });

interface PolicyFile {
  readonly policy: StsPolicy | null;
  readonly fault: string | null;
  readonly isFetched: boolean;
}

function readPolicyFile(file: Fetched): LookupResult<PolicyFile> {
  const bad = (fault: string, policy: StsPolicy | null = null) =>
    known({ policy, fault, isFetched: false });
  if (file.status === 'failed')
    return file.fault === 'theirs'
      ? bad(`the policy cannot be fetched: ${file.reason}`)
      : notFetched('MTA-STS policy', file);
  // Only status 200 counts, and redirects are not followed (RFC 8461 §3.3).
  if (file.httpStatus !== 200)
    return bad(`the URL of the policy returns status ${file.httpStatus}`);
  const read = readStsPolicy(Buffer.from(file.body).toString('utf8'));
  // A fix keeps a valid policy, even if senders ignore it because of its media type.
  return /^text\/plain\s*(?:;|$)/i.test(file.contentType)
    ? known({ ...read, isFetched: true })
    : bad('the policy is not served as text/plain', read.fault === null ? read.policy : null);
}

/**
 * Adds whether the policy covers all MX hosts. Once it is enforced, a host that no pattern covers gets no
 * email (RFC 8461 §4.1, §5).
 */
function judgeSts({ report, facts, policy }: StsLookup, mx: readonly string[] | null) {
  if (!report || !policy || policy.mode === 'none' || policy.mode === null)
    return { report, facts };
  if (mx === null) return { report: { ...report, mx_covered: null }, facts };
  // A pattern can cover only a name. An MX that is an address receives no email, which `from_domain_mx`
  // reports.
  const names = mx.filter((host) => !isAddress(host));
  const open = names.filter((host) => !policy.mx.some((pattern) => matchesPattern(host, pattern)));
  const isBroken = facts.status === 'known' && facts.value.state === 'broken';
  const fault = `the policy does not cover ${open.join(', ')}`;
  return {
    report: { ...report, mx_covered: open.length === 0 },
    facts:
      open.length === 0 || isBroken || facts.status === 'unknown'
        ? facts
        : known({ ...facts.value, state: 'broken' as const, fault }),
  };
}

async function lookUpTlsRpt(resolver: Resolver, domain: string) {
  const name = `_smtp._tls.${domain}`;
  const answer = await resolver.txt(name);
  if (answer.status === 'failed')
    return { report: null, facts: unknown(dnsError('TXT', name, answer.error)) };
  const texts = isAbsent(answer) ? [] : textsOf(answer);
  const { state, record, rua, fault } = readTlsRpt(texts);
  const published = texts.filter((text) => /tlsrpt/i.test(text));
  return {
    report: { record, rua: [...rua], error: fault },
    facts: known({ state, fault, published }),
  };
}
