/** The corrected DMARC record that all fixes print. */

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

/**
 * Returns the name whose record should be changed. If the record is inherited, that is the organizational
 * domain.
 */
export const recordDomain = ({ report, asideAt }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? asideAt ?? names.fromDomain ?? 'your domain';

/** Returns a report address at the record's domain, unless that domain is known to receive no mail. */
export function reportAddress(
  domain: string,
  { names: { fromDomain, fromMx } }: Facts,
): string | null {
  const takesNoMail = domain === fromDomain && ifKnown(fromMx)?.mx.length === 0;
  return takesNoMail ? null : `mailto:dmarc@${domain}`;
}

/**
 * Returns where reports should go: every published address that can receive mail, or one of the sender's own
 * if none of them is known to receive any.
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
  // An address that was not looked up may well be right.
  const kept = published.filter((uri) => lookups.get(uri)?.has_mx !== false);
  const isReached = kept.some((uri) => {
    const one = lookups.get(uri);
    return one === undefined || isDeliverable(one) !== false;
  });
  const own = reportAddress(recordDomain(dmarc, facts), facts);
  const all = isReached || own === null ? kept : [...new Set([...kept, own])];
  return all.length > 0 ? all.join(',') : null;
}

/**
 * Returns whether receivers apply the policy as written. An unusable `sp=` makes the policy "none" (RFC 9989
 * §4.10.1).
 */
export const isInForce = (dmarc: DmarcFacts): boolean =>
  dmarc.ignoredBecause === null &&
  strengthOf(policyTag(dmarc.tags, 'p') ?? 'none') <= strengthOf(dmarc.report.policy ?? 'none');

/**
 * Returns the one record that every fix without a stronger policy prints, so that following one of these
 * fixes satisfies all of them. A policy that was never in force begins at `p=none`.
 */
export function correctedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const record = records.get(facts) ?? correct(dmarc, facts);
  records.set(facts, record);
  return record;
}

/** Kept, because several checks of an email need the record. */
const records = new WeakMap<Facts, string>();

function correct(dmarc: DmarcFacts, facts: Facts): string {
  const rua = reportsTo(dmarc, facts);
  const kept = isInForce(dmarc) ? dmarc.tags : startAtNone(dmarc.tags);
  return withTags(kept, rua === null ? {} : { rua });
}

/** Returns the corrected record one step stronger, for when the reports show that no mail suffers. */
export function raisedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const corrected = correctedRecord(dmarc, facts);
  const tags = tagsOf(corrected);
  const isEnforced = policyTag(tags, dmarc.applies) === 'reject' && tagOf(tags, 't') !== 'y';
  return evenOut(tagsOf(isEnforced ? corrected : strengthen(tags, dmarc.applies)));
}

/** Returns the corrected record with a policy for names that do not exist. */
export const withNp = (dmarc: DmarcFacts, facts: Facts): string =>
  withTags(tagsOf(correctedRecord(dmarc, facts)), { np: 'reject' });

/** Returns the corrected record with its policy applied to all mail, if `pct=` limits it to a share. */
export const wholeRecord = (dmarc: DmarcFacts, facts: Facts): string =>
  withoutPct(tagsOf(correctedRecord(dmarc, facts)));

/**
 * Returns a record strong enough for a logo: the corrected one if it is strong enough, or would be when
 * applied to all mail; otherwise the raised one.
 */
export function enforcedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const enforced = (record: string) => cleanRecord(enforce(tagsOf(record)));
  const enough = [correctedRecord(dmarc, facts), wholeRecord(dmarc, facts)].find(
    (record) => enforced(record) === record,
  );
  return enough ?? enforced(raisedRecord(dmarc, facts));
}

/** Returns whether two records have the same tags, in any order and case. */
export const isSameRecord = (one: Tags, other: Tags): boolean => textOf(one) === textOf(other);

const textOf = (tags: Tags): string =>
  tags
    .map(([name, value]) => `${name.trim()}=${value.trim().replace(/\s*,\s*/g, ',')}`.toLowerCase())
    .sort()
    .join(';');
