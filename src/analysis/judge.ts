import type { Verdict } from './check.ts';
import { checks } from './checks.ts';
import type { Facts } from './facts.ts';

/** The verdicts that a report shows: those that apply and whose gate is open, in catalogue order. */
export function judge(facts: Facts): readonly Verdict[] {
  const verdicts = new Map<string, Verdict>();

  for (const check of checks) {
    if (check.gate !== undefined && !isOpen(verdicts.get(check.gate))) continue;
    const verdict = check.run(facts);
    if (verdict) verdicts.set(check.id, verdict);
  }
  return [...verdicts.values()];
}

/** An unknown gate is closed whatever its severity: nothing behind it can be judged. */
const isOpen = (gate: Verdict | undefined): boolean =>
  !!gate?.state && gate.check.opensOn.includes(gate.state.severity);
