import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';
import { applyActions } from './apply-actions.ts';
import type { Situation } from './publish.ts';

/** The sender's web server has a certificate for one name alone. */
const isServed = ({ name }: Action): boolean =>
  !name?.includes('mta-sts.') || name.includes('mta-sts.example.com');

/** What comes of a step that is no data but a question, or an instruction in words. */
type Answer = (now: Situation, step: Action) => Situation;

/** What is done by following a fix, by its steps alone unless somebody answers; null: they are for a person. */
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
