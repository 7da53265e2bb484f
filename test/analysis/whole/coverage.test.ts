/**
 * Tests that every state with a fix has a case of a complete email, and that cases name existing
 * states and have unique names.
 */

import { expect, test } from 'vitest';
import { checks } from '../../../src/analysis/checks.ts';
import { allCases } from './all-cases.ts';
import { bases } from './bases.ts';
import { statesWithFix } from './states-with-fix.ts';

const all = Object.values(allCases).flat();

const reached = new Set(
  [...Object.values(bases), ...all].flatMap(({ states }) =>
    Object.entries(states).map(([id, state]) => `${id} ${state}`),
  ),
);

// A state without a fix has its cases in the table of its signal, on both sides of each condition.
test('every state with a fix has an email', () => {
  expect(
    statesWithFix.filter((state) => !reached.has(state)),
    'add an email to test/analysis/whole/cases',
  ).toEqual([]);
});

test('cases name only states that exist', () => {
  const states = checks.flatMap(({ id, states }) => states.map(({ name }) => `${id} ${name}`));
  const named = [...reached].filter((state) => !/ (?:left out|unknown)$/.test(state));
  expect(named.filter((state) => !states.includes(state))).toEqual([]);
});

test('no two cases of an area have the same name', () => {
  for (const cases of Object.values(allCases)) {
    const names = cases.map(({ about }) => about);
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
  }
});
