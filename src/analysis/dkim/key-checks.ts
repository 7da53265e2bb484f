import { serverStep } from '../advice/actions.ts';
import type { DkimFact, DkimFacts } from '../authentication-facts.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import { bestOf, causeIf, signer } from './checks.ts';
import { dkimOthers, keyCause, keySteps, newKeyStep, secondSignatureStep } from './fixes.ts';
import { correctedKey, isUndecided, keyName, keyTypeOf, passes, whyUndecided } from './results.ts';

/** Verifiers must not accept less: RFC 8301 §3.2, in bits. */
const MIN_RSA_BITS = 1024;

/** What RFC 8301 §3.2 and the large mailbox providers recommend, in bits. */
const GOOD_RSA_BITS = 2048;

const bitsOf = ({ report }: DkimFact): number | null => report.key_bits ?? report.key?.bits ?? null;

/**
 * The signatures of the judged one's domain: signing with two algorithms is one practice, not two.
 * Those that pass count alone where there is one.
 */
const siblings = ({ signatures }: DkimFacts, best: DkimFact): readonly DkimFact[] => {
  const same = signatures.filter(({ report }) => report.domain === best.report.domain);
  return passes(best) ? same.filter(passes) : same;
};

/** Left out when no key was found: `dkim_valid` and `dkim_key_record` say so. */
export const dkimKeySize = defineCheck({
  id: 'dkim_key_size',
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
  ladder: [
    ['fail', ({ type, bits }) => type === 'rsa' && (bits ?? 0) < MIN_RSA_BITS],
    ['warn', ({ type, bits }) => type === 'rsa' && (bits ?? 0) < GOOD_RSA_BITS],
  ],
  detail: ({ type, bits, key }) =>
    type === 'rsa'
      ? `${keyName(key)} is RSA with ${bits} bits; ${MIN_RSA_BITS} are required, ${GOOD_RSA_BITS} are recommended.`
      : `${keyName(key)} is Ed25519.`,
  values: ({ key }) => signer(key),
  steps: ({ key }) => [newKeyStep(key)],
  others: ({ key }, facts) => dkimOthers(key, facts),
  cause: ({ key }) => keyCause(key),
});

export const dkimAlgorithm = defineCheck({
  id: 'dkim_algorithm',
  subject: (facts) =>
    withSiblings(facts, (group) => {
      const used = group.flatMap(({ report }) => report.algorithm?.toLowerCase() ?? []);
      return used.length > 0 ? known([...new Set(used)]) : undefined;
    }),
  ladder: [
    ['fail', (used) => used.every((algorithm) => algorithm === 'rsa-sha1')],
    ['warn', (used) => used.includes('ed25519-sha256') && !used.includes('rsa-sha256')],
  ],
  detail: (used) => `Signed with ${used.join(', ')}.`,
  fixes: (used) => (used.includes('ed25519-sha256') ? ['ed25519_alone'] : []),
  cause: (used, facts) => {
    const best = bestOf(facts);
    return best?.status === 'known' && !used.includes('ed25519-sha256')
      ? causeIf(best.value, 'weak_algorithm', 'dkim_algorithm')
      : 'dkim_algorithm';
  },
  steps: (used) => [
    used.includes('ed25519-sha256') ? secondSignatureStep : serverStep('dkim.a', 'rsa-sha256'),
  ],
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

/** A key that was looked up: left out when it is missing, unknown when DNS did not answer. */
const withKey = (facts: Facts): LookupResult<DkimFact> | undefined => {
  const best = bestOf(facts);
  if (best?.status !== 'known') return best;
  if (best.value.report.key || best.value.keyFaults.length > 0) return best;
  return isUndecided(best.value) ? unknown(whyUndecided(best.value)) : undefined;
};

export const dkimKeyTesting = defineCheck({
  id: 'dkim_key_testing',
  subject: withKey,
  ladder: [['warn', ({ report }) => report.key?.testing ?? false]],
  detail: (best) =>
    `${keyName(best)} has ${best.report.key?.testing ? 't=y: verifiers may treat the mail as unsigned' : 'no t=y'}.`,
  values: signer,
  steps: (best) => keySteps(best, withoutTestFlag(best)),
  others: dkimOthers,
  cause: keyCause,
});

/** The record with `t=y` gone; other flags, such as `s`, stay (RFC 6376 §3.6.1). */
const withoutTestFlag = (best: DkimFact): string | null =>
  correctedKey(best)
    ?.split('; ')
    .flatMap((tag) => {
      if (!tag.startsWith('t=')) return [tag];
      const flags = tag
        .slice(2)
        .split(':')
        .filter((flag) => flag.trim().toLowerCase() !== 'y');
      return flags.length > 0 ? [`t=${flags.join(':')}`] : [];
    })
    .join('; ') ?? null;

export const dkimKeyRecord = defineCheck({
  id: 'dkim_key_record',
  subject: withKey,
  ladder: [
    ['fail', ({ keyFaults }) => keyFaults.some(({ severity }) => severity === 'fail')],
    ['warn', ({ keyFaults }) => keyFaults.length > 0],
  ],
  detail: ({ keyFaults }) =>
    keyFaults.length === 0 ? 'No faults.' : `${keyFaults.map(({ what }) => what).join('; ')}.`,
  fixes: (best) => {
    const { keyFaults, report } = best;
    if (report.key?.revoked) return ['revoked'];
    const own = keyFaults.flatMap(({ fix }) => fix ?? []);
    if (own.length > 0) return own;
    return isAboutTheWay(best) && report.key?.cname.length ? ['cnames'] : [];
  },
  values: (best) => ({ ...signer(best), n: best.report.key?.cname.length ?? 0 }),
  steps: (best) => {
    const { revoked, cname = [] } = best.report.key ?? {};
    if (revoked) return [newKeyStep(best)];
    return isAboutTheWay(best) && cname.length > 0 ? undefined : keySteps(best);
  },
  others: dkimOthers,
  cause: keyCause,
});

/** A warning with nothing to correct is about the way to the record. */
const isAboutTheWay = ({ keyFaults }: DkimFact): boolean =>
  keyFaults.every(({ severity, corrected }) => severity === 'warn' && corrected === null);
