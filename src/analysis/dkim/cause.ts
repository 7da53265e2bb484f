/**
 * Explains why a DKIM key is missing or does not verify a signature, and finds which selector to sign with
 * and which record at the key's name to keep.
 */

import { dnsNameOf } from '../advice/ownership.ts';
import { isBorrowed } from '../advice/place.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';
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
  | 'appended'
  | 'name_in_text'
  | 'borrowed'
  | 'several'
  | 'wrong_selector'
  | 'parent'
  | 'misplaced'
  | 'added_header'
  | 'wrong_key'
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
  name_in_text:
    'The name {elsewhere} was entered as the text of a TXT record at {key_name}. It should be an alias (CNAME), through which verifiers find the key.',
  borrowed:
    'No DKIM key is published at {key_name} itself. Verifiers find the records of {target} there, because a CNAME or a wildcard points to them. A record at the name itself replaces what a wildcard answers; a CNAME at the name has to be removed first.',
  several:
    '{d} publishes several records at the selector {selector}, and verifiers may use any of them. Only the record of the key that signed this email may remain.',
  wrong_selector: 'Your signer names the selector {selector}, but the key is at {elsewhere}.',
  parent:
    'The key of the selector {selector} is at {elsewhere}, but the signature belongs to {d}, so verifiers look for the key at {key_name}.',
  added_header:
    'The DKIM signature of {d} (selector {selector}) breaks because {header} was added after signing: without that header, the signature verifies.',
  changed: 'The DKIM signature of {d} (selector {selector}) breaks because {change}',
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
    target: alias?.end ?? `*.${domain}`,
    header: formatHeader(one.tried?.addedHeader ?? ''),
    change: one.changed ? changeText(one.changed, formatHeader(one.changed.header ?? '')) : '',
  };
}

/** Returns all TXT records at the name of a signature's key. */
export const publishedTexts = ({ keyTexts, report }: DkimFact): readonly string[] =>
  keyTexts ?? (report.key?.record ? [report.key.record] : []);

export function shownCause(one: DkimFact, facts: Facts): ShownCause | null {
  const name = keyName(one);
  const { beside, intendedTarget } = dnsNameOf(name, facts);
  const { key } = one.tried ?? {};
  if (key?.name === name && beside?.includes(key.record)) return 'beside';
  if (intendedTarget !== undefined) return 'appended';
  const { elsewhere, tried, report } = one;
  if (elsewhere) {
    if (elsewhere.asText !== undefined) return 'name_in_text';
    if (rightSelector(one) !== null) return 'wrong_selector';
    return isUnder(report.domain, domainOf(elsewhere.name)) ? 'parent' : 'misplaced';
  }
  const texts = publishedTexts(one);
  const isUsed = passes(one) && texts.length === 1;
  if (texts.length > 0 && !isUsed && isBorrowed(name, facts)) return 'borrowed';
  if (texts.length > 1 && keptText(one) !== null) return 'several';
  if (one.changed) return 'changed';
  if (report.reason !== 'bad_signature') return null;
  if (tried?.addedHeader) return 'added_header';
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
 * Returns the TXT record that must stay if there are several at the name of a key: the one that verifies the
 * email, or the only one that contains a key. Returns null if the records cannot be told apart.
 */
export function keptText(one: DkimFact): string | null {
  const texts = publishedTexts(one);
  if (passes(one)) return texts[0] ?? null;
  const { key } = one.tried ?? {};
  if (key?.name === keyName(one)) return key.record;
  const usable = texts.filter((text) => correctKeyRecord(text) !== null);
  return usable.length === 1 ? (usable[0] ?? null) : null;
}

/** Maximum time between two signatures that a signer adds to the same email, in seconds. */
const SAME_MOMENT_SECONDS = 60;

/**
 * Returns whether another signature of the same domain passes over the same content, which proves that
 * nothing changed after signing.
 */
function isProvedUnchanged(one: DkimFact, { dkim }: Facts): boolean {
  const { domain, signed_headers = [], timestamp } = one.report;
  const signed = signed_headers ?? [];
  return (ifKnown(dkim)?.signatures ?? []).some(({ report: other, ...rest }) => {
    const covered = new Set(other.signed_headers);
    const apart = Date.parse(timestamp ?? '') - Date.parse(other.timestamp ?? '');
    return (
      passes({ report: other, ...rest }) &&
      other.domain === domain &&
      !other.length_limited &&
      signed.every((header) => covered.has(header)) &&
      !(Math.abs(apart) > SAME_MOMENT_SECONDS * 1000)
    );
  });
}
