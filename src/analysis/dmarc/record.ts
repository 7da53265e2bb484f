import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { correctAddress, listAddresses } from '../syntax/report-address.ts';
import {
  cleanRecord,
  enforce,
  evenOut,
  isDeliverable,
  policyTag,
  startAtNone,
  strengthen,
  strengthOf,
  type Tags,
  tagOf,
  withoutPct,
  withTags,
} from './correct.ts';
import type { DmarcFacts } from './facts.ts';
import { tagsOf } from './parse.ts';

/** The name whose record is to be changed: the organizational domain's when it is inherited. */
export const recordDomain = ({ report, asideAt }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? asideAt ?? names.fromDomain ?? 'your domain';

/** For reports: at the domain of the record, unless that is known to take no mail. */
export function reportAddress(
  domain: string,
  { names: { fromDomain, fromMx } }: Facts,
): string | null {
  const takesNoMail = domain === fromDomain && ifKnown(fromMx)?.mx.length === 0;
  return takesNoMail ? null : `mailto:dmarc@${domain}`;
}

/**
 * Where reports are to go: to every address published that can take mail, and to one of the sender's
 * own where none of them is known to get any.
 */
function reportsTo(dmarc: DmarcFacts, facts: Facts): string | null {
  const lookups = new Map(
    (dmarc.report.rua ?? []).map((one) => {
      const uri = correctAddress(one.uri) ?? one.uri;
      return [uri, { ...one, uri }] as const;
    }),
  );
  const published = listAddresses(tagOf(dmarc.tags, 'rua') ?? '').flatMap(
    (uri) => correctAddress(uri) ?? [],
  );
  // What was not looked up may well be right.
  const kept = published.filter((uri) => lookups.get(uri)?.has_mx !== false);
  const isReached = kept.some((uri) => {
    const one = lookups.get(uri);
    return one === undefined || isDeliverable(one) !== false;
  });
  const own = reportAddress(recordDomain(dmarc, facts), facts);
  const all = isReached || own === null ? kept : [...new Set([...kept, own])];
  return all.length > 0 ? all.join(',') : null;
}

/** Whether receivers act on the policy that is written. An unusable `sp=` makes it none (RFC 9989 §4.7). */
export const isInForce = (dmarc: DmarcFacts): boolean =>
  dmarc.ignoredBecause === null &&
  strengthOf(policyTag(dmarc.tags, 'p') ?? 'none') <= strengthOf(dmarc.report.policy ?? 'none');

/**
 * The one record that every fix prints which asks for no stronger policy: following one of them is
 * following all. What was never in force begins at `p=none`.
 */
export function correctedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const record = records.get(facts) ?? correct(dmarc, facts);
  records.set(facts, record);
  return record;
}

/** Several checks of a mail ask for it. */
const records = new WeakMap<Facts, string>();

function correct(dmarc: DmarcFacts, facts: Facts): string {
  const rua = reportsTo(dmarc, facts);
  const kept = isInForce(dmarc) ? dmarc.tags : startAtNone(dmarc.tags);
  return withTags(kept, rua === null ? {} : { rua });
}

/** The corrected record one step stronger, for when the reports show that no mail suffers. */
export function raisedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const corrected = correctedRecord(dmarc, facts);
  const tags = tagsOf(corrected);
  const isEnforced = policyTag(tags, dmarc.applies) === 'reject' && tagOf(tags, 't') !== 'y';
  return evenOut(tagsOf(isEnforced ? corrected : strengthen(tags, dmarc.applies)));
}

/** The corrected record with a policy for names that do not exist. */
export const withNp = (dmarc: DmarcFacts, facts: Facts): string =>
  withTags(tagsOf(correctedRecord(dmarc, facts)), { np: 'reject' });

/** The corrected record for all mail, where `pct=` holds its policy back for some. */
export const wholeRecord = (dmarc: DmarcFacts, facts: Facts): string =>
  withoutPct(tagsOf(correctedRecord(dmarc, facts)));

/** Strong enough for a logo: the corrected record if it is, or is for all mail; else the raised one. */
export function enforcedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const enforced = (record: string) => cleanRecord(enforce(tagsOf(record)));
  const enough = [correctedRecord(dmarc, facts), wholeRecord(dmarc, facts)].find(
    (record) => enforced(record) === record,
  );
  return enough ?? enforced(raisedRecord(dmarc, facts));
}

/** Two records with the same tags, in any order and case. */
export const isSameRecord = (one: Tags, other: Tags): boolean => textOf(one) === textOf(other);

const textOf = (tags: Tags): string =>
  tags
    .map(([name, value]) => `${name.trim()}=${value.trim().replace(/\s*,\s*/g, ',')}`.toLowerCase())
    .sort()
    .join(';');
