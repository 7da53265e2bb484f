import { serverStep } from '../advice/actions.ts';
import { commonValues, publicFrom } from '../advice/fill.ts';
import type { DkimFact, DmarcFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import { signatureCause, signatureSteps, signingSteps, unsignedCause } from '../dkim/fixes.ts';
import { formatSignature, isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, known, thenLookup, unknown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';
import { firstRecordSteps, listedOrganization, waitsForFrom } from './fixes.ts';

/** A signature that would be aligned if it verified. */
const ownFailure = ({ dkim, dmarc }: Facts): DkimFact | undefined =>
  ifKnown(dkim)?.signatures.find(
    (one) =>
      !passes(one) &&
      !isUndecided(one) &&
      (ifKnown(dmarc)?.report.adkim === 's' ? one.report.strict_aligned : one.ofFromDomain),
  );

/**
 * Something passes for the organization as the list has it, and no record makes it one for the tree
 * walk (RFC 9989 §4.10.2).
 */
const lacksRoot = ({ dmarc }: Facts): boolean => {
  const { anyRecord, pslNote, spfAligned, dkimAligned } = ifKnown(dmarc) ?? {};
  return anyRecord === false && Boolean(pslNote) && !spfAligned && !dkimAligned;
};

/** What keeps SPF from being aligned where DKIM is. */
function spfCase({ names, spf, dmarc }: Facts): 'helo' | 'fix_spf' | 'return_path' {
  if (names.nullSender) return 'helo';
  const { result, domain } = ifKnown(spf)?.report ?? {};
  const from = names.fromDomain ?? '';
  const isOwn =
    ifKnown(dmarc)?.report.aspf === 's'
      ? domain === from
      : isUnder(domain ?? '', names.fromOrganizationalDomain ?? from);
  return isOwn && result !== 'pass' ? 'fix_spf' : 'return_path';
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

/** Judged with or without a record: publishing one must not cost points. */
export const dmarcAlignment = defineCheck({
  id: 'dmarc_alignment',
  subject: (facts) =>
    thenLookup<DmarcFacts, DmarcFacts>(facts.dmarc, (value) =>
      value.decided || value.spfAligned || value.dkimAligned
        ? known(value)
        : unknown(whyUndecidedAlignment(facts)),
    ),
  ladder: [
    ['fail', ({ spfAligned, dkimAligned }) => !spfAligned && !dkimAligned],
    // One aligned pass is enough; what is not known of the other is no fault.
    ['warn', ({ dkimAligned, decided }) => !dkimAligned && decided],
    ['info', ({ spfAligned, decided }) => !spfAligned && decided],
  ],
  detail: ({ spfAligned, dkimAligned, decided, pslNote }, { spf, dkim, names: { fromDomain } }) => {
    const word = (aligned: boolean) =>
      `${aligned ? 'aligned' : decided ? 'not aligned' : 'not known to be aligned'} with ${fromDomain ?? 'From'}`;
    const { result, domain } = ifKnown(spf)?.report ?? {};
    const signatures = ifKnown(dkim)?.signatures.map(formatSignature).join('; ');
    const said = [
      `SPF is ${word(spfAligned)}${result ? ` (${result} for ${domain})` : ''}`,
      `DKIM is ${word(dkimAligned)} (${signatures || 'no signature'})`,
      ...(pslNote ? [pslNote] : []),
    ];
    return `${said.join('. ')}.`;
  },
  fixes: ({ spfAligned, dkimAligned }, facts) => {
    if (publicFrom(facts) === null) return ['no_from'];
    if (lacksRoot(facts)) return ['one_organization'];
    if (dkimAligned) return [spfCase(facts)];
    if (ownFailure(facts)) return ['fix_dkim'];
    return spfAligned ? ['sign'] : [];
  },
  waitsFor: waitsForFrom,
  values: (dmarc, facts) => {
    const { domain, selector, result, reason } = ownFailure(facts)?.report ?? {};
    return {
      d: domain ?? '',
      selector: selector ?? '',
      result: (reason ?? result ?? '').replaceAll('_', ' '),
      spf_result: ifKnown(facts.spf)?.report.result ?? '',
      organization: listedOrganization(dmarc, facts),
    };
  },
  steps: (dmarc, facts) => {
    if (publicFrom(facts) === null) return undefined;
    if (lacksRoot(facts)) return firstRecordSteps(dmarc, facts);
    if (dmarc.dkimAligned) {
      const domain =
        dmarc.report.aspf === 's' ? facts.names.fromDomain : facts.names.fromOrganizationalDomain;
      return spfCase(facts) === 'return_path' && domain
        ? [serverStep('return_path', domain)]
        : undefined;
    }
    const failure = ownFailure(facts);
    if (failure) return signatureSteps(failure);
    return signingSteps(String(commonValues(facts).signing_domain), facts);
  },
  cause: (dmarc, facts) => {
    if (publicFrom(facts) === null) return 'from_header';
    if (lacksRoot(facts)) return `dmarc:${listedOrganization(dmarc, facts)}`;
    if (dmarc.dkimAligned) return spfCase(facts) === 'fix_spf' ? spfCauseOf(facts) : 'return_path';
    const failure = ownFailure(facts);
    return failure ? signatureCause(failure) : unsignedCause(facts);
  },
});

const spfCauseOf = ({ spf }: Facts): string => `spf:${ifKnown(spf)?.report.domain ?? ''}`;
