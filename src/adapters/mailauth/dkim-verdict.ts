/**
 * Turns what mailauth says about a DKIM signature into the facts of the report, and makes the verdicts on
 * signatures that it has not verified.
 */

import type { DKIMResult } from 'mailauth';
import type { DkimReason, DkimResult } from '../../domain/report/authentication.ts';
import type { MailJob, SignatureVerdict, SignedHeaders } from '../../ports/reading.ts';

type Verdict = readonly [result: DkimResult, reason: DkimReason | null, fault?: string];

const bare = (
  result: DkimResult,
  reason: DkimReason,
  fault: string | null = null,
): SignatureVerdict => ({
  result,
  reason,
  fault,
  bodyHash: null,
  keyBits: null,
  unsignedTailBytes: 0,
});

/**
 * Returns the verdict on a signature that cannot be read (RFC 6376 §6.1.1), or that the library left out.
 */
export const malformed = (fault: string | null): SignatureVerdict =>
  bare('permerror', 'malformed', fault);

/** The verdict on a signature that was not examined because of an input limit. */
export const NOT_EVALUATED = bare('policy', 'not_evaluated');

/** The library's comments that we know for its result `neutral`. */
const NEUTRAL: Readonly<Record<string, Verdict>> = {
  'body hash did not verify': ['fail', 'body_hash_mismatch'],
  expired: ['fail', 'expired'],
  'no key': ['permerror', 'no_key'],
  'unknown key version': ['permerror', 'key_invalid'],
  'unknown key type': ['permerror', 'key_invalid'],
  'invalid public key': ['permerror', 'key_invalid'],
  'inappropriate hash algorithm': ['permerror', 'key_invalid'],
  'key not for email': ['permerror', 'key_invalid'],
  'invalid expiration': ['permerror', 'malformed', 'x= is before t='],
};

/** Facts from the header that the library leaves us to check. */
type Claim = Pick<MailJob['signatures'][number]['header'], 'domain' | 'identityDomain'>;

/** Converts one of the library's results to our own terms. Its texts are compared and never passed on. */
export function toVerdict(result: DKIMResult, claim: Claim): SignatureVerdict {
  const { status, bodyHash, bodyHashExpecting } = result;
  const [word, reason, fault = null] = judge(result, claim);
  return {
    result: word,
    reason,
    fault,
    bodyHash:
      bodyHash && bodyHashExpecting
        ? bodyHash === bodyHashExpecting
          ? 'match'
          : 'mismatch'
        : null,
    keyBits: result.modulusLength ?? null,
    unsignedTailBytes: status.underSized ?? 0,
    ...((reason === null || MAY_BE_TRIED.includes(reason)) && { signed: toSigned(result) }),
    ...(reason === 'body_hash_mismatch' &&
      bodyHashExpecting && { signedBodyHash: bodyHashExpecting }),
  };
}

/**
 * Failures after which the signed headers are returned: the body is as it was signed, so the key or a header
 * is at fault. They are also returned if a signature passes, because its key may still be wrong.
 */
const MAY_BE_TRIED: readonly DkimReason[] = [
  ...(['bad_signature', 'no_key', 'key_invalid', 'key_revoked'] as const),
];

const toSigned = ({ signingHeaders, signature = '' }: DKIMResult): SignedHeaders => ({
  names: signingHeaders?.keys.toLowerCase().split(': ') ?? [],
  text: Buffer.from(signingHeaders?.canonicalizedHeader ?? '', 'base64').toString('latin1'),
  signature,
});

function judge(result: DKIMResult, claim: Claim): Verdict {
  const { status, rr } = result;
  const comment = typeof status.comment === 'string' ? status.comment : '';
  switch (status.result) {
    case 'pass':
      // The library accepts an l= that is larger than the body, which is forbidden (RFC 6376 §3.5), and uses
      // the whole body.
      if (isOverlong(result)) return ['permerror', 'malformed', 'l= is longer than the body'];
      // The domain of i= must be d= or below it (RFC 6376 §6.1.1).
      return isUnder(claim.identityDomain, claim.domain)
        ? ['pass', null]
        : ['permerror', 'identity_not_under_domain'];
    case 'fail':
      return ['fail', 'bad_signature'];
    case 'policy':
      return ['policy', comment === 'weak algorithm' ? 'weak_algorithm' : 'key_too_short'];
    case 'temperror':
      return ['temperror', 'dns'];
    default:
      if (comment === 'invalid public key' && isRevoked(rr)) return ['permerror', 'key_revoked'];
      // Any other comment is an error of the crypto library: the key does not match the algorithm.
      return NEUTRAL[comment] ?? ['permerror', 'key_invalid'];
  }
}

const isOverlong = ({ canonBodyLengthLimit: limit, canonBodyLengthTotal: total }: DKIMResult) =>
  limit !== undefined && total !== undefined && limit > total;

const isUnder = (domain: string | null, parent: string | null): boolean =>
  domain !== null && parent !== null && (domain === parent || domain.endsWith(`.${parent}`));

/**
 * An empty p= revokes a key (RFC 6376 §3.6.1). The library has the same comment for this and for garbage.
 */
const isRevoked = (record: string | undefined): boolean =>
  /(?:^|;)\s*p\s*=\s*(?:;|$)/i.test(record ?? '');
