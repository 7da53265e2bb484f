/**
 * Parses the DKIM-Signature fields of an email, finds those that verifiers must ignore, and chooses which of
 * them are verified.
 */

import { MAX_SIGNATURES_READ } from '../limits.ts';
import { sameOrganization, toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { hasRepeatedTag, parseTagList, tagListFault } from '../syntax/tag-list.ts';
import { splitWords as words } from '../syntax/words.ts';

/**
 * Names of header fields that a report may show, in lower case: registered names, and those that widespread
 * software writes. Any other name may contain the sender's own words.
 */
const COMMON_FIELDS: ReadonlySet<string> = new Set([
  ...words('from sender reply-to to cc bcc subject date message-id in-reply-to references'),
  ...words('comments keywords return-path received organization organisation user-agent'),
  ...words(
    'resent-from resent-sender resent-to resent-cc resent-bcc resent-date resent-message-id',
  ),
  ...words('mime-version content-type content-transfer-encoding content-id content-description'),
  ...words('content-disposition content-language content-location content-class thread-topic'),
  ...words('thread-index list-id list-unsubscribe list-unsubscribe-post list-help list-subscribe'),
  ...words('list-post list-owner list-archive feedback-id precedence auto-submitted importance'),
  ...words('priority sensitivity disposition-notification-to return-receipt-to errors-to'),
  ...words(
    'mail-followup-to mail-reply-to reply-by expires autocrypt openpgp face require-recipient',
  ),
  ...words('dkim-signature authentication-results received-spf bimi-selector bimi-indicator'),
  ...words('arc-seal arc-message-signature arc-authentication-results tls-required cfbl-address'),
  ...words('cfbl-feedback-id x-mailer x-priority x-msmail-priority x-mimeole x-report-abuse'),
  ...words('x-report-abuse-to x-auto-response-suppress x-entity-ref-id x-entity-id x-campaign'),
  ...words('x-campaign-id x-campaignid x-mailgun-sid x-mailgun-tag x-mailgun-variables x-sg-eid'),
  ...words('x-sg-id x-ses-outgoing x-ses-configuration-set x-mc-user x-mandrill-user x-mj-mid'),
  ...words('x-mj-errormessage x-mailin-eid x-mailin-client x-mailin-campaign x-pm-message-id'),
  ...words(
    'x-pm-tag x-pm-message-options x-csa-complaints x-google-dkim-signature x-gm-message-state',
  ),
  ...words('x-google-smtp-source x-forwarded-to x-forwarded-for x-originating-ip x-php-script'),
  ...words(
    'x-php-originating-script x-spam-status x-spam-flag x-spam-score x-me-sender x-me-proxy',
  ),
  ...words('x-ms-exchange-senderadcheck x-ms-exchange-messagesentrepresentingtype'),
  ...words('x-ms-exchange-antispam-messagedata x-ms-has-attach x-ms-tnef-correlator'),
  ...words('x-microsoft-antispam x-microsoft-antispam-message-info x-ms-exchange-antispam-relay'),
  ...words(
    'x-hs-cid x-feedback-id x-sfmc-stack x-job x-binding x-virtualserver x-virtualservergroup',
  ),
  ...words(
    'x-messageid x-message-id x-mailer-recptid x-destination-id x-linkedin-class x-github-sender',
  ),
  ...words(
    'x-github-recipient x-github-reason x-facebook x-ymail-osg x-sonic-mf x-apple-mail-version',
  ),
  ...words('x-universally-unique-identifier x-sender x-return-path x-proofpoint-guid'),
  ...words('x-proofpoint-orig-guid x-mimecast-spam-score x-mimecast-originator'),
]);

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

/** Returns the name of a well-known header field, or `other`. A sender may make up any other name. */
export const shownField = (name: string): string => (COMMON_FIELDS.has(name) ? name : 'other');

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
