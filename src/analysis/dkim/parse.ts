import { MAX_SIGNATURES_KEPT } from '../limits.ts';
import { toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { COMMON_FIELDS } from '../syntax/common-fields.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { hasRepeatedTag, parseTagList, tagListFault } from '../syntax/tag-list.ts';

/** RFC 6376 §3.5, in its order. */
const REQUIRED = ['v', 'a', 'b', 'bh', 'd', 'h', 's'];

// Words of the ABNF are without case.
const ALGORITHM = /^(?:rsa-sha1|rsa-sha256|ed25519-sha256)$/i;
const CANONICALIZATION = /^(?:simple|relaxed)(?:\/(?:simple|relaxed))?$/i;
const DIGITS = /^\d+$/;

const isAmong = (word: string, list: string): boolean =>
  list.split(':').some((one) => one.trim().toLowerCase() === word);

/**
 * Why verifiers must not look at a DKIM-Signature any further (RFC 6376 §6.1.1), in words of ours;
 * null: its syntax is no reason. Empty names in `h=` are let be, as verifiers do.
 */
function dkimSyntaxFault(value: string): string | null {
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
    ['a', (name) => ALGORITHM.test(name), 'a= is no algorithm of DKIM'],
    ['c', (name) => CANONICALIZATION.test(name), 'c= is no canonicalization'],
    ['h', (names) => isAmong('from', names), 'From is not in h='],
    ['t', (digits) => DIGITS.test(digits), 't= is no number'],
    ['x', (digits) => DIGITS.test(digits), 'x= is no number'],
    ['l', (digits) => DIGITS.test(digits), 'l= is no number'],
    ['q', (methods) => isAmong('dns/txt', methods), 'q= is not dns/txt'],
  ];
  const wrong = faults.find(([tag, isRight]) => {
    const text = tags.get(tag);
    return text !== undefined && !isRight(text);
  });
  return wrong?.[2] ?? null;
}

/** What one DKIM-Signature field says of itself. Its `i=` is kept as a domain only. */
export interface DkimSignatureHeader {
  /** Place among the DKIM-Signature fields, from the top. */
  readonly index: number;
  /** `d=`, or null where it is no domain, or a tag is there twice. */
  readonly domain: string | null;
  readonly selector: string | null;
  /**
   * `h=` in lower case and in order, repetitions kept: they are what oversigning is. A name of the
   * sender's own making is `other`.
   */
  readonly signedHeaders: readonly string[];
  /** Domain of `i=`; `d=` where it is missing. */
  readonly identityDomain: string | null;
  /** `a=` in lower case; `unknown` where DKIM does not know it, null where it is missing. */
  readonly algorithm: string | null;
  /** `c=` in lower case; `unknown` where it can be none. */
  readonly canonicalization: string;
  /** `t=` and `x=`, seconds since 1970. */
  readonly timestamp: number | null;
  readonly expires: number | null;
  /** `l=`, in octets. */
  readonly bodyLength: number | null;
  readonly hasBodyHash: boolean;
  /** What makes it invalid as it stands; null: nothing. */
  readonly fault: string | null;
}

const MAX_SIGNED_HEADERS = 1000;

/** What RFC 5322 allows of a name. */
const FIELD_NAME = /^[!-9<-~]{1,80}$/;

const integer = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

const algorithm = (value: string | undefined): string | null =>
  value ? (ALGORITHM.test(value) ? value.toLowerCase() : 'unknown') : null;

// RFC 6376 §3.5: simple/simple unless said.
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
    .map((name) => (COMMON_FIELDS.has(name) ? name : 'other'));

/** A name, which may be in U-labels where header fields are internationalized (RFC 8616 §5). */
const nameOf = (latin1: string | undefined): string | null => toDomain(headerText(latin1 ?? ''));

/** RFC 6376 §2.11: `i=` is encoded, `@` and all; white space says nothing. */
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
  // Whose signature it is must not be a matter of which of two tags one reads.
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
    hasBodyHash: (tags.get('bh') ?? '') !== '',
    fault: dkimSyntaxFault(value),
  };
};

/** The signatures of a mail from the top, 20 at most. */
export const dkimSignatureHeaders = (block: HeaderBlock): readonly DkimSignatureHeader[] =>
  fieldsNamed(block, 'dkim-signature')
    .slice(0, MAX_SIGNATURES_KEPT)
    .map(({ value }, index) => toSignature(value, index));
