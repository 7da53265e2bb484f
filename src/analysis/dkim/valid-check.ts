/** Defines the check on whether the DKIM signatures of an email verify. */

import { passedBefore, whoseServer } from '../advice/whose-server.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import { known, thenLookup, unknown } from '../lookup-result.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import { CAUSES, causeValues, shownCause } from './cause.ts';
import type { DkimFact, DkimFacts } from './facts.ts';
import {
  dkimOthers,
  isStrictFault,
  signatureCause,
  signatureSteps,
  unsignedCause,
} from './fixes.ts';
import { MIN_RSA_BITS } from './key-checks.ts';
import { formatSignature, isUndecided, passes, whyUndecided } from './results.ts';

/** Returns the signatures that certainly failed, which excludes those whose key lookup was not answered. */
const failed = ({ signatures }: DkimFacts): readonly DkimFact[] =>
  signatures.filter((one) => !passes(one) && !isUndecided(one));

/** Returns the failed signature to fix first, preferably one of the sender's own. */
const worstOf = (dkim: DkimFacts): DkimFact | undefined =>
  failed(dkim).find(({ ofFromDomain }) => ofFromDomain) ?? failed(dkim)[0];

export const dkimValid = check({
  id: 'dkim_valid',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM verification',
  source: 'RFC 6376 §6.1',
  about: {
    what: 'Receivers verify that the signature matches the email and the key in your DNS.',
    why: 'A signature that does not match is no better than none. Often something changed the email after it was signed.',
    how: [
      'Look at the reason in the report: the key is missing, the body changed, or a header changed.',
      'Make signing the last step, after footers, link tracking and virus scanners.',
      'If the key is missing, publish the record that your platform shows.',
    ],
    bad: 'd=example.com; s=s2026   (no record at s2026._domainkey.example.com)',
    good: 's2026._domainkey.example.com  TXT  "v=DKIM1; k=rsa; p=MIIBIjANBg…"',
    platforms: 'dkim',
  },
  subject: ({ dkim }) =>
    thenLookup<DkimFacts, DkimFacts>(dkim, (value) => {
      const open = value.signatures.filter(isUndecided);
      const passing = value.signatures.filter(passes);
      const isOwn = ({ ofFromDomain }: DkimFact) => ofFromDomain;
      // A signature of another domain that passes does not make up for an undecided one of the sender's own,
      // which may fail.
      const decisive =
        passing.length === 0 ? open[0] : passing.some(isOwn) ? undefined : open.find(isOwn);
      return decisive ? unknown(whyUndecided(decisive)) : known(value);
    }),
  states: ({ fail, warn, info, pass }) => ({
    none_valid: fail(22, REFUSED_IN_PART).when(
      'no signature verifies',
      ({ signatures }, facts) => !signatures.some((one) => passes(one) || passedBefore(one, facts)),
    ),
    own_invalid: warn(3).when(
      'one signature passes, but another one of the organizational domain of From fails',
      (dkim, facts) => failed(dkim).some((one) => one.ofFromDomain && !passedBefore(one, facts)),
    ),
    foreign_invalid: info.when(
      'only additional signatures of other domains fail, or a verified ARC seal says that the failing signature passed before somebody else changed the email in transit',
      (dkim) => failed(dkim).length > 0,
    ),
    valid: pass('all verify'),
  }),
  detail: ({ signatures }, facts) => {
    const before = signatures
      .filter((one) => passedBefore(one, facts))
      .map(
        ({ report }) =>
          ` ${report.domain} passed before ${whoseServer(facts).name} changed the email, according to verified ARC seals.`,
      );
    const elsewhere = signatures.flatMap(({ elsewhere: at }) => at?.name ?? []);
    const found = elsewhere.map((name) => ` There is a key at ${name}.`);
    return `${signatures.map(formatSignature).join('; ')}.${found.join('')}${before.join('')}`;
  },
  evidence: ({ signatures }) => ({ signatures: signatures.map(formatSignature) }),
  fix: {
    why: 'The DKIM signature of {d} (selector {selector}) does not verify.',
    do: 'Send the email again. If it fails again, check the signing settings of {d} in your mail system.',
  },
  fixes: {
    body_hash_mismatch:
      'The DKIM signature of {d} (selector {selector}) does not match this email: its body is not the one that was signed.',
    bad_signature:
      'The DKIM signature of {d} (selector {selector}) does not match the headers of this email and the published key.',
    no_key:
      '{d} publishes no key for the selector {selector}, so its DKIM signature cannot be checked.',
    key_revoked: 'The key of the selector {selector} at {d} is revoked (p= is empty).',
    key_invalid: 'Verifiers cannot use the key that {d} publishes for the selector {selector}.',
    key_too_short: `The key of the selector {selector} is shorter than ${MIN_RSA_BITS} bits, and receivers do not accept it.`,
    weak_algorithm: 'The signature of {d} uses SHA-1, and receivers do not accept it.',
    expired: 'The signature of {d} had expired when the email arrived.',
    identity_not_under_domain:
      'The signing identity (i=) is outside {d}, so the signature does not count.',
    strict:
      'The key of {d} does not allow subdomains to sign (t=s), but the signing identity (i=) is at one, so the signature does not count.',
    malformed: {
      why: 'The DKIM-Signature header of {d} cannot be read.',
      do: 'Have your signer write each of v=1, a=, b=, bh=, d=, h= and s= exactly once.',
    },
    misplaced:
      'The key of the selector {selector} is at {elsewhere}, where nobody looks for it. Many DNS panels add the domain to a name automatically: enter only the part before the domain.',
    ...CAUSES,
  },
  // The catalogue names its cases after the reasons in the report.
  cases: (dkim, facts) => {
    const worst = worstOf(dkim);
    const cause = worst && shownCause(worst, facts);
    if (cause) return [cause];
    return worst && isStrictFault(worst) ? ['strict'] : asSeen(worst?.report.reason ?? '');
  },
  values: (dkim, facts) => {
    const worst = worstOf(dkim);
    return worst
      ? causeValues(worst, facts)
      : { d: '', selector: '', elsewhere: '', key_name: '', target: '', header: '', change: '' };
  },
  steps: (dkim, facts) => {
    const worst = worstOf(dkim);
    return worst && signatureSteps(worst, facts);
  },
  others: (dkim, facts) => {
    const worst = worstOf(dkim);
    return worst && dkimOthers(worst, facts);
  },
  cause: (dkim, facts) => {
    const worst = worstOf(dkim);
    if (!worst) return 'dkim_valid';
    return worst.ofFromDomain ? signatureCause(worst) : unsignedCause(facts);
  },
});
