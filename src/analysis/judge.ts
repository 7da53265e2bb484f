import type { Check, Verdict } from './check.ts';
import { checks } from './checks.ts';
import type { Facts } from './facts.ts';

/**
 * Runs the checks on the facts of an email. Returns the verdicts that a report shows, in catalogue order: those
 * of checks that apply and whose gate, an earlier check, had the result that they need.
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
 * A gate whose result is unknown is closed whatever its severity, because nothing behind it can be judged.
 */
const isOpen = (gate: Verdict | undefined): boolean =>
  !!gate?.state && gate.check.opensOn.includes(gate.state.severity);
