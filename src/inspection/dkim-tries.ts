/**
 * Finds out why a DKIM signature failed: verifies it with keys found at other names, with usual header
 * changes undone, and without single header fields, and finds out whether a published key made it.
 */

import { correctKeyRecord } from '../analysis/dkim/correct-key.ts';
import type { DkimFact, Misplaced } from '../analysis/dkim/facts.ts';
import { shownField } from '../analysis/dkim/parse.ts';
import { keyName } from '../analysis/dkim/results.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import { isUnder, organizationalDomain } from '../analysis/names/domain-names.ts';
import { splitWords } from '../analysis/syntax/words.ts';
import type { Resolver } from '../ports/dns.ts';
import type { SignedHeaders } from '../ports/reading.ts';
import { isMadeWith, verifies } from './dkim-crypto.ts';
import { undoneFields } from './header-changes.ts';
import { lookUpNameInText, placesIn } from './misplaced.ts';
import { yieldFor } from './yield.ts';

/**
 * Maximum number of signatures per email that are verified again, and of all such attempts, so that a hostile
 * email cannot take up more time.
 */
const MAX_SIGNATURES = 2;
const MAX_TRIES = 8;

/** Maximum number of other names at which one key is looked up. */
const MAX_NAMES = 8;

/** A failed signature and the content that it covers, which is needed to verify it again. */
interface Failed {
  readonly fact: DkimFact;
  readonly signed?: SignedHeaders | undefined;
}

/** The cause that was found for a failed signature. */
export type FoundCause = Pick<DkimFact, 'elsewhere' | 'tried' | 'changed'>;

/**
 * Finds out why the sender's own signatures failed. Verifies them with every key that is published at their
 * name or at a name easily confused with it, with usual changes undone, and without single headers.
 */
export async function findCauses(
  resolver: Resolver,
  all: readonly Failed[],
): Promise<ReadonlyMap<DkimFact, FoundCause>> {
  const failed = all
    .filter(({ fact }) => fact.ofFromDomain && SUSPECT.includes(fact.report.reason ?? ''))
    .slice(0, MAX_SIGNATURES);
  const allPlaces = await Promise.all(failed.map(({ fact }) => lookUpPlaces(resolver, fact)));
  let left = MAX_TRIES;
  const found = new Map<DkimFact, FoundCause>();
  for (const [i, { fact, signed }] of failed.entries()) {
    const places = allPlaces[i] ?? [];
    const fields = signed?.text.split(/\r\n(?![ \t])/) ?? [];
    const fits = (record: string, covered: readonly string[] = fields): boolean => {
      if (signed === undefined || left === 0) return false;
      left -= 1;
      return verifies(covered, signed.signature, record);
    };
    await yieldFor([signed?.text ?? '']);
    const others = all.flatMap((one) => keyOfOther(fact, one.fact));
    const key = [...places, ...others].find(({ record }) => fits(record)) ?? null;
    const own = places.filter(({ name }) => name === keyName(fact));
    const makers = key === null && signed && own.length <= left ? makersOf(signed, own) : null;
    if (makers) left -= own.length;
    const possible = makers?.[0]?.record;
    const changed =
      possible === undefined
        ? undefined
        : undoneFields(fields, fact.report.canonicalization ?? '').find((before) =>
            fits(possible, before.fields),
          )?.changed;
    const addedHeader =
      possible !== undefined && signed && !changed
        ? findAddedHeader(signed, (without) =>
            fits(
              possible,
              fields.filter((_, at) => at !== without),
            ),
          )
        : null;
    const isProved = changed !== undefined || addedHeader !== null || makers?.[0]?.isProved;
    const isOther = makers?.length === 0 && own.length > 0;
    // A key that does not verify the signature is not the misplaced one.
    const isElsewhere = key !== null && key.name !== keyName(fact);
    found.set(fact, {
      ...(isElsewhere && { elsewhere: key }),
      tried: {
        key,
        addedHeader,
        ...(isProved && possible !== undefined && { maker: possible }),
        ...(isOther && { maker: null }),
      },
      ...(changed && { changed }),
    });
  }
  return found;
}

/** Reasons for a failure that may be due to the key, or to a header that was added later. */
const SUSPECT: readonly string[] = ['bad_signature', 'no_key', 'key_invalid', 'key_revoked'];

/** Returns every usable key at the name of a signature's key, and at names that are confused with it. */
async function lookUpPlaces(resolver: Resolver, fact: DkimFact): Promise<readonly Misplaced[]> {
  const names = [keyName(fact), ...confusedNames(fact)].slice(0, MAX_NAMES);
  const answers = await Promise.all(names.map((name) => resolver.txt(name)));
  const places = names.map((name, i) => placesIn(name, answers[i]));
  const behindText = await lookUpNameInText(resolver, textsOf(answers[0]));
  return [...places.flat(), ...behindText].filter(
    ({ record }) => correctKeyRecord(record) !== null,
  );
}

/**
 * Returns the names at which the key of a selector ends up by mistake. A DNS panel that adds the domain
 * automatically turns a full name into `s._domainkey.shop.example.shop.example`, and one that shows the
 * organization's zone leaves out the subdomain. Some people enter `s._domainkey` as the selector, or leave
 * out `_domainkey` or its underscore.
 */
function confusedNames({ report: { domain, selector } }: DkimFact): readonly string[] {
  const organization = organizationalDomain(domain);
  const name = `${selector}._domainkey.${domain}`;
  const bare = selector.replace(/\._domainkey(?:\..*)?$/, '');
  const parents = domain
    .split('.')
    .map((_, at, labels) => labels.slice(at + 1).join('.'))
    .filter((parent) => isUnder(parent, organization));
  const all = [
    ...(bare === selector ? [] : [`${bare}._domainkey.${domain}`]),
    ...parents.slice(0, 2).map((parent) => `${selector}._domainkey.${parent}`),
    `${name}.${domain}`,
    `${name}.${organization}`,
    `${selector}.${domain}`,
    `${selector}.domainkey.${domain}`,
  ];
  return [...new Set(all)].filter((one) => one !== name && one.length <= 253);
}

/** Returns the key of another signature of the same domain, because a signer may mix up its selectors. */
function keyOfOther(fact: DkimFact, other: DkimFact): readonly Misplaced[] {
  const record = other.report.key?.record;
  const isOther = other.report.domain === fact.report.domain && keyName(other) !== keyName(fact);
  return isOther && record && correctKeyRecord(record) !== null
    ? [{ name: keyName(other), record }]
    : [];
}

/** Fields that relays add if they are missing, most frequent first (RFC 6409 §8, RFC 5322 §3.6). */
const OFTEN_ADDED = splitWords(
  'message-id date mime-version content-type content-transfer-encoding sender reply-to cc to ' +
    'list-id list-unsubscribe list-unsubscribe-post list-post precedence in-reply-to references',
);

/**
 * Returns the name of a field without which a signature verifies. If the field occurs twice, the upper one
 * was added.
 */
function findAddedHeader(
  { names }: SignedHeaders,
  verifiesWithout: (at: number) => boolean,
): string | null {
  const rank = (name: string) => {
    const place = OFTEN_ADDED.indexOf(name);
    return place < 0 ? OFTEN_ADDED.length : place;
  };
  // Fields are signed from the bottom up, so of two fields with one name, the upper one comes last. Relays
  // add fields at the top.
  const upper = [...new Map(names.map((name, at) => [name, at]))];
  const isRepeated = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const candidates = upper
    .filter(([name]) => name !== 'from' || isRepeated(name))
    .toSorted(
      ([one], [other]) =>
        Number(isRepeated(other)) - Number(isRepeated(one)) || rank(one) - rank(other),
    );
  const added = candidates.find(([, at]) => verifiesWithout(at))?.[0];
  return added === undefined ? null : shownField(added);
}

/** Returns the records whose keys made a signature or may have made it, the proved one first. */
const makersOf = (signed: SignedHeaders, places: readonly Misplaced[]) =>
  places
    .map(({ record }) => ({ record, isProved: isMadeWith(signed, record) }))
    .filter(({ isProved }) => isProved !== false)
    .sort((one, other) => Number(other.isProved) - Number(one.isProved));
