import { serverStep } from '../advice/actions.ts';
import { commonValues, publicFrom } from '../advice/fill.ts';
import { defineCheck } from '../define-check.ts';
import { signatureCause, signatureSteps, signingSteps, unsignedCause } from '../dkim/fixes.ts';
import { formatSignature, isUndecided, passes, whyUndecided } from '../dkim/results.ts';
import { type DkimFact, type DmarcFacts, type Facts, known, unknown } from '../facts.ts';
import { ifKnown, thenLookup } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';
import { evenOut, policyTag, tagOf } from './correct.ts';
import {
  dmarcCause,
  dmarcOthers,
  firstRecordSteps,
  listedOrganization,
  policyCause,
  raiseSteps,
  recordSteps,
} from './fixes.ts';
import {
  correctedRecord,
  isWeaker,
  publishedTags,
  raisedRecord,
  recordDomain,
  tagsOf,
  withNp,
} from './record.ts';

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

/** Nothing can be published for a From that has no public domain. */
const waitsForFrom = (_: DmarcFacts, facts: Facts): string | undefined =>
  publicFrom(facts) === null ? 'from_header' : undefined;

/** What all fixes of the record share. */
const shared = { steps: recordSteps, others: dmarcOthers, cause: dmarcCause };

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

export const dmarcRecord = defineCheck({
  id: 'dmarc_record',
  subject: ({ dmarc }) => dmarc,
  ladder: [['fail', ({ anyRecord }) => !anyRecord]],
  detail: (dmarc, facts) =>
    dmarc.anyRecord
      ? `Found at _dmarc.${recordDomain(dmarc, facts)}${dmarc.report.record ? '' : ', but receivers use none'}.`
      : `None at ${dmarc.report.tree_walk?.map(({ name }) => `_dmarc.${name}`).join(', ') || 'any name'}.`,
  fixes: (_, facts) => (publicFrom(facts) === null ? ['no_from'] : []),
  waitsFor: waitsForFrom,
  values: (dmarc, facts) => ({ organization: listedOrganization(dmarc, facts) }),
  steps: (dmarc, facts) =>
    publicFrom(facts) === null ? undefined : firstRecordSteps(dmarc, facts),
  cause: (dmarc, facts) =>
    publicFrom(facts) === null ? 'from_header' : `dmarc:${listedOrganization(dmarc, facts)}`,
});

export const dmarcRecordValid = defineCheck({
  id: 'dmarc_record_valid',
  subject: ({ dmarc }) => dmarc,
  ladder: [
    ['fail', ({ ignoredBecause }) => ignoredBecause !== null],
    ['warn', ({ lint }) => lint.length > 0],
  ],
  detail: ({ ignoredBecause, lint }) =>
    ignoredBecause !== null
      ? `Receivers ignore the record: ${ignoredBecause}.`
      : lint.length > 0
        ? `${lint.join('; ')}.`
        : 'No faults.',
  fixes: (dmarc) => {
    if (dmarc.ignoredBecause === null) return [];
    const wrote = policyTag(publishedTags(dmarc), 'p');
    return [wrote === undefined || wrote === 'none' ? 'ignored' : 'never_in_force'];
  },
  values: (dmarc) => ({
    fault: dmarc.ignoredBecause ?? '',
    policy: policyTag(publishedTags(dmarc), 'p') ?? 'none',
  }),
  ...shared,
});

/** The record, when receivers use it: what they ignore has no policy to judge. */
const used = ({ dmarc }: Facts) =>
  thenLookup<DmarcFacts, DmarcFacts>(dmarc, (value) =>
    value.ignoredBecause === null && value.report.policy !== null ? known(value) : undefined,
  );

const effectiveOf = ({ report }: DmarcFacts) => report.effective_policy ?? report.policy;

export const dmarcPolicy = defineCheck({
  id: 'dmarc_policy',
  subject: used,
  ladder: [
    ['warn', (dmarc) => effectiveOf(dmarc) === 'none'],
    ['info', (dmarc) => effectiveOf(dmarc) === 'quarantine'],
  ],
  detail: (dmarc) =>
    `The effective policy is ${effectiveOf(dmarc)}${dmarc.report.testing ? ', lowered by t=y' : ''}.`,
  fixes: (dmarc) => [effectiveOf(dmarc) === 'none' ? 'none' : 'quarantine'],
  steps: (dmarc, facts) => raiseSteps(dmarc, facts, raisedRecord(dmarc, facts)),
  others: dmarcOthers,
  cause: policyCause,
});

export const dmarcSubdomainPolicy = defineCheck({
  id: 'dmarc_subdomain_policy',
  subject: used,
  ladder: [
    ['warn', ({ tags }) => isWeaker(tags)],
    ['info', ({ tags }) => !!policyTag(tags, 'sp') && !policyTag(tags, 'np')],
  ],
  detail: ({ tags }) => {
    const policies = (['p', 'sp', 'np'] as const).map(
      (name) => `${name}=${policyTag(tags, name) ?? '(not set)'}`,
    );
    return `${policies.join(', ')}.`;
  },
  fixes: ({ tags }) => (isWeaker(tags) ? [] : ['add_np']),
  steps: (dmarc, facts) =>
    raiseSteps(
      dmarc,
      facts,
      isWeaker(dmarc.tags) ? evenOut(tagsOf(correctedRecord(dmarc, facts))) : withNp(dmarc, facts),
    ),
  others: dmarcOthers,
  cause: policyCause,
});

/** A size limit after a report address: removed by RFC 9990. */
const SIZE_SUFFIX = /![0-9]+[kmgt]?\s*(?:,|$)/i;

/** `pct=` as a number; one that cannot be read is read as 100, as receivers do. */
const pctOf = ({ tags }: DmarcFacts): number | undefined => {
  const pct = tagOf(tags, 'pct');
  return pct === undefined ? undefined : /^\d{1,3}$/.test(pct) ? Number(pct) : 100;
};

const legacyOf = ({ tags }: DmarcFacts): readonly string[] => [
  ...['pct', 'rf', 'ri'].flatMap((name) => {
    const value = tagOf(tags, name);
    return value === undefined ? [] : [`${name}=${value}`];
  }),
  ...['rua', 'ruf']
    .filter((name) => SIZE_SUFFIX.test(tagOf(tags, name) ?? ''))
    .map((name) => `!size in ${name}=`),
];

export const dmarcLegacyTags = defineCheck({
  id: 'dmarc_legacy_tags',
  subject: used,
  ladder: [
    ['warn', (dmarc) => (pctOf(dmarc) ?? 100) < 100],
    ['info', (dmarc) => legacyOf(dmarc).length > 0],
  ],
  detail: (dmarc) => {
    const legacy = legacyOf(dmarc);
    return legacy.length > 0 ? `Found: ${legacy.join(', ')}.` : 'None found.';
  },
  fixes: (dmarc) => ((pctOf(dmarc) ?? 100) < 100 ? ['pct'] : []),
  values: (dmarc) => ({ pct: pctOf(dmarc) ?? 100 }),
  ...shared,
});

export const dmarcInherited = defineCheck({
  id: 'dmarc_inherited',
  subject: used,
  ladder: [['info', ({ inherited }) => inherited]],
  detail: (dmarc, facts) => `The policy comes from _dmarc.${recordDomain(dmarc, facts)}.`,
});
