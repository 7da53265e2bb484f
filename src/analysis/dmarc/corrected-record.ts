/**
 * Determines which domain's DMARC record to change and whether its policy is in force, and builds the
 * corrected record that all fixes show, and its stricter variants.
 */

import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isFreemail } from '../names/domain-names.ts';
import { lacksOnlyPolicy } from '../names/parked.ts';
import { correctAddress, intendedAddresses, parseReportAddress } from '../syntax/report-address.ts';
import {
  cleanRecord,
  enforce,
  evenOut,
  isDeliverable,
  policyTag,
  type RuaAddress,
  startAtNone,
  strengthen,
  strengthOf,
  type Tags,
  tagOf,
  withoutPct,
  withTags,
} from './correct.ts';
import { isFalseSuffix } from './evaluate.ts';
import type { DmarcFacts } from './facts.ts';
import { tagsOf } from './parse.ts';

/**
 * Returns the domain whose DMARC record should be changed. If the record is inherited, that is the domain
 * that publishes it.
 */
export const recordDomain = ({ report, asideAt }: DmarcFacts, { names }: Facts): string =>
  report.record_domain ?? asideAt ?? names.fromDomain ?? 'your domain';

/** Returns a report address at a domain, or null if the domain is known not to receive mail. */
export function reportAddress(
  domain: string,
  { dmarc, names: { fromDomain, fromMx } }: Facts,
): string | null {
  const takesNoMail =
    domain === fromDomain ? ifKnown(fromMx)?.mx.length === 0 : ifKnown(dmarc)?.hasNoMailHost;
  return takesNoMail ? null : `mailto:dmarc@${domain}`;
}

/** Returns whether an address is at a free email provider, none of which accepts reports about others. */
export const isRefusedByFreemail = ({ uri, authorized }: RuaAddress): boolean =>
  authorized === false && isFreemail(parseReportAddress(uri).host);

/**
 * Returns the value of `rua=` for the corrected record: every published address that may be able to receive
 * reports, and an address at the record's domain if none of them can receive reports. Returns null if there is
 * no address.
 */
function reportsTo(dmarc: DmarcFacts, facts: Facts): string | null {
  const lookups = new Map(
    (dmarc.report.rua ?? []).map((one) => {
      const uri = correctAddress(one.uri) ?? one.uri;
      return [uri, { ...one, uri }] as const;
    }),
  );
  const published = intendedAddresses(tagOf(dmarc.tags, 'rua') ?? '').flatMap(
    (uri) => correctAddress(uri) ?? [],
  );
  // An address that was not looked up may be able to receive mail, so it stays.
  const kept = published.filter((uri) => {
    const one = lookups.get(uri);
    return one === undefined || (one.has_mx !== false && !isRefusedByFreemail(one));
  });
  const isReached = kept.some((uri) => {
    const one = lookups.get(uri);
    return one === undefined || isDeliverable(one) !== false;
  });
  const own = reportAddress(recordDomain(dmarc, facts), facts);
  const all = isReached || own === null ? kept : [...new Set([...kept, own])];
  return all.length > 0 ? all.join(',') : null;
}

/**
 * Returns whether receivers apply the policies as written. If `p=` is missing, or one of them is invalid,
 * they act as if the whole record said `p=none` (RFC 9989 §4.10.1).
 */
export function isInForce({ ignoredBecause, tags, report }: DmarcFacts): boolean {
  const p = policyTag(tags, 'p');
  const isValid = (name: 'sp' | 'np') =>
    tagOf(tags, name) === undefined || policyTag(tags, name) !== undefined;
  return (
    ignoredBecause === null &&
    p !== undefined &&
    isValid('sp') &&
    isValid('np') &&
    strengthOf(p) <= strengthOf(report.policy ?? 'none')
  );
}

/**
 * Returns the corrected record of an email's From domain. Every fix that does not raise the policy shows this
 * same record, so that publishing it once satisfies all of these fixes. A policy that was never in force
 * starts at `p=none`.
 */
export function correctedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const record = records.get(facts) ?? correct(dmarc, facts);
  records.set(facts, record);
  return record;
}

/** Remembers the corrected record of an email, because several checks need it. */
const records = new WeakMap<Facts, string>();

const withoutTag = (tags: Tags, tag: string): Tags =>
  tags.filter(([name]) => name.toLowerCase() !== tag);

function correct(dmarc: DmarcFacts, facts: Facts): string {
  const rua = reportsTo(dmarc, facts);
  const valid = isInForce(dmarc) ? dmarc.tags : startAtNone(dmarc.tags);
  const kept = isFalseSuffix(recordDomain(dmarc, facts), dmarc.report.psd)
    ? withoutTag(valid, 'psd')
    : valid;
  return withTags(kept, rua === null ? {} : { rua });
}

/**
 * Returns the corrected record with a policy one step stronger, to be published when the reports show that
 * none of the sender's mail fails.
 */
export function raisedRecord(dmarc: DmarcFacts, facts: Facts): string {
  const corrected = correctedRecord(dmarc, facts);
  const tags = tagsOf(corrected);
  if (lacksOnlyPolicy(facts)) return withTags(withoutTag(tags, 't'), { p: 'reject' });
  const isEnforced = policyTag(tags, dmarc.applies) === 'reject' && tagOf(tags, 't') !== 'y';
  return evenOut(tagsOf(isEnforced ? corrected : strengthen(tags, dmarc.applies)));
}

/** Returns the corrected record with `np=reject`, a policy for subdomains that do not exist. */
export const withNp = (dmarc: DmarcFacts, facts: Facts): string =>
  withTags(tagsOf(correctedRecord(dmarc, facts)), { np: 'reject' });

/** Returns the corrected record without `pct=`, so that its policy applies to all mail. */
export const wholeRecord = (dmarc: DmarcFacts, facts: Facts): string =>
  withoutPct(tagsOf(correctedRecord(dmarc, facts)));

/**
 * Returns a record that is strong enough for BIMI: the corrected one if it is strong enough, with or without
 * `pct=`, and otherwise the raised one.
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
