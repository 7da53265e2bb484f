/** Decides whether an email is refused at the end of DATA, and for which reasons. */

import type { RefusalReason } from '../domain/events.ts';
import type { DkimFacts } from './dkim/facts.ts';
import { isUndecided } from './dkim/results.ts';
import type { DmarcFacts } from './dmarc/facts.ts';
import { strictMisses } from './dmarc/unaligned.ts';
import type { LookupResult } from './lookup-result.ts';
import { isPublicDomain } from './names/host-name.ts';
import type { ListingFacts } from './reputation/facts.ts';
import type { SpfFacts } from './spf/facts.ts';

/**
 * The facts on which the decision to refuse an email depends. The analysis that follows uses the same facts,
 * so nothing is looked up twice.
 */
export interface GateFacts {
  readonly spf: LookupResult<SpfFacts>;
  readonly dkim: LookupResult<DkimFacts>;
  readonly dmarc: LookupResult<DmarcFacts>;
  readonly blocklists: ListingFacts['blocklists'];
  /** The sending IP. Null if it is unknown. */
  readonly ip: string | null;
  readonly headerFromDomain: string | null;
  /** True if no query was answered, not even a control query, which means that our own resolver is down. */
  readonly resolverDown: boolean;
}

/** Maximum length of one piece of evidence, in characters. The event's schema has the same limit. */
const MAX_EVIDENCE = 300;

/** DMARC policies under which this service refuses an email that fails DMARC (RFC 9989 §4.7). */
const REFUSING = ['quarantine', 'reject'];

/** Maximum number of signatures named in the evidence. The event's schema has the same limit. */
const MAX_SIGNATURES = 10;

const cut = (text: string) => text.slice(0, MAX_EVIDENCE);

/**
 * Returns the reasons to refuse an email, in the order in which the SMTP reply gives them. The email is
 * accepted if there are none. An unknown result is never a reason, whether because of a temporary failure, a
 * list that does not answer, or a signature that was not evaluated because of an input limit.
 */
export const judgeGate = (facts: GateFacts): readonly RefusalReason[] =>
  [blocklisted(facts), spfAndDkimFailed(facts), dmarcPolicy(facts)].filter(
    (reason) => reason !== undefined,
  );

function blocklisted({ blocklists, ip }: GateFacts): RefusalReason | undefined {
  const entry = blocklists.find(({ status }) => status === 'listed');
  if (!entry) return undefined;
  const { list, removal_url } = entry;
  return {
    code: 'blocklisted',
    detail: `The sending IP${ip ? ` ${ip}` : ''} is listed by ${cut(list)}.`,
    evidence: {
      ...(ip && { ip: cut(ip) }),
      list: cut(list),
      ...(removal_url && { removal_url: cut(removal_url) }),
    },
  };
}

function spfAndDkimFailed({ spf, dkim, ip }: GateFacts): RefusalReason | undefined {
  if (spf.status === 'unknown' || dkim.status === 'unknown') return undefined;
  const { result, domain, scope } = spf.value.report;
  if (result === 'pass' || result === 'temperror') return undefined;

  const { signatures, total } = dkim.value;
  if (signatures.some((one) => one.report.result === 'pass' || isUndecided(one))) return undefined;
  if (total > signatures.length) return undefined;

  const fault = result === 'permerror' ? spfFault(spf.value) : undefined;
  const name = scope === 'helo' ? `the HELO name ${cut(domain)}` : cut(domain);
  const said = signatures.length === 0 ? 'there is no DKIM signature' : 'no DKIM signature passes';
  return {
    code: 'spf_and_dkim_failed',
    detail: `SPF is ${result}${fault ? ` (${fault})` : ''} for ${domain === '' ? 'the sender' : name}${ip ? ` from ${ip}` : ''}, and ${said}.`,
    evidence: {
      ...(ip && { ip: cut(ip) }),
      spf_result: result,
      // Address literals and names with one label never have an SPF record (RFC 7208 §4.3).
      ...(isPublicDomain(domain) && { spf_domain: cut(domain) }),
      ...(fault && { spf_fault: fault }),
      dkim: dkimEvidence(dkim.value),
    },
  };
}

/**
 * Returns the fault that keeps receivers from evaluating the SPF record, or `undefined` if it is not known.
 */
function spfFault({ report, brokenTerms, syntaxFaults }: SpfFacts): string | undefined {
  const { records = [], error } = report;
  if (records.length > 1) return `${records.length} SPF records`;
  const broken = brokenTerms.find(({ isOfSender }) => !isOfSender);
  const bad = syntaxFaults.find(({ severity }) => severity === 'fail')?.bad;
  const fault =
    error ?? (broken ? `${broken.term}: ${broken.why}` : bad && `${bad} cannot be read`);
  return fault === undefined ? undefined : cut(fault);
}

function dmarcPolicy({ spf, dkim, dmarc, headerFromDomain }: GateFacts): RefusalReason | undefined {
  if (dmarc.status === 'unknown') return undefined;
  const { report, applies, decided, spfAligned, dkimAligned } = dmarc.value;
  const policy = report.effective_policy ?? null;
  if (report.result !== 'fail' || !decided || spfAligned || dkimAligned) return undefined;
  if (policy === null || !REFUSING.includes(policy)) return undefined;

  const from = headerFromDomain ?? report.record_domain ?? '';
  const record = report.record_domain ?? from;
  const tag = `${applies}=${policy}${report.testing ? ' by t=y' : ''}`;
  const strict = strictMisses({ spf, dkim, dmarc }).length > 0;
  return {
    code: 'dmarc_policy',
    detail: `The DMARC record of ${cut(record)} says ${tag}, and neither SPF nor DKIM is aligned with ${cut(from)}${strict ? '; strict alignment requires an exact match' : ''}.`,
    evidence: {
      from_domain: cut(from),
      policy,
      record_domain: cut(record),
      tag,
      ...(strict && { strict }),
      ...(spf.status === 'known' && {
        spf_result: spf.value.report.result,
        spf_domain: cut(spf.value.report.domain),
      }),
      ...(dkim.status === 'known' && { dkim: dkimEvidence(dkim.value) }),
    },
  };
}

const dkimEvidence = ({ signatures }: Extract<GateFacts['dkim'], { status: 'known' }>['value']) =>
  signatures.slice(0, MAX_SIGNATURES).map(({ report: { domain, selector, result, reason } }) => ({
    domain: cut(domain),
    selector: cut(selector),
    result,
    ...(reason && { reason }),
  }));
