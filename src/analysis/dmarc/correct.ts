import { POLICIES, type Policy } from '../../domain/report/authentication.ts';
import { correctAddress, listAddresses } from '../syntax/report-address.ts';
import type { DmarcFacts } from './facts.ts';
import { KNOWN_TAGS, mailHostOf, policyOf, separateTags, TAG_WORDS, tagsOf } from './parse.ts';

export type RuaAddress = NonNullable<DmarcFacts['report']['rua']>[number];

export const isMailto = ({ uri }: RuaAddress): boolean => /^mailto:/i.test(uri);

/** Whether reports reach an address; `undefined`: a lookup that decides it did not answer. */
export function isDeliverable(address: RuaAddress): boolean | undefined {
  const { external, authorized, has_mx } = address;
  if (mailHostOf(address.uri) === null || has_mx === false) return false;
  // RFC 9990: a domain elsewhere must say that it takes the reports.
  if (external && authorized === false) return false;
  return has_mx === null || (external && authorized === null) ? undefined : true;
}

/** Corrected copies of a sender's own DMARC record: tags in, text out; nothing is looked up. */

export type Tags = readonly (readonly [name: string, value: string])[];

/** RFC 9989 §4.7, in the order in which they are written: older readers want `p=` second. */
const KNOWN = ['p', 'sp', 'np', 't', 'pct', 'psd', 'adkim', 'aspf', 'rua', 'ruf', 'fo'];

const isPolicy = (value: string | undefined): value is Policy => policyOf(value) !== null;

/** Where a semicolon is missing receivers make nothing of these: mail may rely on that by now. */
const DORMANT = ['sp', 'np', 't', 'psd', 'adkim', 'aspf'];

/** A tag with a colon in place of its equals sign. */
const withSign = ([name, value]: Tags[number]): Tags[number] => {
  const [, own, said] = (value === '' && /^(\w+)\s*:(.*)$/s.exec(name.trim())) || [];
  return own === undefined || said === undefined || /^mailto$/i.test(own)
    ? [name, value]
    : [own, said];
};

/** An address is one for reports, whatever its tag is called; behind a semicolon it is a tag by itself. */
function nameAddress(tag: string, value: string): readonly [name: string, value: string] {
  if (value === '' && /^mailto:/i.test(tag)) return ['rua', tag];
  const name = tag.toLowerCase();
  const isUnknown = !KNOWN_TAGS.includes(name) && /^\s*mailto:/i.test(value);
  return [isUnknown ? (name.includes('f') ? 'ruf' : 'rua') : name, value];
}

/** The last value of each tag, as receivers read it, but the addresses of all. */
function readTags(tags: Tags): Map<string, string> {
  const read = new Map<string, string>();
  for (const [tag, text] of separateTags(tags.map(withSign))) {
    const isRead = tags.some(([name, value]) => name === tag && value === text);
    if (!isRead && DORMANT.includes(tag.toLowerCase())) continue;
    const [name, value] = nameAddress(tag.trim(), text);
    const isUri = name === 'rua' || name === 'ruf';
    const before = isUri ? read.get(name) : undefined;
    const own = isUri ? value.trim() : value.trim().toLowerCase();
    read.set(name, before ? `${before},${own}` : own);
  }
  return read;
}

/** The value of one tag, `undefined` when the record does not have it. */
export const tagOf = (tags: Tags, name: string): string | undefined => readTags(tags).get(name);

/** `sp=` and `np=` are policies too: a value that is not one of the three words has no effect. */
export const policyTag = (tags: Tags, name: 'p' | 'sp' | 'np'): Policy | undefined =>
  policyOf(tagOf(tags, name)) ?? undefined;

/** How strong a policy is: 0 for none, 2 for reject. */
export const strengthOf = (policy: Policy): number => POLICIES.indexOf(policy);

const correctAddresses = (value: string): string =>
  [...new Set(listAddresses(value).flatMap((uri) => correctAddress(uri) ?? []))].join(',');

function write(tags: ReadonlyMap<string, string>): string {
  const known = KNOWN.flatMap((name) => {
    const value = tags.get(name) ?? '';
    const corrected = name === 'rua' || name === 'ruf' ? correctAddresses(value) : value;
    return corrected === '' ? [] : [`${name}=${corrected}`];
  });
  return ['v=DMARC1', ...known].join('; ');
}

/** Below 100, `pct=` holds the policy back at receivers that still read it (RFC 7489 §6.3); null: it does not. */
export function pctOf(tags: Tags): number | null {
  const value = tagOf(tags, 'pct') ?? '';
  return /^\d{1,3}$/.test(value) && Number(value) < 100 ? Number(value) : null;
}

/** The record with the policy for all mail. */
export const withoutPct = (tags: Tags): string =>
  cleanRecord([...readTags(tags)].filter(([name]) => name !== 'pct'));

/**
 * The record with each known tag once, in order, and a usable policy. Of the tags that RFC 9989 removed
 * `pct=` below 100 stays: some receivers still act on less mail because of it. No `t=y` comes in its
 * place (RFC 9989 §A.6): it would lower the policy at all others.
 */
export function cleanRecord(tags: Tags): string {
  const read = readTags(tags);
  if (!isPolicy(read.get('p'))) read.set('p', 'none');
  for (const name of ['sp', 'np']) if (!isPolicy(read.get(name))) read.delete(name);
  if (pctOf(tags) === null) read.delete('pct');
  for (const [name, words] of Object.entries(TAG_WORDS)) {
    const value = read.get(name);
    // Receivers apply the default, also in the place of "strict": mail may rely on it by now.
    if (value !== undefined && !words.includes(value)) read.delete(name);
  }
  return write(read);
}

/**
 * The record one step stronger. `t=y` alone lowers the policy by a level, so taking it away is a
 * step; else the policy of the tag that applies goes from none to quarantine, or to reject. For how
 * much mail it is, by `pct=`, is a step of its own.
 */
export function strengthen(tags: Tags, applies: 'p' | 'sp' | 'np'): string {
  const read = readTags(tags);
  const tag = isPolicy(read.get(applies)) ? applies : 'p';
  const published = read.get(tag);
  const now = isPolicy(published) ? published : 'none';
  const lowered = read.get('t') === 'y' && now !== 'none';
  read.delete('t');
  read.set(tag, lowered ? now : now === 'none' ? 'quarantine' : 'reject');
  return cleanRecord([...read]);
}

/** Tags strong enough for a logo: enforced for all mail, subdomains too, and no test. */
export function enforce(tags: Tags): Tags {
  const read = readTags(tags);
  if (!isPolicy(read.get('p')) || read.get('p') === 'none') read.set('p', 'quarantine');
  for (const name of ['sp', 'np']) if (read.get(name) === 'none') read.delete(name);
  read.delete('t');
  // The draft asks for quarantine of all mail, and of reject alone takes less.
  if (read.get('p') === 'quarantine') read.delete('pct');
  return [...read];
}

/** `sp=` and `np=` that are weaker than the policy they take the place of. */
export function weakerTags(tags: Tags): readonly string[] {
  const p = strengthOf(policyTag(tags, 'p') ?? 'none');
  return (['sp', 'np'] as const).filter(
    (name) => strengthOf(policyTag(tags, name) ?? 'reject') < p,
  );
}

/** The record without them. */
export function evenOut(tags: Tags): string {
  const weaker = weakerTags(tags);
  return cleanRecord([...readTags(tags)].filter(([name]) => !weaker.includes(name)));
}

/** The record as it begins where none was in force: reports first, and no policy for anything. */
export const startAtNone = (tags: Tags): Tags => [
  ...[...readTags(tags)].filter(([name]) => !['p', 'sp', 'np', 't'].includes(name)),
  ['p', 'none'],
];

/** The record with some of its tags set. */
export const withTags = (tags: Tags, changes: Readonly<Record<string, string>>): string =>
  cleanRecord([...new Map([...readTags(tags), ...Object.entries(changes)])]);

/** The record with the report addresses of texts that stand beside it. */
export function withAddressesOf(record: string, texts: readonly string[]): string {
  const beside = texts.flatMap((text) => tagsOf(text)).filter(([name]) => /^ru[af]$/i.test(name));
  return beside.length > 0 ? cleanRecord([...tagsOf(record), ...beside]) : record;
}
