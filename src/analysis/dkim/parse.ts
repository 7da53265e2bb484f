/**
 * Parses the DKIM-Signature fields of an email, finds those that verifiers must ignore, and chooses which of
 * them are verified.
 */

import { isPadded, MAX_SPACE } from '../../domain/padded-field.ts';
import { MAX_SIGNATURES_READ } from '../limits.ts';
import { sameOrganization, toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { hasRepeatedTag, parseTagList, tagListFault } from '../syntax/tag-list.ts';
import { shownField } from './shown-field.ts';

/** The required tags, in the order of RFC 6376 §3.5. */
const REQUIRED = ['v', 'a', 'b', 'bh', 'd', 'h', 's'];

// Literal strings in ABNF are case-insensitive (RFC 5234 §2.3).
const ALGORITHM = /^(?:rsa-sha1|rsa-sha256|ed25519-sha256)$/i;
const CANONICALIZATION = /^(?:simple|relaxed)(?:\/(?:simple|relaxed))?$/i;
const DIGITS = /^\d+$/;

const isAmong = (word: string, list: string): boolean =>
  list.split(':').some((one) => one.trim().toLowerCase() === word);

/**
 * Returns the reason why verifiers must ignore a DKIM-Signature (RFC 6376 §6.1.1), in our own words, or null
 * if its syntax is valid. Empty names in `h=` are tolerated, because verifiers tolerate them too.
 */
function dkimSyntaxFault(value: string): string | null {
  if (isPadded(value)) return `over ${MAX_SPACE} characters of white space in a row`;
  const broken = tagListFault(value);
  if (broken !== null) return broken;
  const tags = parseTagList(value);
  const missing = REQUIRED.find((name) => !tags.get(name));
  if (missing !== undefined) return `${missing}= is missing`;
  const faults: readonly (readonly [
    tag: string,
    isRight: (value: string) => boolean,
    what: string,
  ])[] = [
    ['v', (version) => version === '1', 'v= is not 1'],
    ['a', (name) => ALGORITHM.test(name), 'a= is not a DKIM algorithm'],
    ['c', (name) => CANONICALIZATION.test(name), 'c= is not a canonicalization'],
    ['h', (names) => isAmong('from', names), 'From is not in h='],
    ['t', (digits) => DIGITS.test(digits), 't= is not a number'],
    ['x', (digits) => DIGITS.test(digits), 'x= is not a number'],
    ['l', (digits) => DIGITS.test(digits), 'l= is not a number'],
    ['q', (methods) => isAmong('dns/txt', methods), 'q= is not dns/txt'],
  ];
  const wrong = faults.find(([tag, isRight]) => {
    const text = tags.get(tag);
    return text !== undefined && !isRight(text);
  });
  return wrong?.[2] ?? null;
}

/** The content of one DKIM-Signature field. Of the identity in `i=`, only the domain is kept. */
export interface DkimSignatureHeader {
  /** Position of the field among the DKIM-Signature fields, counted from the top. */
  readonly index: number;
  /** The domain in `d=`. Null if it is not a domain name, or if a tag appears twice. */
  readonly domain: string | null;
  readonly selector: string | null;
  /**
   * The header fields in `h=`, in lower case and in order. Repeated names are kept, because they mean
   * oversigning. A name that the sender made up becomes `other`.
   */
  readonly signedHeaders: readonly string[];
  /** The domain of the identity in `i=`, or the domain in `d=` if there is no `i=`. */
  readonly identityDomain: string | null;
  /**
   * The algorithm in `a=`, in lower case. `unknown` if DKIM does not define it. Null if the tag is missing.
   */
  readonly algorithm: string | null;
  /** The canonicalization in `c=`, in lower case. `unknown` if it is invalid. */
  readonly canonicalization: string;
  /**
   * The times of signing (`t=`) and of expiry (`x=`), in seconds since 1970. Null if the tag is absent or not
   * a number.
   */
  readonly timestamp: number | null;
  readonly expires: number | null;
  /** The number of body octets that are signed, according to `l=`. */
  readonly bodyLength: number | null;
  /** The reason why the signature is invalid. Null if its syntax is valid. */
  readonly fault: string | null;
}

const MAX_SIGNED_HEADERS = 1000;

/** Matches the characters that RFC 5322 allows in the name of a header field. */
const FIELD_NAME = /^[!-9<-~]{1,80}$/;

const integer = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

const algorithm = (value: string | undefined): string | null =>
  value ? (ALGORITHM.test(value) ? value.toLowerCase() : 'unknown') : null;

// The default is simple/simple (RFC 6376 §3.5).
const canonicalization = (value: string | undefined): string => {
  if (!value) return 'simple/simple';
  const plain = value.replace(/\s+/g, '').toLowerCase();
  return CANONICALIZATION.test(plain) ? plain : 'unknown';
};

const signedHeaders = (list: string | undefined): string[] =>
  (list ?? '')
    .split(':', MAX_SIGNED_HEADERS)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => FIELD_NAME.test(name))
    .map(shownField);

/**
 * Returns a domain name in A-labels, or null if the text is not one. An internationalized header may contain
 * it in U-labels (RFC 8616 §5).
 */
const nameOf = (latin1: string | undefined): string | null => toDomain(headerText(latin1 ?? ''));

/** Decodes the DKIM-quoted-printable text of `i=`, in which white space has no meaning (RFC 6376 §2.11). */
const decode = (text: string): string =>
  text
    .replace(/\s+/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const identityDomain = (encoded: string | undefined, domain: string | null): string | null => {
  if (encoded === undefined) return domain;
  const identity = decode(encoded);
  const at = identity.lastIndexOf('@');
  return at < 0 ? null : nameOf(identity.slice(at + 1));
};

const toSignature = (value: string, index: number): DkimSignatureHeader => {
  const tags = parseTagList(value);
  // A signature with a repeated tag has no valid domain, because verifiers differ in which of the two tags
  // they read.
  const domain = hasRepeatedTag(value) ? null : nameOf(tags.get('d'));
  return {
    index,
    domain,
    selector: nameOf(tags.get('s')),
    signedHeaders: signedHeaders(tags.get('h')),
    identityDomain: identityDomain(tags.get('i'), domain),
    algorithm: algorithm(tags.get('a')),
    canonicalization: canonicalization(tags.get('c')),
    timestamp: integer(tags.get('t')),
    expires: integer(tags.get('x')),
    bodyLength: integer(tags.get('l')),
    fault: dkimSyntaxFault(value),
  };
};

/** Returns the topmost signatures of an email, at most 20. */
export const dkimSignatureHeaders = (block: HeaderBlock): readonly DkimSignatureHeader[] =>
  fieldsNamed(block, 'dkim-signature')
    .slice(0, MAX_SIGNATURES_READ)
    .map(({ value }, index) => toSignature(value, index));

/** The parts of a signature that are read even if it is beyond the limit. */
export type ListedSignature = Pick<DkimSignatureHeader, 'domain' | 'selector' | 'algorithm'>;

/** Returns the signatures after the first 20, which are only listed. */
export const furtherSignatures = (block: HeaderBlock): readonly ListedSignature[] =>
  fieldsNamed(block, 'dkim-signature')
    .slice(MAX_SIGNATURES_READ)
    .map(({ value }) => {
      const tags = parseTagList(value);
      return {
        domain: nameOf(tags.get('d')),
        selector: nameOf(tags.get('s')),
        algorithm: algorithm(tags.get('a')),
      };
    });

/** Maximum number of signatures that are verified. Each requires a key lookup and a hash of the header. */
const MAX_EVALUATED = 10;

/** Maximum number of different `l=` values. Each requires another hash of the body. */
const MAX_LENGTHS = 2;

/**
 * Chooses which signatures are verified: first those of the From domain's organization, then the others from
 * the top.
 */
export function selectSignatures(
  signatures: readonly DkimSignatureHeader[],
  fromDomain: string | null,
): { readonly header: DkimSignatureHeader; readonly evaluate: boolean }[] {
  const isOwn = ({ domain }: DkimSignatureHeader) =>
    domain !== null && fromDomain !== null && sameOrganization(domain, fromDomain);
  const lengths = new Set<number>();
  const chosen = new Set<number>();
  for (const header of [...signatures].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    if (chosen.size === MAX_EVALUATED) break;
    const length = header.bodyLength;
    if (length !== null && !lengths.has(length) && lengths.size === MAX_LENGTHS) continue;
    if (length !== null) lengths.add(length);
    chosen.add(header.index);
  }
  return signatures.map((header) => ({ header, evaluate: chosen.has(header.index) }));
}
