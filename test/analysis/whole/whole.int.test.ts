import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCases } from './all-cases.ts';
import { bases } from './bases.ts';
import type { State } from './case.ts';
import { startWholeWorld, type WholeWorld } from './world.ts';

type States = Readonly<Record<string, State>>;

let world: WholeWorld;
beforeAll(async () => {
  world = await startWholeWorld();
});
afterAll(() => world.stop());

describe.each(Object.entries(bases))('the right %s', (_, { mail, states }) => {
  test('is in the state of the table', async () => {
    const { states: seen, report } = await world.analyze({ mail: mail() });
    expect(report).toMatchObject({ score: 100, grade: 'A', top_fixes: [] });
    expect(seen).toEqual(states);
  });
});

/** What differs between two mails. */
function differences(base: States, seen: States): States {
  const ids = new Set([...Object.keys(base), ...Object.keys(seen)]);
  return Object.fromEntries(
    [...ids]
      .filter((id) => seen[id] !== base[id])
      .map((id): [string, State] => [id, seen[id] ?? 'left out']),
  );
}

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  test.each(cases)('$about', async (one) => {
    const { report, states } = await world.analyze(one);
    const base = bases[one.mail?.base ?? 'newsletter'].states;
    expect(differences(base, states)).toEqual(one.states);
    const shown = report.findings.map(({ id, severity }) => [id, severity]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(Object.entries(states).map(([id, state]) => [id, state.split(' ')[0]])),
    );
    expect(report.partial_errors ?? []).toEqual([]);
    for (const { fix = '' } of report.findings) expect(fix).not.toMatch(/\{\w+\}|undefined|NaN/);
  });
});
