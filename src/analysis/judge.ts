import type { Check, Verdict } from './check.ts';
import { checks } from './checks.ts';
import type { Facts } from './facts.ts';

/**
 * Runs the checks on the facts of an email, and returns the verdicts that a report shows, in catalogue order.
 * A verdict is left out if the check does not apply, or if its gate, an earlier check, did not have a result
 * that opens it.
 */
export function judge(facts: Facts, asked: readonly Check[] = checks): readonly Verdict[] {
  const verdicts = new Map<string, Verdict>();
  const ids = new Set(asked.map(({ id }) => id));

  for (const check of asked) {
    const isGated = check.gate !== undefined && ids.has(check.gate);
    if (isGated && !isOpen(verdicts.get(check.gate ?? ''))) continue;
    const verdict = check.run(facts);
    if (verdict) verdicts.set(check.id, verdict);
  }
  return [...verdicts.values()];
}

/**
 * Returns whether the checks behind a gate run. An unknown result keeps the gate closed, because nothing
 * behind it can be judged then.
 */
const isOpen = (gate: Verdict | undefined): boolean =>
  !!gate?.state && gate.check.opensOn.includes(gate.state.severity);
