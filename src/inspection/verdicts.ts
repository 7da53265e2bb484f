/**
 * Waits for SPF, DKIM and the DNS answers, and evaluates SPF alignment and DMARC from them. Also adds the
 * report addresses of the DMARC record to the facts.
 */

import type { DkimFacts } from '../analysis/dkim/facts.ts';
import { dmarcWithoutFrom, type Identifier, judgeDmarc } from '../analysis/dmarc/evaluate.ts';
import type { DmarcFacts } from '../analysis/dmarc/facts.ts';
import { alignDomains, type DmarcAnswers } from '../analysis/dmarc/tree-walk.ts';
import { known, type LookupResult, mapLookup } from '../analysis/lookup-result.ts';
import type { HeaderScan } from '../analysis/mail/scan-headers.ts';
import type { SpfFacts } from '../analysis/spf/facts.ts';
import type { AtRcpt } from './at-rcpt.ts';
import type { RuaLookup } from './dmarc.ts';
import type { FromDomainFacts } from './mail-hosts.ts';

/** Everything that the DMARC verdict depends on. */
interface Evidence {
  readonly fromDomain: string | null;
  readonly exists: LookupResult<boolean>;
  readonly answers: DmarcAnswers;
  readonly spf: LookupResult<SpfFacts>;
  /** The domain that is used instead of SPF's if SPF is unknown. */
  readonly envelopeDomain: string;
  readonly dkim: LookupResult<DkimFacts>;
  /** Domains of the signatures, which are used if DKIM is unknown. */
  readonly signingDomains: readonly string[];
}

export interface Authenticated extends Evidence {
  /** DMARC, without the facts about its report addresses. */
  readonly dmarc: LookupResult<DmarcFacts>;
}

/** Adds to the facts where the reports of the DMARC record go, unless that is unknown (null). */
export const withRua = (
  dmarc: LookupResult<DmarcFacts>,
  lookup: RuaLookup | null,
): LookupResult<DmarcFacts> =>
  lookup === null
    ? dmarc
    : mapLookup(dmarc, (facts) => {
        const { rua, ...own } = lookup;
        return { ...facts, ...own, report: { ...facts.report, rua: [...rua] } };
      });

function toDmarc(about: Evidence): LookupResult<DmarcFacts> {
  const { fromDomain, exists, answers } = about;
  if (fromDomain === null) return known(dmarcWithoutFrom());
  return judgeDmarc({
    fromDomain,
    exists,
    answers,
    spf: spfIdentifier(about),
    dkim: dkimIdentifiers(about),
  });
}

const outcomeOf = (result: string): Identifier['outcome'] =>
  result === 'pass' ? 'pass' : result === 'temperror' ? 'undecided' : 'fail';

const spfIdentifier = ({ spf, envelopeDomain }: Evidence): Identifier =>
  spf.status === 'known'
    ? { domain: spf.value.report.domain, outcome: outcomeOf(spf.value.report.result) }
    : { domain: envelopeDomain, outcome: 'undecided' };

const dkimIdentifiers = ({ dkim, signingDomains }: Evidence): Identifier[] =>
  dkim.status === 'known'
    ? dkim.value.signatures.map(({ report: { domain, result, reason } }) => ({
        domain,
        outcome: reason === 'not_evaluated' ? 'undecided' : outcomeOf(result),
      }))
    : signingDomains.map((domain) => ({ domain, outcome: 'undecided' }));

/** Adds to the SPF facts whether SPF is aligned (RFC 9989 §4.4). Only a pass can be aligned. */
function withAlignment({ spf, fromDomain, answers }: Evidence): LookupResult<SpfFacts> {
  if (spf.status === 'unknown' || fromDomain === null) return spf;
  const { report } = spf.value;
  const alignment = alignDomains(fromDomain, report.domain, answers);
  const aligned =
    report.result === 'pass' && alignment.status === 'known' && alignment.value !== 'none';
  return known({ ...spf.value, report: { ...report, aligned } });
}

/** Waits for everything that the verdicts depend on. */
export async function authenticate(parts: {
  readonly atRcpt: Pick<AtRcpt, 'spf' | 'envelopeDomain'>;
  readonly scan: HeaderScan;
  readonly answers: Promise<DmarcAnswers>;
  readonly fromDomain: Promise<FromDomainFacts>;
  readonly dkim: Promise<LookupResult<DkimFacts>>;
}): Promise<Authenticated> {
  const { atRcpt, scan } = parts;
  const [answers, { fromDomainExists }, spf, dkim] = await Promise.all([
    parts.answers,
    parts.fromDomain,
    atRcpt.spf,
    parts.dkim,
  ]);
  const all = {
    fromDomain: scan.headerFrom.domain,
    exists: fromDomainExists,
    answers,
    spf,
    envelopeDomain: atRcpt.envelopeDomain,
    dkim,
    signingDomains: scan.dkimSignatures.flatMap(({ domain }) => domain ?? []),
  };
  const aligned = { ...all, spf: withAlignment(all) };
  return { ...aligned, dmarc: toDmarc(aligned) };
}
