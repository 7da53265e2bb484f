import type { Facts } from '../analysis/facts.ts';
import { known } from '../analysis/lookup-result.ts';
import { makePlan } from '../analysis/spf/plan.ts';
import { evaluateSpf } from './spf-record.ts';
import type { SpfAbout } from './spf-target.ts';

/** The facts with what the engine says of each record that the plan of a corrected one comes to. */
export async function withSpfTrials(facts: Facts, about: SpfAbout | null): Promise<Facts> {
  if (facts.spf.status === 'unknown' || about === null) return facts;
  const spf = facts.spf.value;
  const trials = new Map(spf.trials);
  const planning = makePlan(spf, facts);
  let step = planning.next();
  while (!step.done) {
    const trial = trials.get(step.value) ?? (await evaluateSpf(about, step.value));
    trials.set(step.value, trial);
    step = planning.next(trial);
  }
  return { ...facts, spf: known({ ...spf, trials }) };
}
