import { allChecks } from './all-checks.ts';
import { catalogue } from './catalogue.ts';
import type { Verdict } from './define-check.ts';
import type { Facts } from './facts.ts';

const checks = new Map(allChecks.map((check) => [check.id, check]));

/** The verdicts that a report shows: those that apply and whose gate is open, in catalogue order. */
export function judge(facts: Facts): readonly Verdict[] {
  const verdicts = new Map<string, Verdict>();

  // The catalogue lists each gate before the checks behind it.
  for (const { id, gate } of catalogue.checks) {
    if (gate !== null && !isOpen(gate, verdicts.get(gate))) continue;
    const verdict = checks.get(id)?.run(facts);
    if (verdict) verdicts.set(id, verdict);
  }
  return [...verdicts.values()];
}

/** An unknown gate is closed whatever its severity: nothing behind it can be judged. */
function isOpen(gate: string, verdict: Verdict | undefined): boolean {
  if (!verdict?.state) return false;
  return catalogue.gate_opens_on[gate]?.includes(verdict.state.severity) ?? false;
}
