import { serverStep } from '../advice/actions.ts';
import { publicFrom } from '../advice/fill.ts';
import { handedOn, passedBefore } from '../advice/whose-server.ts';
import type { DkimFact, DmarcFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import { secondSignatureStep, signatureCause, unsignedCause } from '../dkim/fixes.ts';
import { formatSignature, isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, thenLookup, unknown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';
import { isFreemail } from '../names/freemail.ts';
import {
  alignmentSteps,
  dmarcCause,
  firstRecordSteps,
  listedOrganization,
  ownFailure,
  recordSteps,
  waitsForFrom,
} from './fixes.ts';
import { strictMisses } from './strict.ts';

/**
 * Something passes for the organization as the list has it, and no record makes it one for the tree
 * walk (RFC 9989 §4.10.2).
 */
const lacksRoot = ({ dmarc }: Facts): boolean => {
  const { anyRecord, ignoredBecause, pslNote, dkimAligned } = ifKnown(dmarc) ?? {};
  const isAbsent = anyRecord === false || Boolean(ignoredBecause);
  return isAbsent && Boolean(pslNote) && !dkimAligned;
};

/** Cases in which SPF is checked for another domain. */
const NEEDS_RETURN_PATH = ['return_path', 'strict_return_path', 'no_spf'];

/** What keeps SPF from being aligned where DKIM is. */
function spfCase(facts: Facts) {
  const { names, spf, dmarc } = facts;
  if (names.nullSender) return 'helo';
  if (strictMisses(facts).some(({ tag }) => tag === 'aspf')) return 'strict_return_path';
  const { result, domain } = ifKnown(spf)?.report ?? {};
  const from = names.fromDomain ?? '';
  const isOwn =
    ifKnown(dmarc)?.report.aspf === 's'
      ? domain === from
      : isUnder(domain ?? '', names.fromOrganizationalDomain ?? from);
  if (result === 'pass') return 'return_path';
  return isOwn ? 'fix_spf' : 'no_spf';
}

/** What keeps the alignment open, as a line of `partial_errors`. */
function whyUndecidedAlignment({ spf, dkim, names }: Facts): string {
  const spfIsOpen = spf.status === 'unknown' || spf.value.report.result === 'temperror';
  if (!spfIsOpen && dkim.status === 'unknown') return dkim.error;
  const unread = ifKnown(dkim)?.signatures.find(isUndecided);
  return !spfIsOpen && unread
    ? whyUndecided(unread)
    : `dns: alignment with ${names.fromDomain ?? 'the From domain'}: not all answered`;
}

/** Whether what is aligned by DKIM is so by a signature that most receivers verify (RFC 8463 is young). */
function dkimCounts({ dkimAligned }: Pick<DmarcFacts, 'dkimAligned'>, { dkim }: Facts): boolean {
  const aligned = ifKnown(dkim)?.signatures.filter((one) => passes(one) && one.ofFromDomain) ?? [];
  const isYoung = ({ report }: DkimFact) => report.algorithm === 'ed25519-sha256';
  return dkimAligned && !(aligned.length > 0 && aligned.every(isYoung));
}

/** Whether receivers act on the failure: by the policy, for a From of others, or as nothing passes at all. */
function isRefused({ report }: DmarcFacts, facts: Facts): boolean {
  const { names, spf, dkim } = facts;
  // Who trusts the sealer takes the mail all the same (RFC 8617 §7.2.1).
  if (ifKnown(dkim)?.signatures.some((one) => one.ofFromDomain && passedBefore(one, facts)))
    return false;
  // Of what receivers ignore, or of no record, there is no policy.
  const policy = report.policy === null ? null : (report.effective_policy ?? report.policy);
  const [spfFacts, dkimFacts] = [ifKnown(spf), ifKnown(dkim)];
  const nothingPasses =
    spfFacts !== undefined &&
    spfFacts.report.result !== 'pass' &&
    dkimFacts !== undefined &&
    !dkimFacts.signatures.some(passes);
  return (
    policy === 'quarantine' || policy === 'reject' || isFreemail(names.fromDomain) || nothingPasses
  );
}

/** Judged with or without a record: publishing one with p=none must not cost points. */
export const dmarcAlignment = defineCheck({
  id: 'dmarc_alignment',
  subject: (facts) =>
    thenLookup<DmarcFacts, DmarcFacts>(facts.dmarc, (value) =>
      value.decided || value.spfAligned || value.dkimAligned
        ? known(value)
        : unknown(whyUndecidedAlignment(facts)),
    ),
  ladder: [
    ['fail', (dmarc, facts) => !dmarc.spfAligned && !dmarc.dkimAligned && isRefused(dmarc, facts)],
    ['fail', (dmarc, facts) => !dmarc.spfAligned && !dkimCounts(dmarc, facts)],
    // One aligned pass is enough; what is not known of the other is no fault.
    ['warn', (dmarc, facts) => !dkimCounts(dmarc, facts) && dmarc.decided],
    ['info', ({ spfAligned, decided }) => !spfAligned && decided],
  ],
  detail: ({ spfAligned, dkimAligned, decided, pslNote }, { spf, dkim, names: { fromDomain } }) => {
    const { result, domain } = ifKnown(spf)?.report ?? {};
    const all = ifKnown(dkim)?.signatures ?? [];
    const word = (aligned: boolean, isPass: boolean) => {
      // What does not pass is not compared: it may be the very same name.
      if (!aligned && decided && !isPass) return 'does not pass';
      return `is ${aligned ? 'aligned' : decided ? 'not aligned' : 'not known to be aligned'} with ${fromDomain ?? 'From'}`;
    };
    const said = [
      `SPF ${word(spfAligned, result === 'pass')}${result ? ` (${result} for ${domain})` : ''}`,
      `DKIM ${word(dkimAligned, all.some(passes))} (${all.map(formatSignature).join('; ') || 'no signature'})`,
      ...(pslNote ? [pslNote] : []),
    ];
    return `${said.join('. ')}.`;
  },
  fixes: ({ spfAligned, dkimAligned }, facts) => {
    if (publicFrom(facts) === null) return ['no_from'];
    if (lacksRoot(facts)) return ['one_organization'];
    if (dkimAligned) return dkimCounts({ dkimAligned }, facts) ? [spfCase(facts)] : ['young'];
    if (ownFailure(facts)) return ['fix_dkim'];
    if (!spfAligned && strictMisses(facts).length > 0) return ['strict'];
    return spfAligned ? ['sign'] : [];
  },
  waitsFor: waitsForFrom,
  values: (dmarc, facts) => {
    const { domain, selector, result, reason } = ownFailure(facts)?.report ?? {};
    const [strict] = strictMisses(facts);
    return {
      strict_domain: strict?.domain ?? '',
      strict_tag: strict?.tag ?? '',
      d: domain ?? '',
      selector: selector ?? '',
      result: (reason ?? result ?? '').replaceAll('_', ' '),
      spf_result: ifKnown(facts.spf)?.report.result ?? '',
      organization: listedOrganization(dmarc, facts),
    };
  },
  steps: (dmarc, facts) => {
    if (publicFrom(facts) === null) return undefined;
    if (lacksRoot(facts))
      return dmarc.anyRecord ? recordSteps(dmarc, facts) : firstRecordSteps(dmarc, facts);
    if (dmarc.dkimAligned) {
      if (!dkimCounts(dmarc, facts)) return [secondSignatureStep];
      const domain =
        dmarc.report.aspf === 's' ? facts.names.fromDomain : facts.names.fromOrganizationalDomain;
      return NEEDS_RETURN_PATH.includes(spfCase(facts)) && domain
        ? [serverStep('return_path', domain)]
        : undefined;
    }
    return alignmentSteps(facts);
  },
  others: ({ spfAligned, dkimAligned }, facts) =>
    spfAligned || dkimAligned ? undefined : handedOn(facts, 'sent it on in its own way'),
  cause: (dmarc, facts) => {
    if (publicFrom(facts) === null) return 'from_header';
    if (lacksRoot(facts))
      return dmarc.anyRecord
        ? dmarcCause(dmarc, facts)
        : `dmarc:${listedOrganization(dmarc, facts)}`;
    if (dmarc.dkimAligned && !dkimCounts(dmarc, facts)) return 'dkim_algorithm';
    if (dmarc.dkimAligned) return spfCase(facts) === 'fix_spf' ? spfCauseOf(facts) : 'return_path';
    const failure = ownFailure(facts);
    return failure ? signatureCause(failure) : unsignedCause(facts);
  },
});

const spfCauseOf = ({ spf }: Facts): string => `spf:${ifKnown(spf)?.report.domain ?? ''}`;
