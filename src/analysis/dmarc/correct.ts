/**
 * Makes corrected and stricter copies of a sender's own DMARC record from its tags, and decides whether its
 * report addresses can receive reports. Does not look anything up.
 */

import { POLICIES, type Policy } from '../../domain/report/authentication.ts';
import { correctAddress, intendedAddresses, parseReportAddress } from '../syntax/report-address.ts';
import type { DmarcFacts } from './facts.ts';
import { KNOWN_TAGS, policyOf, separateTags, TAG_WORDS, tagsOf } from './parse.ts';

export type RuaAddress = NonNullable<DmarcFacts['report']['rua']>[number];

/** Returns whether DMARC reports reach an address, or `undefined` if a lookup that decides this failed. */
export function isDeliverable(address: RuaAddress): boolean | undefined {
  const { external, authorized, has_mx } = address;
  if (parseReportAddress(address.uri).host === null || has_mx === false) return false;
  // An external domain must publish that it accepts the reports (RFC 9990).
  if (external && authorized === false) return false;
  return has_mx === null || (external && authorized === null) ? undefined : true;
}

export type Tags = readonly (readonly [name: string, value: string])[];

/**
 * The tags of a corrected record, in the order in which they are written (RFC 9989 §4.7). Older receivers
 * expect `p=` in second place.
 */
const KNOWN = ['p', 'sp', 'np', 't', 'pct', 'psd', 'adkim', 'aspf', 'rua', 'ruf', 'fo'];

const isPolicy = (value: string | undefined): value is Policy => policyOf(value) !== null;

/**
 * Tags that stay out of a corrected record if a missing semicolon has kept receivers from reading them. The
 * sender's mail may depend on that by now.
 */
const DORMANT = ['sp', 'np', 't', 'psd', 'adkim', 'aspf'];

/** Corrects a tag that has a colon instead of an equals sign, as in `p:none`. */
const withSign = ([name, value]: Tags[number]): Tags[number] => {
  const [, own, said] = (value === '' && /^(\w+)\s*:(.*)$/s.exec(name.trim())) || [];
  return own === undefined || said === undefined || /^mailto$/i.test(own)
    ? [name, value]
    : [own, said];
};

/**
 * Gives the name `rua` or `ruf` to an unknown tag whose value is a `mailto:` address. An address after a
 * semicolon looks like a tag itself.
 */
function nameAddress(tag: string, value: string): readonly [name: string, value: string] {
  const isAddress = (text: string) => parseReportAddress(text).scheme === 'mailto';
  if (value === '' && isAddress(tag)) return ['rua', tag];
  const name = tag.toLowerCase();
  const isUnknown = !KNOWN_TAGS.includes(name) && isAddress(value.trimStart());
  return [isUnknown ? (name.includes('f') ? 'ruf' : 'rua') : name, value];
}

/** Returns a value in the form that receivers can read. For example, `pct=50%` is meant as `pct=50`. */
const plainValue = (name: string, value: string): string =>
  name === 'pct' ? value.replace(/\s*%$/, '') : value;

/** Remembers the tags of each record, because the checks of one email read them dozens of times. */
const readBefore = new WeakMap<Tags, ReadonlyMap<string, string>>();

/**
 * Returns the last value of each tag, because receivers use the last one, but keeps all report addresses.
 */
function readTags(tags: Tags): ReadonlyMap<string, string> {
  const read = readBefore.get(tags) ?? readAnew(tags);
  readBefore.set(tags, read);
  return read;
}

function readAnew(tags: Tags): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const [tag, text] of separateTags(tags.map(withSign))) {
    const isRead = tags.some(([name, value]) => name === tag && value === text);
    if (!isRead && DORMANT.includes(tag.toLowerCase())) continue;
    const [name, value] = nameAddress(tag.trim(), text);
    const isUri = name === 'rua' || name === 'ruf';
    const before = isUri ? read.get(name) : undefined;
    const own = isUri ? value.trim() : plainValue(name, value.trim().toLowerCase());
    read.set(name, before ? `${before},${own}` : own);
  }
  return read;
}

/** Returns the value of a tag, or `undefined` if the record does not contain the tag. */
export const tagOf = (tags: Tags, name: string): string | undefined => readTags(tags).get(name);

/** Returns the value of a policy tag, or `undefined` if it is absent or not one of the three policies. */
export const policyTag = (tags: Tags, name: 'p' | 'sp' | 'np'): Policy | undefined =>
  policyOf(tagOf(tags, name)) ?? undefined;

/** Returns the strength of a policy, from 0 for none to 2 for reject. */
export const strengthOf = (policy: Policy): number => POLICIES.indexOf(policy);

const correctAddresses = (value: string): string =>
  [...new Set(intendedAddresses(value).flatMap((uri) => correctAddress(uri) ?? []))].join(',');

function write(tags: ReadonlyMap<string, string>): string {
  const known = KNOWN.flatMap((name) => {
    const value = tags.get(name) ?? '';
    const corrected = name === 'rua' || name === 'ruf' ? correctAddresses(value) : value;
    return corrected === '' ? [] : [`${name}=${corrected}`];
  });
  return ['v=DMARC1', ...known].join('; ');
}

/**
 * Returns the value of `pct=` if it limits a policy at receivers that still read it (RFC 7489 §6.3). Returns
 * null if it limits nothing, because it is 100 or every policy is none.
 */
export function pctOf(tags: Tags): number | null {
  const value = tagOf(tags, 'pct') ?? '';
  const limits = (['p', 'sp', 'np'] as const).some(
    (name) => strengthOf(policyTag(tags, name) ?? 'none') > 0,
  );
  return limits && /^\d{1,3}$/.test(value) && Number(value) < 100 ? Number(value) : null;
}

/** Returns the record without `pct=`, so that the policy applies to all mail. */
export const withoutPct = (tags: Tags): string =>
  cleanRecord([...readTags(tags)].filter(([name]) => name !== 'pct'));

/**
 * Returns the record with each known tag once, in the usual order, and with a valid policy. RFC 9989 removed
 * `pct=`, but one that limits a policy stays, because it makes some receivers apply the policy to less mail.
 * `t=y` would not be a good replacement for `pct=`, because it lowers the policy at all other receivers (RFC
 * 9989 §A.6).
 */
export function cleanRecord(tags: Tags): string {
  const read = new Map(readTags(tags));
  if (!isPolicy(read.get('p'))) read.set('p', 'none');
  for (const name of ['sp', 'np']) if (!isPolicy(read.get(name))) read.delete(name);
  if (pctOf(tags) === null) read.delete('pct');
  for (const [name, words] of Object.entries(TAG_WORDS)) {
    const value = read.get(name);
    // Receivers use the default instead of an invalid value, even if the sender meant "strict". The sender's
    // mail may depend on that by now.
    if (value !== undefined && !words.includes(value)) read.delete(name);
  }
  return write(read);
}

/**
 * Returns the record with a policy that is one step stronger. If `t=y` lowers the policy, removing it is that
 * step. Otherwise the policy of the tag that applies is raised from none to quarantine, or from quarantine to
 * reject. Raising the share of mail in `pct=` is a separate step.
 */
export function strengthen(tags: Tags, applies: 'p' | 'sp' | 'np'): string {
  const read = new Map(readTags(tags));
  const tag = isPolicy(read.get(applies)) ? applies : 'p';
  const published = read.get(tag);
  const now = isPolicy(published) ? published : 'none';
  const lowered = read.get('t') === 'y' && now !== 'none';
  read.delete('t');
  read.set(tag, lowered ? now : now === 'none' ? 'quarantine' : 'reject');
  return cleanRecord([...read]);
}

/**
 * Returns the tags of a record that is strong enough for BIMI: enforced for all mail, including subdomains,
 * and not in test mode.
 */
export function enforce(tags: Tags): Tags {
  const read = new Map(readTags(tags));
  if (!isPolicy(read.get('p')) || read.get('p') === 'none') read.set('p', 'quarantine');
  for (const name of ['sp', 'np']) if (read.get(name) === 'none') read.delete(name);
  read.delete('t');
  // The BIMI draft requires quarantine to apply to all mail, but accepts a lower share for reject.
  if (read.get('p') === 'quarantine') read.delete('pct');
  return [...read];
}

/** Returns which of `sp` and `np` are weaker than the policy in `p=`, which they override. */
export function weakerTags(tags: Tags): readonly string[] {
  const p = strengthOf(policyTag(tags, 'p') ?? 'none');
  return (['sp', 'np'] as const).filter(
    (name) => strengthOf(policyTag(tags, name) ?? 'reject') < p,
  );
}

/** Returns the record without those of `sp=` and `np=` that are weaker than the policy. */
export function evenOut(tags: Tags): string {
  const weaker = weakerTags(tags);
  return cleanRecord([...readTags(tags)].filter(([name]) => !weaker.includes(name)));
}

/**
 * Returns the tags of a record for a sender whose policy was never in force: the report addresses stay, and
 * the policy is none everywhere.
 */
export const startAtNone = (tags: Tags): Tags => [
  ...[...readTags(tags)].filter(([name]) => !['p', 'sp', 'np', 't'].includes(name)),
  ['p', 'none'],
];

/** Returns the record with some of its tags changed. */
export const withTags = (tags: Tags, changes: Readonly<Record<string, string>>): string =>
  cleanRecord([...new Map([...readTags(tags), ...Object.entries(changes)])]);

/** Returns the record with the report addresses from other texts at the same name added. */
export function withAddressesOf(record: string, texts: readonly string[]): string {
  const beside = texts.flatMap((text) => tagsOf(text)).filter(([name]) => /^ru[af]$/i.test(name));
  return beside.length > 0 ? cleanRecord([...tagsOf(record), ...beside]) : record;
}
