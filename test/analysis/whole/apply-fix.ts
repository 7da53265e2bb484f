/** Follows a fix on an email and its DNS zone, as a sender would. */

import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';
import { applyActions } from './apply-actions.ts';
import type { Situation } from './publish.ts';

/** Returns whether the sender's web server has a certificate for a name. It has only one. */
const isServed = ({ name }: Action): boolean =>
  !name?.includes('mta-sts.') || name.includes('mta-sts.example.com');

/** Returns the result of a step that is a question, or an instruction in words, instead of data. */
type Answer = (now: Situation, step: Action) => Situation;

/**
 * Returns the result of following a fix, by its steps alone unless someone answers; null if the steps are for
 * a person.
 */
export function applyFix(
  one: Situation,
  { actions = [] }: Finding,
  answer: Answer = (now) => now,
): Situation | null {
  if (!actions.every(isServed)) return null;
  const done = actions.reduce((now, step) => {
    const next = applyActions(now, [step]);
    return next === now ? answer(now, step) : next;
  }, one);
  return done === one ? null : done;
}
