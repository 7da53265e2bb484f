/** Defines the checks on the size and the algorithm of a DKIM key. */

import { serverStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import type { Facts } from '../facts.ts';
import { known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import { isUsable, onlyOf, ownText, publishedTexts } from './cause.ts';
import { bestOf, causeIf, signer } from './checks.ts';
import type { DkimFact, DkimFacts } from './facts.ts';
import { dkimOthers, keyCause, newKeyStep } from './fixes.ts';
import { readDkimKey } from './key.ts';
import { isUndecided, keyName, keyTypeOf, passes, whyUndecided } from './results.ts';
import { failedRsa, rsaCause, rsaSteps } from './rsa-signature.ts';

/** Minimum length of an RSA key that verifiers may accept, in bits (RFC 8301 §3.2). */
export const MIN_RSA_BITS = 1024;

/** Length of an RSA key that RFC 8301 §3.2 and the large mailbox providers recommend, in bits. */
const GOOD_RSA_BITS = 2048;

/**
 * Returns the length in bits of the key that made the signature, or null if several keys are published and it
 * is unknown which one made it.
 */
function bitsOf(one: DkimFact): number | null {
  const texts = publishedTexts(one);
  if (texts.length <= 1) return one.report.key_bits ?? one.report.key?.bits ?? null;
  const [text] = [ownText(one) ?? [], onlyOf(texts.filter(isUsable))].flat();
  return text === undefined ? null : readDkimKey(keyName(one), [text], []).key.bits;
}

/**
 * Returns the signatures that are judged together with the best one: those of the same domain, and those of
 * the From domain's organization. A sender may sign with two algorithms. If the best signature passes, only
 * those that pass count.
 */
const siblings = ({ signatures }: DkimFacts, best: DkimFact): readonly DkimFact[] => {
  const same = signatures.filter(
    ({ ofFromDomain, report }) =>
      report.domain === best.report.domain || (best.ofFromDomain && ofFromDomain),
  );
  return passes(best) ? same.filter(passes) : same;
};

/**
 * Checks the length of the key. The check does not apply if no key was found, which `dkim_valid` and
 * `dkim_key_record` report.
 */
export const dkimKeySize = check({
  id: 'dkim_key_size',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM key strength',
  source: `RFC 8301 §3.2; Gmail recommends ${GOOD_RSA_BITS}`,
  about: {
    what: `The longer the signing key, the harder it is to break. RSA keys usually have ${GOOD_RSA_BITS} bits today.`,
    why: `Receivers ignore keys below ${MIN_RSA_BITS} bits because they can be broken. Gmail and Yahoo recommend ${GOOD_RSA_BITS}.`,
    how: [
      `Create a new ${GOOD_RSA_BITS}-bit key under a new selector.`,
      'Publish it, then have your mail system sign with it.',
      'Delete the old record a week later.',
    ],
    bad: 's1._domainkey.example.com  TXT  "v=DKIM1; k=rsa; p=MIGfMA0GCS…"   (1024 bits)',
    good: 's2026._domainkey.example.com  TXT  "v=DKIM1; k=rsa; p=MIIBIjANBg…"   (2048 bits)',
    platforms: 'dkim',
  },
  subject: (facts) =>
    withSiblings(facts, (group) => {
      const rsa = group
        .filter((one) => keyTypeOf(one) === 'rsa' && bitsOf(one) !== null)
        .sort((a, b) => (bitsOf(b) ?? 0) - (bitsOf(a) ?? 0))[0];
      const ed25519 = group.find((one) => keyTypeOf(one) === 'ed25519');
      const strongest = ed25519 ?? rsa;
      if (strongest)
        return known({ key: strongest, bits: bitsOf(strongest), type: keyTypeOf(strongest) });
      const open = group.find(isUndecided);
      return open && unknown(whyUndecided(open));
    }),
  states: ({ fail, warn, pass }) => ({
    too_short: fail(12).when(
      `RSA < ${MIN_RSA_BITS} bits (verifiers must not accept)`,
      ({ type, bits }) => type === 'rsa' && (bits ?? 0) < MIN_RSA_BITS,
    ),
    short: warn(3).when(
      `RSA ${MIN_RSA_BITS}-${GOOD_RSA_BITS - 1}`,
      ({ type, bits }) => type === 'rsa' && (bits ?? 0) < GOOD_RSA_BITS,
    ),
    long_enough: pass(`RSA >= ${GOOD_RSA_BITS} or Ed25519 alongside RSA`),
  }),
  detail: ({ type, bits, key }) =>
    type === 'rsa'
      ? `${keyName(key)} is RSA with ${bits} bits; at least ${MIN_RSA_BITS} are required, and ${GOOD_RSA_BITS} are recommended.`
      : `${keyName(key)} is Ed25519.`,
  evidence: ({ type, bits, key }) => ({
    key: keyName(key),
    type,
    bits,
    required_bits: MIN_RSA_BITS,
    recommended_bits: GOOD_RSA_BITS,
  }),
  fix: `The key of {d} at the selector {selector} is shorter than the ${GOOD_RSA_BITS} bits that receivers recommend.`,
  values: ({ key }) => signer(key),
  steps: ({ key }) => [newKeyStep(key)],
  others: ({ key }, facts) => dkimOthers(key, facts),
  cause: ({ key }) => keyCause(key),
});

export const dkimAlgorithm = check({
  id: 'dkim_algorithm',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM signing algorithm',
  source: 'RFC 8301 §3.1; RFC 8463 §3',
  about: {
    what: 'The algorithm says how the signature is computed. All receivers accept rsa-sha256; rsa-sha1 has been withdrawn.',
    why: 'Receivers treat a signature with rsa-sha1 as if it were not there.',
    how: [
      'In the settings of your mail system, choose rsa-sha256 as the DKIM algorithm. Update old versions of the signing software.',
    ],
    bad: 'DKIM-Signature: v=1; a=rsa-sha1; …',
    good: 'DKIM-Signature: v=1; a=rsa-sha256; …',
  },
  subject: (facts) =>
    withSiblings(facts, (group) => {
      const used = group.flatMap(({ report }) => report.algorithm?.toLowerCase() ?? []);
      return used.length > 0 ? known([...new Set(used)]) : undefined;
    }),
  states: ({ fail, warn, pass }) => ({
    sha1_only: fail(20).when('only rsa-sha1', (used) =>
      used.every((algorithm) => algorithm === 'rsa-sha1'),
    ),
    ed25519_only: warn(19).when(
      'only ed25519-sha256 (many receivers ignore it)',
      (used) => used.includes('ed25519-sha256') && !used.includes('rsa-sha256'),
    ),
    sha256: pass('rsa-sha256 present'),
  }),
  detail: (used) => `Signed with ${used.join(', ')}.`,
  evidence: (used) => ({ algorithms: used }),
  fix: 'Your signer uses rsa-sha1, which receivers do not accept.',
  fixes: {
    ed25519_alone:
      'This email has only an Ed25519 signature, and many receivers do not check those.',
    rsa_fails:
      'Only the Ed25519 signature of this email passes, and many receivers do not check those. Its RSA signature has to pass too.',
  },
  cases: (used, facts) => {
    if (!used.includes('ed25519-sha256')) return [];
    return [failedRsa(facts) ? 'rsa_fails' : 'ed25519_alone'];
  },
  cause: (used, facts) => {
    if (used.includes('ed25519-sha256')) return rsaCause(facts);
    const best = bestOf(facts);
    return best?.status === 'known'
      ? causeIf(best.value, 'weak_algorithm', 'dkim_algorithm')
      : 'dkim_algorithm';
  },
  steps: (used, facts) =>
    used.includes('ed25519-sha256') ? rsaSteps(facts) : [serverStep('dkim.a', 'rsa-sha256')],
  others: (_, facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' ? dkimOthers(best.value, facts) : undefined;
  },
});

function withSiblings<S>(
  facts: Facts,
  next: (group: readonly DkimFact[]) => LookupResult<S> | undefined,
): LookupResult<S> | undefined {
  const best = bestOf(facts);
  return (
    best && thenLookup(facts.dkim, (dkim) => thenLookup(best, (one) => next(siblings(dkim, one))))
  );
}
