import type { DKIMResult } from 'mailauth';
import type { DkimReason, DkimResult } from '../../domain/report/authentication.ts';
import type { SignatureVerdict } from '../../ports/reading.ts';

type Verdict = readonly [result: DkimResult, reason: DkimReason | null];

const bare = (result: DkimResult, reason: DkimReason): SignatureVerdict => ({
  result,
  reason,
  bodyHash: null,
  keyBits: null,
  unsignedTailBytes: 0,
});

/** The library left it out: it cannot be read (RFC 6376 §6.1.1). */
export const MALFORMED = bare('permerror', 'malformed');

/** An input limit kept it from being looked at. */
export const NOT_EVALUATED = bare('policy', 'not_evaluated');

/** The library's comments that we know, for its result `neutral`. */
const NEUTRAL: Readonly<Record<string, Verdict>> = {
  'body hash did not verify': ['fail', 'body_hash_mismatch'],
  expired: ['fail', 'expired'],
  'no key': ['permerror', 'no_key'],
  'unknown key version': ['permerror', 'key_invalid'],
  'unknown key type': ['permerror', 'key_invalid'],
  'invalid public key': ['permerror', 'key_invalid'],
  'inappropriate hash algorithm': ['permerror', 'key_invalid'],
  'key not for email': ['permerror', 'key_invalid'],
  'From field not signed': ['permerror', 'malformed'],
  'invalid expiration': ['permerror', 'malformed'],
};

/** One result of the library in our words; its texts are compared and never passed on. */
export function toVerdict(result: DKIMResult): SignatureVerdict {
  const { status, bodyHash, bodyHashExpecting } = result;
  const [word, reason] = judge(result);
  return {
    result: word,
    reason,
    bodyHash:
      bodyHash && bodyHashExpecting
        ? bodyHash === bodyHashExpecting
          ? 'match'
          : 'mismatch'
        : null,
    keyBits: result.modulusLength ?? null,
    unsignedTailBytes: status.underSized ?? 0,
  };
}

function judge({ status, rr }: DKIMResult): Verdict {
  const comment = typeof status.comment === 'string' ? status.comment : '';
  switch (status.result) {
    case 'pass':
      // RFC 6376 §6.1.1: the domain of i= is d= or below it.
      return status.warnings?.includes('identity-domain')
        ? ['permerror', 'identity_not_under_domain']
        : ['pass', null];
    case 'fail':
      return ['fail', 'bad_signature'];
    case 'policy':
      return ['policy', comment === 'weak algorithm' ? 'weak_algorithm' : 'key_too_short'];
    case 'temperror':
      return ['temperror', 'dns'];
    default:
      if (comment === 'invalid public key' && isRevoked(rr)) return ['permerror', 'key_revoked'];
      // An error of the crypto library: the key does not fit the algorithm.
      return NEUTRAL[comment] ?? ['permerror', 'key_invalid'];
  }
}

/** RFC 6376 §3.6.1: an empty p= revokes. The library has one comment for this and for garbage. */
const isRevoked = (record: string | undefined): boolean =>
  /(?:^|;)\s*p\s*=\s*(?:;|$)/i.test(record ?? '');
