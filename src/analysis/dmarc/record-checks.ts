import type { DmarcFacts, Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import {
  cleanRecord,
  enforce,
  evenOut,
  policyTag,
  strengthen,
  strengthOf,
  type Tags,
  tagOf,
  withTags,
} from './correct.ts';
import { listAddresses, mendAddress } from './correct-rua.ts';
import { isDeliverable } from './rua-address.ts';

/** The name whose record is to be changed: the organizational domain's when it is inherited. */
export const recordDomain = ({ report, ignored }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? ignored?.name ?? names.fromDomain ?? 'YOUR.DOMAIN';

const publishedTags = ({ ignored, tags }: DmarcFacts): Tags => ignored?.tags ?? tags;

/** For reports: at the domain of the record, unless that is known to take no mail. */
function reportAddress(dmarc: DmarcFacts, facts: Facts): string {
  const domain = recordDomain(dmarc, facts);
  const { fromDomain, fromMx } = facts.names;
  const takesNoMail = domain === fromDomain && ifKnown(fromMx)?.mx.length === 0;
  return takesNoMail ? 'mailto:ADDRESS@YOUR.MAIL.DOMAIN' : `mailto:dmarc@${domain}`;
}

/** Where reports are to go: addresses that reach nobody give way to one of the sender's own. */
function reportsTo(dmarc: DmarcFacts, facts: Facts): string {
  const lookups = new Map(
    (dmarc.report.rua ?? []).map((one) => {
      const uri = mendAddress(one.uri) ?? one.uri;
      return [uri, isDeliverable({ ...one, uri })] as const;
    }),
  );
  const published = listAddresses(tagOf(publishedTags(dmarc), 'rua') ?? '').flatMap(
    (uri) => mendAddress(uri) ?? [],
  );
  // What was not looked up may well be right.
  const reached = published.filter((uri) => lookups.get(uri) !== false);
  const kept = published.some((uri) => lookups.get(uri) === true) ? published : reached;
  return kept.length > 0 ? kept.join(',') : reportAddress(dmarc, facts);
}

/** Whether the record has a fault, or an omission, that can be mended without waiting for reports. */
const needsMending = (dmarc: DmarcFacts, mended: string): boolean =>
  dmarc.ignoredBecause !== null ||
  dmarc.lint.length > 0 ||
  textOf(publishedTags(dmarc)) !== textOf(tagsOf(mended));

/** In any order and case. */
const textOf = (tags: Tags): string =>
  tags
    .map(([name, value]) => `${name.trim()}=${value.replace(/\s+/g, '')}`.toLowerCase())
    .sort()
    .join(';');

/**
 * The one record that every fix prints which asks for no stronger policy: whoever follows one of
 * them has followed all, and none undoes another.
 */
export function mendedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const tags = publishedTags(dmarc);
  const lacksNp = policyTag(tags, 'sp') !== undefined && policyTag(tags, 'np') === undefined;
  return withTags(tags, {
    rua: reportsTo(dmarc, facts),
    // No mail of yours comes from a name that does not exist.
    ...(lacksNp && { np: 'reject' }),
  });
}

/** The tag that gives the From domain its policy. */
function appliedTag({ inherited, report }: DmarcFacts, tags: Tags, { names }: Facts) {
  if (!inherited || report.psd === 'y') return 'p';
  const absent = ifKnown(names.fromDomainExists) === false;
  if (absent && policyTag(tags, 'np')) return 'np';
  return policyTag(tags, 'sp') ? 'sp' : 'p';
}

/** `sp=` or `np=` as published, when it is weaker than the policy it takes the place of. */
export const isWeaker = (tags: Tags): boolean => {
  const p = strengthOf(policyTag(tags, 'p') ?? 'none');
  return (['sp', 'np'] as const).some((name) => {
    const own = policyTag(tags, name);
    return own !== undefined && strengthOf(own) < p;
  });
};

/** Policies are raised when the reports show that no mail of the sender's suffers. */
export interface Raise {
  /** The record one step stronger, and mended. */
  readonly raised: string;
  /** What comes before it, for reports are wanted first; null: there is nothing else to mend. */
  readonly first: string | null;
  /** The mended record has the policy already: it was written, and a fault kept it from counting. */
  readonly isWritten: boolean;
}

/** The one record to which every fix leads that asks for a stronger policy. */
export function raiseOf(dmarc: DmarcFacts, facts: Facts): Raise {
  const mended = mendedRecord(dmarc, facts);
  const tags = tagsOf(mended);
  const tag = appliedTag(dmarc, tags, facts);
  const isEnforced = policyTag(tags, tag) === 'reject' && tagOf(tags, 't') !== 'y';
  const stronger = isEnforced ? mended : strengthen(tags, tag);
  const raised = evenOut(tagsOf(stronger));
  const first = needsMending(dmarc, mended) ? mended : null;
  return { raised, first, isWritten: first !== null && raised === mended };
}

/** The raised record, strong enough for a logo too. */
export const enforcedRecord = (dmarc: DmarcFacts, facts: Facts): string =>
  cleanRecord(enforce(tagsOf(raiseOf(dmarc, facts).raised)));

const tagsOf = (record: string): Tags =>
  record.split('; ').map((tag) => {
    const at = tag.indexOf('=');
    return [tag.slice(0, at), tag.slice(at + 1)];
  });
