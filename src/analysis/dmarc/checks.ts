import { publicFrom } from '../advice/fill.ts';
import type { DmarcFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatFound } from '../format.ts';
import { keepIf, thenLookup, unknown } from '../lookup-result.ts';
import { evenOut, policyTag, tagOf } from './correct.ts';
import {
  dmarcCause,
  dmarcOthers,
  firstRecordSteps,
  listedOrganization,
  policyCause,
  raiseSteps,
  recordSteps,
  waitsForFrom,
  waitsForRecord,
} from './fixes.ts';
import {
  appliedTag,
  correctedRecord,
  isInForce,
  isWeaker,
  publishedTags,
  raisedRecord,
  recordDomain,
  tagsOf,
  withNp,
} from './record.ts';

/** What all fixes of the record share. */
const shared = { steps: recordSteps, others: dmarcOthers, cause: dmarcCause };

export const dmarcRecord = defineCheck({
  id: 'dmarc_record',
  subject: ({ dmarc }) => dmarc,
  ladder: [['fail', ({ anyRecord }) => !anyRecord]],
  detail: (dmarc, facts) => {
    if (dmarc.anyRecord)
      return `Found at _dmarc.${recordDomain(dmarc, facts)}${dmarc.report.record ? '' : ', but receivers use none'}.`;
    const names = dmarc.report.tree_walk?.map(({ name }) => `_dmarc.${name}`).join(', ');
    const elsewhere = dmarc.elsewhere ? ` One is at ${dmarc.elsewhere.name}.` : '';
    return `None at ${names || 'any name'}.${elsewhere}`;
  },
  fixes: (dmarc, facts) => {
    if (publicFrom(facts) === null) return ['no_from'];
    return dmarc.elsewhere ? ['misplaced'] : [];
  },
  waitsFor: waitsForFrom,
  values: (dmarc, facts) => ({
    organization: listedOrganization(dmarc, facts),
    elsewhere: dmarc.elsewhere?.name ?? '',
  }),
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
    if (dmarc.ignoredBecause === null) return isInForce(dmarc) ? [] : ['lowered'];
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
  keepIf(dmarc, ({ ignoredBecause, report }) => ignoredBecause === null && report.policy !== null);

const effectiveOf = ({ report }: DmarcFacts) => report.effective_policy ?? report.policy;

export const dmarcPolicy = defineCheck({
  id: 'dmarc_policy',
  subject: (facts) =>
    thenLookup<DmarcFacts, DmarcFacts>(facts.dmarc, (dmarc) =>
      dmarc.report.policy !== null && dmarc.report.effective_policy === null
        ? unknown(`dns: whether ${facts.names.fromDomain} exists: no answer`)
        : used(facts),
    ),
  ladder: [
    ['warn', (dmarc) => effectiveOf(dmarc) === 'none'],
    ['info', (dmarc) => effectiveOf(dmarc) === 'quarantine'],
  ],
  detail: (dmarc) =>
    `The effective policy is ${effectiveOf(dmarc)}${dmarc.report.testing ? ', lowered by t=y' : ''}.`,
  fixes: (dmarc, facts) => {
    if (effectiveOf(dmarc) !== 'none') return ['quarantine'];
    const tag = appliedTag(dmarc, dmarc.tags, facts);
    // Without t=y the policy would be stronger than what receivers do now.
    if (dmarc.report.testing && (policyTag(dmarc.tags, tag) ?? 'none') !== 'none')
      return ['testing'];
    return [tag === 'p' ? 'none' : tag];
  },
  values: (dmarc, facts) => {
    const tag = appliedTag(dmarc, dmarc.tags, facts);
    return {
      record_domain: recordDomain(dmarc, facts),
      policy: `${tag}=${policyTag(dmarc.tags, tag) ?? 'none'}`,
    };
  },
  steps: (dmarc, facts) => raiseSteps(dmarc, facts, raisedRecord(dmarc, facts)),
  others: dmarcOthers,
  waitsFor: waitsForRecord,
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
  waitsFor: waitsForRecord,
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
  detail: (dmarc) => formatFound(legacyOf(dmarc)),
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
