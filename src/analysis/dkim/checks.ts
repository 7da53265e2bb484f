/**
 * Defines the checks on whether an email is signed with DKIM, and on the TXT record of the key, with the
 * parts that all checks on the judged signature share.
 */

import type { DkimReason } from '../../domain/report/authentication.ts';
import { publicFrom, signingDomain } from '../advice/fill.ts';
import { isOthersDomain } from '../advice/ownership.ts';
import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatCount } from '../format.ts';
import { known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import { isFreemail } from '../names/domain-names.ts';
import { REFUSED_IN_PART } from '../scale.ts';
import { CAUSES, causeValues, shownCause } from './cause.ts';
import type { DkimFact, DkimFacts } from './facts.ts';
import {
  dkimOthers,
  keyCause,
  newKeyStep,
  signatureCause,
  signatureOthers,
  signingSteps,
  unsignedCause,
} from './fixes.ts';
import { MANY_CNAMES } from './key.ts';
import { keySteps } from './key-steps.ts';
import { bestSignature, isUndecided, keyName, whyUndecided } from './results.ts';

/**
 * Returns the signature that the checks judge. Unknown if the signature was not evaluated because of an input
 * limit.
 */
export const bestOf = ({ dkim }: Facts): LookupResult<DkimFact> | undefined =>
  thenLookup<DkimFacts, DkimFact>(dkim, (value) => {
    const best = bestSignature(value);
    if (!best) return undefined;
    return best.report.reason === 'not_evaluated' ? unknown(whyUndecided(best)) : known(best);
  });

/** Returns the domain and the selector of the judged signature, as placeholder values. */
export const signer = ({ report }: DkimFact) => ({ d: report.domain, selector: report.selector });

/**
 * Returns the cause of a finding. If the signature failed for the given reason, every finding about it shares
 * the cause of that failure, and so one fix.
 */
export const causeIf = (one: DkimFact, reason: DkimReason, own: string): string =>
  one.report.reason === reason ? signatureCause(one) : own;

/** The parts of a definition that all checks on the judged signature share. */
export const dkimFixes = {
  values: signer,
  others: signatureOthers,
};

export const dkimPresent = check({
  id: 'dkim_present',
  family: 'dkim',
  title: 'DKIM signature',
  source: 'RFC 6376; Gmail and Yahoo bulk rules; Microsoft high-volume rule',
  about: {
    what: 'DKIM signs each email with a key that only you have. Receivers check the signature with the public key in your DNS.',
    why: 'A signature shows that the email is yours and unchanged, even after it was forwarded. Gmail and Yahoo require it of bulk senders.',
    how: [
      'Turn on DKIM in the system that sends your mail.',
      'In your DNS, publish the record that it shows you.',
      'Send another test: the signature must name your own domain.',
    ],
    bad: '(no DKIM-Signature header)',
    good: 'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s2026; …',
    platforms: 'dkim',
  },
  subject: ({ dkim }) => dkim,
  states: ({ fail, pass }) => ({
    absent: fail(22, REFUSED_IN_PART).when(
      'no DKIM-Signature header (behind an inbound provider: none besides those that the provider added)',
      ({ total }) => total === 0,
    ),
    present: pass('at least one signature'),
  }),
  detail: ({ total }) =>
    total === 0
      ? 'The email arrived without a DKIM signature.'
      : `${formatCount(total, 'DKIM-Signature header')}.`,
  evidence: ({ total }) => ({ signatures: total }),
  fix: {
    why: 'Your email arrived without a DKIM signature, so receivers cannot tell whether it is yours and unchanged.',
    do: 'Turn on DKIM signing in your mail system.',
  },
  steps: (_, facts) => {
    const from = publicFrom(facts);
    return from === null ? undefined : signingSteps(signingDomain(facts), facts);
  },
  others: (_, facts) => {
    const domain = signingDomain(facts);
    if (!isOthersDomain(domain, facts) || publicFrom(facts) === null) return undefined;
    return {
      owner: 'platform',
      why: isFreemail(domain)
        ? `${domain} is a free email provider's domain, and only the provider can sign for it.`
        : `You do not own ${domain}, and only its provider can sign for it.`,
      ask: 'Send from an address at a domain you own.',
    };
  },
  cause: (_, facts) => unsignedCause(facts),
});

/**
 * Returns the judged signature if its key record was found. Returns `undefined` if there is no record, and
 * unknown if the DNS did not answer.
 */
const withKey = (facts: Facts): LookupResult<DkimFact> | undefined => {
  const best = bestOf(facts);
  if (best?.status !== 'known') return best;
  if (best.value.report.key || best.value.keyFaults.length > 0) return best;
  return isUndecided(best.value) ? unknown(whyUndecided(best.value)) : undefined;
};

export const dkimKeyTesting = check({
  id: 'dkim_key_testing',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM key test flag (t=)',
  source: 'RFC 6376 §3.6.1',
  about: {
    what: 'The flag t=y in a key record says that you are only testing DKIM.',
    why: 'Receivers may treat mail signed with such a key as unsigned.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Edit the key record and remove t=y.',
    ],
    bad: '"v=DKIM1; t=y; k=rsa; p=MIIBIjANBg…"',
    good: '"v=DKIM1; k=rsa; p=MIIBIjANBg…"',
  },
  subject: withKey,
  states: ({ warn, pass }) => ({
    testing: warn(3).when(
      'the key record contains t=y',
      ({ report }) => report.key?.testing ?? false,
    ),
    in_use: pass('the key record does not contain t=y'),
  }),
  detail: (best) =>
    `${keyName(best)} has ${best.report.key?.testing ? 't=y: verifiers may treat the email as unsigned' : 'no t=y'}.`,
  evidence: (best) => ({ key: keyName(best), testing: best.report.key?.testing ?? false }),
  fix: {
    why: 'The key of {d} at the selector {selector} is marked as a test (t=y), and receivers may treat the email as unsigned.',
    do: 'Remove t=y from its record.',
  },
  values: signer,
  steps: (best, facts) => keySteps(best, facts),
  others: dkimOthers,
  cause: keyCause,
});

export const dkimKeyRecord = check({
  id: 'dkim_key_record',
  family: 'dkim',
  gate: 'dkim_present',
  title: 'DKIM key record',
  source: 'RFC 6376 §3.6.1, §3.6.2.2',
  about: {
    what: 'The key record in your DNS contains the public key that verifiers use.',
    why: 'If it contains an error, some receivers find the key and others do not, so your mail passes at some and fails at others.',
    how: [
      'Log in where your domain is managed and open its DNS settings.',
      'Publish exactly one TXT record at the name of the key, copied in full from your platform. Long values may be split, but nothing may be added.',
    ],
    bad: '"v=DKIM1; k=rsa; p=MIIBIjANBg… "   and a second TXT record at the same name',
    good: '"v=DKIM1; k=rsa; p=MIIBIjANBg…"',
    platforms: 'dkim',
  },
  subject: withKey,
  states: ({ fail, warn, pass }) => ({
    unusable: fail(10).when(
      'revoked (empty p=), malformed base64, a key that is cut off, wrong k=, h= without sha256, s= neither email nor *, several TXT at the selector',
      ({ keyFaults }) => keyFaults.some(({ severity }) => severity === 'fail'),
    ),
    doubtful: warn(1).when(
      `CNAME chain > ${MANY_CNAMES}, an obsolete g= tag, or an RSA key without the SubjectPublicKeyInfo wrapper that many verifiers require`,
      ({ keyFaults }) => keyFaults.length > 0,
    ),
    clean: pass('no errors'),
  }),
  detail: ({ keyFaults }) =>
    keyFaults.length === 0 ? 'No errors.' : `${keyFaults.map(({ what }) => what).join('; ')}.`,
  evidence: ({ keyFaults }) => ({ faults: keyFaults.map(({ what }) => what) }),
  fix: 'The key record of {d} at the selector {selector} contains an error.',
  fixes: {
    appended: CAUSES.appended,
    borrowed: CAUSES.borrowed,
    several: CAUSES.several,
    several_keys: CAUSES.several_keys,
    joined: 'The key is split over several TXT records. It must be in one record.',
    cut: 'The key at the selector {selector} is cut off.',
    revoked: 'The key is revoked (p= is empty). Keep this record.',
    cnames: {
      why: 'Resolvers have to follow {n} CNAMEs to reach the key of {selector}, and may give up.',
      do: 'Shorten the chain to at most 3 CNAMEs.',
    },
  },
  cases: (best, facts) => {
    const { keyFaults, report } = best;
    const cause = shownCause(best, facts);
    if (cause === 'several' || cause === 'several_keys') return [cause];
    if (cause === 'borrowed' || cause === 'appended') return [cause];
    if (report.key?.revoked) return ['revoked'];
    const own = keyFaults.flatMap(({ fix }) => fix ?? []);
    if (own.length > 0) return asSeen(...own);
    return isAboutTheRoute(best) && report.key?.cname.length ? ['cnames'] : [];
  },
  values: (best, facts) => ({
    ...causeValues(best, facts),
    n: best.report.key?.cname.length ?? 0,
  }),
  steps: (best, facts) => {
    const { revoked, cname = [] } = best.report.key ?? {};
    if (revoked && shownCause(best, facts) === null) return [newKeyStep(best)];
    return isAboutTheRoute(best) && cname.length > 0 ? undefined : keySteps(best, facts);
  },
  others: (best, facts) => (isAboutTheRoute(best) ? signatureOthers : dkimOthers)(best, facts),
  cause: keyCause,
});

/**
 * Returns whether the warnings concern only the path to the record, such as too many CNAMEs, so that nothing
 * in the record needs correcting.
 */
const isAboutTheRoute = ({ keyFaults }: DkimFact): boolean =>
  keyFaults.every(({ severity, corrected }) => severity === 'warn' && corrected === null);
