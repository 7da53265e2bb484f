import { defineCheck } from '../define-check.ts';
import { type DmarcFacts, type Facts, known, unknown } from '../facts.ts';
import { thenLooked } from '../looked.ts';
import { cleanRecord, policyTag, strengthen, strengthOf, tagOf } from '../records/correct-dmarc.ts';

/** Judged with or without a record: publishing one must not cost points. */
export const dmarcAlignment = defineCheck({
  id: 'dmarc_alignment',
  subject: ({ dmarc, names }) =>
    thenLooked<DmarcFacts, DmarcFacts>(dmarc, (value) =>
      value.decided || (value.spfAligned && value.dkimAligned)
        ? known(value)
        : unknown(`dns: alignment with ${names.fromDomain ?? 'the From domain'}: not all answered`),
    ),
  ladder: [
    ['fail', ({ spfAligned, dkimAligned }) => !spfAligned && !dkimAligned],
    ['warn', ({ dkimAligned }) => !dkimAligned],
    ['info', ({ spfAligned }) => !spfAligned],
  ],
  detail: ({ spfAligned, dkimAligned, pslNote }) => {
    const word = (aligned: boolean) => (aligned ? 'aligned' : 'not aligned');
    const note = pslNote ? ` ${pslNote}.` : '';
    return `SPF is ${word(spfAligned)}, DKIM is ${word(dkimAligned)}.${note}`;
  },
});

/** The name whose record is to be changed: the organizational domain's when it is inherited. */
const recordDomain = ({ report, ignored }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? ignored?.name ?? names.fromDomain ?? 'YOUR.DOMAIN';

export const dmarcRecord = defineCheck({
  id: 'dmarc_record',
  subject: ({ dmarc }) => dmarc,
  ladder: [['fail', ({ anyRecord }) => !anyRecord]],
  detail: (dmarc, facts) =>
    dmarc.anyRecord
      ? `Found at _dmarc.${recordDomain(dmarc, facts)}.`
      : `None at ${dmarc.report.tree_walk?.map(({ name }) => `_dmarc.${name}`).join(', ') || 'any name'}.`,
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
  values: (dmarc, facts) => {
    const domain = recordDomain(dmarc, facts);
    const own = dmarc.ignored?.tags ?? dmarc.tags;
    return { from_domain: domain, corrected_record: cleanRecord(own) };
  },
});

/** The record, when receivers use it: what they ignore has no policy to judge. */
const used = ({ dmarc }: Facts) =>
  thenLooked<DmarcFacts, DmarcFacts>(dmarc, (value) =>
    value.ignoredBecause === null && value.report.policy !== null ? known(value) : undefined,
  );

const effectiveOf = ({ report }: DmarcFacts) => report.effective_policy ?? report.policy;

/** The tag that gives the From domain its policy. */
function appliedTag({ inherited, tags, report }: DmarcFacts, { names }: Facts): 'p' | 'sp' | 'np' {
  if (!inherited || report.psd === 'y') return 'p';
  const exists = names.fromDomainExists;
  const absent = exists.status === 'known' && !exists.value;
  if (absent && policyTag(tags, 'np')) return 'np';
  return policyTag(tags, 'sp') ? 'sp' : 'p';
}

export const dmarcPolicy = defineCheck({
  id: 'dmarc_policy',
  subject: used,
  ladder: [
    ['warn', (dmarc) => effectiveOf(dmarc) === 'none'],
    ['info', (dmarc) => effectiveOf(dmarc) === 'quarantine'],
  ],
  detail: (dmarc) =>
    `The effective policy is ${effectiveOf(dmarc)}${dmarc.report.testing ? ', lowered by t=y' : ''}.`,
  values: (dmarc, facts) => ({
    corrected_record: strengthen(dmarc.tags, appliedTag(dmarc, facts)),
  }),
});

/** `sp=` or `np=` as published, when it is weaker than the policy it takes the place of. */
const isWeaker = ({ tags }: DmarcFacts): boolean => {
  const p = strengthOf(policyTag(tags, 'p') ?? 'none');
  return (['sp', 'np'] as const).some((name) => {
    const own = policyTag(tags, name);
    return own !== undefined && strengthOf(own) < p;
  });
};

export const dmarcSubdomainPolicy = defineCheck({
  id: 'dmarc_subdomain_policy',
  subject: used,
  ladder: [
    ['warn', isWeaker],
    ['info', ({ tags }) => !!policyTag(tags, 'sp') && !policyTag(tags, 'np')],
  ],
  detail: ({ tags }) => {
    const said = (['p', 'sp', 'np'] as const).map(
      (name) => `${name}=${policyTag(tags, name) ?? '(not set)'}`,
    );
    return `${said.join(', ')}.`;
  },
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
});

export const dmarcInherited = defineCheck({
  id: 'dmarc_inherited',
  subject: used,
  ladder: [['info', ({ inherited }) => inherited]],
  detail: (dmarc, facts) => `The policy comes from _dmarc.${recordDomain(dmarc, facts)}.`,
});
