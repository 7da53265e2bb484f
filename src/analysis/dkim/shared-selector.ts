/**
 * Builds the steps for a failed signature beside another one of the same domain, whose key must not be
 * changed.
 */

import { askStep, type Step, wordsStep } from '../advice/actions.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { passingTwins, shownCause } from './cause.ts';
import type { DkimFact } from './facts.ts';
import { keyName } from './results.ts';

/**
 * Returns the steps for a failed signature whose selector has the key of another signature of this email. No
 * step changes that record, because it would break the other signature.
 */
export function takenSteps(one: DkimFact, facts: Facts): readonly Step[] {
  const { selector } = one.report;
  const keep = `Leave the record at ${keyName(one)} as it is, because it verifies your other signature.`;
  const own = `Give the signer of ${placeOf(one, facts)} its own selector (s=), and publish the record that it shows for that selector. ${keep}`;
  return [
    shownCause(one, facts) === 'shared'
      ? askStep(
          `Do both signers that use the selector ${selector} have the same key? If not: ${own} If they do, a header changed between the two signings: have whatever changes it run before the first one.`,
          'sender',
        )
      : wordsStep(
          'server',
          `Two signers use the selector ${selector} with different keys. ${own}`,
          'sender',
          'dkim.s',
        ),
    ...spareSteps(one, facts),
  ];
}

/** Names a signature by its place among all of the email, because two may have one selector. */
function placeOf(one: DkimFact, { dkim }: Facts): string {
  const place = (ifKnown(dkim)?.signatures ?? []).indexOf(one) + 1;
  return `DKIM-Signature header number ${place} from the top`;
}

/**
 * Returns a question whether a failed signature is needed beside one that passes. It is needed if no RSA
 * signature passes, because many receivers do not verify Ed25519.
 */
export const spareSteps = (one: DkimFact, facts: Facts): readonly Step[] =>
  passingTwins(one, facts).some(({ report }) => report.algorithm?.toLowerCase().startsWith('rsa-'))
    ? [
        askStep(
          `Another signature of ${one.report.domain} passes. Do you need the one that fails (${placeOf(one, facts)}) at all? If not, turn it off instead.`,
        ),
      ]
    : [];
