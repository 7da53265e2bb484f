/** Builds the steps that lead to an RSA signature that passes, for an email without one. */

import { type Step, serverStep } from '../advice/actions.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import type { DkimFact } from './facts.ts';
import { signatureCause, signatureSteps } from './fixes.ts';
import { bestSignature, isUndecided, passes } from './results.ts';

/** The step that adds an RSA signature, because many receivers do not verify Ed25519. */
const secondSignatureStep: Step = {
  ...serverStep('dkim.a', 'rsa-sha256'),
  operation: 'add',
};

/** Returns the failed RSA signature of the domain whose signature is judged, or `undefined` if no such signature failed. */
export function failedRsa({ dkim }: Facts): DkimFact | undefined {
  const value = ifKnown(dkim);
  const { domain } = (value && bestSignature(value)?.report) ?? {};
  return value?.signatures.find(
    (one) =>
      one.report.domain === domain &&
      one.report.algorithm?.toLowerCase().startsWith('rsa-') &&
      !passes(one) &&
      !isUndecided(one),
  );
}

/** Returns the steps that lead to an RSA signature that passes, by fixing the present one or adding one. */
export function rsaSteps(facts: Facts): readonly Step[] {
  const failed = failedRsa(facts);
  return failed ? signatureSteps(failed, facts) : [secondSignatureStep];
}

/** Returns the cause that findings share if no RSA signature passes. */
export function rsaCause(facts: Facts): string {
  const failed = failedRsa(facts);
  return failed ? signatureCause(failed) : 'dkim_algorithm';
}
