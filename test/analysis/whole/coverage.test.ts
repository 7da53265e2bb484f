/** Tests that every state of every check has a case of a complete email. */

import { expect, test } from 'vitest';
import { checks } from '../../../src/analysis/checks.ts';
import { allCases } from './all-cases.ts';
import { bases } from './bases.ts';

const all = Object.values(allCases).flat();

const reached = new Set(
  [...Object.values(bases), ...all].flatMap(({ states }) =>
    Object.entries(states).map(([id, state]) => `${id} ${state}`),
  ),
);

const wanted = checks.flatMap(({ id, states }) => states.map(({ name }) => `${id} ${name}`));

test('every state of every check has an email', () => {
  expect(
    wanted.filter((state) => !reached.has(state)),
    'add an email to test/analysis/whole/cases',
  ).toEqual([]);
});

test('cases name only states that exist', () => {
  const named = [...reached].filter((state) => !/ (?:left out|unknown)$/.test(state));
  expect(named.filter((state) => !wanted.includes(state))).toEqual([]);
});

test('no two cases of an area have the same name', () => {
  for (const cases of Object.values(allCases)) {
    const names = cases.map(({ about }) => about);
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
  }
});
