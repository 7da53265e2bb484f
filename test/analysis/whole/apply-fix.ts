import type { Action } from '../../../src/domain/report/action.ts';
import type { Finding } from '../../../src/domain/report/report.ts';
import { applyActions } from './apply-actions.ts';
import type { Situation } from './publish.ts';

/** The sender's web server has a certificate for one name alone. */
const isServed = ({ name }: Action): boolean =>
  !name?.includes('mta-sts.') || name.includes('mta-sts.example.com');

/** What is done by following a fix, by its steps alone; null: they are for a person. */
export function applyFix(one: Situation, { actions = [] }: Finding): Situation | null {
  if (!actions.every(isServed)) return null;
  const done = applyActions(one, actions);
  return done === one ? null : done;
}
