/**
 * Explains why a DKIM key is missing or does not verify a signature, and finds which selector to sign with
 * and which record at the key's name to keep.
 */

import { isAddress } from '../addresses.ts';
import { dnsNameOf } from '../advice/ownership.ts';
import { isBorrowed } from '../advice/place.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';
import { parseTagList } from '../syntax/tag-list.ts';
import { changeText } from './changes.ts';
import { correctKeyRecord } from './correct-key.ts';
import type { DkimFact } from './facts.ts';
import { formatHeader, keyName, passes } from './results.ts';

/**
 * The reason why a key is missing or does not verify the signature, as found by looking for the key elsewhere
 * and by trial verification.
 */
export type ShownCause =
  | 'beside'
  | 'address'
  | 'appended'
  | 'name_in_text'
  | 'borrowed'
  | 'several'
  | 'several_keys'
  | 'second_key'
  | 'shared'
  | 'wrong_selector'
  | 'parent'
  | 'misplaced'
  | 'added_header'
  | 'wrong_key'
  | 'headers_changed'
  | 'changed';

/**
 * Explanations of the causes for the reader. `misplaced` is not among them, because the check has its own
 * text for it.
 */
export const CAUSES = {
  beside:
    'At {key_name} there is a CNAME as well as the key. No other record is allowed at the name of a CNAME, so most DNS servers answer with only the CNAME, and verifiers do not find the key.',
  appended:
    'The name of the key, {key_name}, is an alias (CNAME) of {target}, which has no key: your DNS panel has added your domain to the target. Enter the target with a dot at the end.',
  address:
    'The name of the key, {key_name}, is an alias (CNAME) of {target}. The target of a CNAME must be a host name, not an IP address.',
  name_in_text:
    'The name {elsewhere} was entered as the text of a TXT record at {key_name}. It should be an alias (CNAME), through which verifiers find the key.',
  borrowed:
    'No DKIM key is published at {key_name} itself. Verifiers find the records of {target} there, because a CNAME or a wildcard points to them. A record at the name itself overrides a wildcard; a CNAME at the name has to be removed first.',
  several:
    '{d} publishes several records at the selector {selector}, and verifiers may use any of them. Only the record of the key that signed this email may remain.',
  several_keys:
    '{d} publishes several keys at the selector {selector}, and verifiers may use any of them. Each key needs its own selector.',
  second_key:
    'The DKIM signature of {d} (selector {selector}) was made with a different key from the published one, which verifies another signature of this email.',
  shared:
    'The DKIM signature of {d} (selector {selector}) does not verify, although the published key verifies another signature of this email with that selector.',
  wrong_selector: 'Your signer names the selector {selector}, but the key is at {elsewhere}.',
  parent:
    'The key of the selector {selector} is at {elsewhere}, but the signature belongs to {d}, so verifiers look for the key at {key_name}.',
  added_header:
    'The DKIM signature of {d} (selector {selector}) breaks because {header} was added after signing: without that header, the signature verifies.',
  changed: 'The DKIM signature of {d} (selector {selector}) breaks because {change}',
  headers_changed:
    'The DKIM signature of {d} (selector {selector}) was made with the published key, but the headers of this email are not the ones that were signed.',
  wrong_key:
    'The DKIM signature of {d} (selector {selector}) was made with a different key from the published one. Nothing changed after signing: another signature of {d} over the same content passes.',
} as const;

/** Returns the values of the placeholders in `CAUSES`. */
export function causeValues(one: DkimFact, facts: Facts) {
  const { domain, selector } = one.report;
  const { alias } = dnsNameOf(keyName(one), facts);
  return {
    d: domain,
    selector,
    key_name: keyName(one),
    elsewhere: one.elsewhere?.name ?? '',
    target: alias?.end ?? 'a wildcard above that name',
    header: formatHeader(one.tried?.addedHeader ?? ''),
    change: one.changed ? changeText(one.changed, formatHeader(one.changed.header ?? '')) : '',
  };
}

/**
 * Returns all TXT records at the name of a signature's key, each text once. A text can be there twice if it is
 * split into other strings.
 */
export const publishedTexts = ({ keyTexts, report }: DkimFact): readonly string[] => [
  ...new Set(keyTexts ?? (report.key?.record ? [report.key.record] : [])),
];

export function shownCause(one: DkimFact, facts: Facts): ShownCause | null {
  const name = keyName(one);
  const { alias, beside, intendedTarget } = dnsNameOf(name, facts);
  const { key } = one.tried ?? {};
  if (key?.name === name && beside?.includes(key.record)) return 'beside';
  if (intendedTarget !== undefined) return 'appended';
  if (alias && isAddress(alias.end)) return 'address';
  const { elsewhere, tried, report } = one;
  if (elsewhere) {
    if (elsewhere.asText !== undefined) return 'name_in_text';
    if (rightSelector(one) !== null) return 'wrong_selector';
    if (isTaken(one, facts)) return 'second_key';
    return isUnder(report.domain, domainOf(elsewhere.name)) ? 'parent' : 'misplaced';
  }
  const texts = publishedTexts(one);
  const isUsed = ownText(one) !== null && texts.length === 1;
  if (texts.length > 0 && !isUsed && isBorrowed(name, facts)) return 'borrowed';
  if (isTaken(one, facts)) return hasOtherKey(one) ? 'second_key' : 'shared';
  const { kept, moved } = sortKeys(one, facts);
  if (texts.length > 1 && kept !== null) return moved.length > 0 ? 'several_keys' : 'several';
  if (one.changed) return 'changed';
  if (report.reason !== 'bad_signature') return null;
  if (tried?.addedHeader) return 'added_header';
  if (tried?.maker) return 'headers_changed';
  return isProvedUnchanged(one, facts) ? 'wrong_key' : null;
}

/** Returns the domain in the name of a key, which is the part after `_domainkey`. */
const domainOf = (name: string): string => /\._domainkey\.(.+)$/.exec(name)?.[1] ?? '-';

/**
 * Returns the selector at which the matching key is published, or null if another selector of the domain
 * would not help.
 */
export function rightSelector({
  elsewhere,
  report: { domain, selector },
}: DkimFact): string | null {
  const end = `._domainkey.${domain}`;
  const right = elsewhere?.name.endsWith(end) ? elsewhere.name.slice(0, -end.length) : '';
  return right === '' || right === selector ? null : right;
}

/**
 * Returns the record at the name of a signature's key that belongs to the signature, or null if this email
 * does not show which one does.
 */
export function ownText(one: DkimFact): string | null {
  if (passes(one)) return publishedTexts(one)[0] ?? null;
  const { key, maker = null } = one.tried ?? {};
  return key?.name === keyName(one) ? key.record : maker;
}

/** Returns the records at the name of a signature's key that belong to signatures of this email. */
function usedTexts(one: DkimFact, { dkim }: Facts): readonly string[] {
  const all = ifKnown(dkim)?.signatures ?? [];
  const beside = all.filter((other) => keyName(other) === keyName(one));
  return [...new Set(beside.flatMap((other) => ownText(other) ?? []))];
}

/** Failures that may be due to a different key from the published one. */
const OF_THE_KEY: readonly string[] = ['bad_signature', 'key_invalid'];

/**
 * Returns whether the records at the name of a failed signature's key belong to other signatures of this
 * email, so that they must stay as they are.
 */
export const isTaken = (one: DkimFact, facts: Facts): boolean =>
  OF_THE_KEY.includes(one.report.reason ?? '') &&
  ownText(one) === null &&
  usedTexts(one, facts).length > 0;

/**
 * Returns whether a failed signature was certainly made with another key than those at its name. If a record
 * there verifies another signature, it is `key_invalid` only for a key of another type.
 */
const hasOtherKey = ({ report, tried }: DkimFact): boolean =>
  report.reason === 'key_invalid' || tried?.maker === null;

/** The TXT records at the name of a key, by what should happen to them. */
interface SortedKeys {
  /** The record that stays. Null if the records cannot be told apart. */
  readonly kept: string | null;
  /** Records with other keys that signatures of this email use, which need selectors of their own. */
  readonly moved: readonly string[];
  /** Records that no signature of this email uses. */
  readonly unused: readonly string[];
}

/**
 * Decides which of several TXT records at the name of a key stays: one that a signature of this email uses,
 * or the only one that contains a key. An RSA key stays rather than an Ed25519 key, because every verifier
 * supports RSA (RFC 8463 §3).
 */
export function sortKeys(one: DkimFact, facts: Facts): SortedKeys {
  const texts = publishedTexts(one);
  const used = usedTexts(one, facts);
  const usable = texts.filter(isUsable);
  const [kept = null] = [
    ...used.filter(isRsa),
    ...(used.length > 0 ? onlyOf(usable.filter(isRsa)) : []),
    ...used,
    ...onlyOf(usable),
  ];
  const others = texts.filter((text) => text !== kept);
  const isMoved = (text: string) =>
    kept !== null && used.includes(text) && correctKeyRecord(text) !== correctKeyRecord(kept);
  return { kept, moved: others.filter(isMoved), unused: others.filter((text) => !isMoved(text)) };
}

/** Returns a list of one text, or an empty list if there is more than one. */
export const onlyOf = (texts: readonly string[]) => (texts.length === 1 ? texts : []);

/** Returns whether a record contains a key, perhaps after correction. */
export const isUsable = (text: string): boolean => correctKeyRecord(text) !== null;

/** Returns whether a record contains an RSA key. */
export const isRsa = (text: string): boolean =>
  parseTagList(correctKeyRecord(text) ?? '').get('k') === 'rsa';

/** Maximum time between two signatures that a signer adds to the same email, in seconds. */
const SAME_MOMENT_SECONDS = 60;

/**
 * Returns whether another signature of the same domain passes over the same content, which shows that nothing
 * changed after signing if a signer added both at the same moment.
 */
const isProvedUnchanged = (one: DkimFact, facts: Facts): boolean =>
  passingTwins(one, facts).some(({ report }) => {
    const apart = Date.parse(one.report.timestamp ?? '') - Date.parse(report.timestamp ?? '');
    return !(Math.abs(apart) > SAME_MOMENT_SECONDS * 1000);
  });

/** Returns the other signatures of the same domain that pass and cover at least the same content. */
export function passingTwins(one: DkimFact, { dkim }: Facts): readonly DkimFact[] {
  const { domain, signed_headers: signed } = one.report;
  return (ifKnown(dkim)?.signatures ?? []).filter((other) => {
    const covered = new Set(other.report.signed_headers);
    return (
      passes(other) &&
      other.report.domain === domain &&
      !other.report.length_limited &&
      (signed ?? []).every((header) => covered.has(header))
    );
  });
}
