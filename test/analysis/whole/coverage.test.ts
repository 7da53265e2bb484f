import { expect, test } from 'vitest';
import { released } from '../../../src/analysis/catalogue.ts';
import { allCases } from './all-cases.ts';
import { bases } from './bases.ts';

/** States that no mail can be in today, and why. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'inbound_provider_spam warn 0': 'there is no setting for a level of the provider’s score',
  'inbound_provider_spam pass 2': 'there is no setting for a level of the provider’s score',
};

const all = Object.values(allCases).flat();

const reached = new Set(
  [...Object.values(bases), ...all].flatMap(({ states }) =>
    Object.entries(states).map(([id, state]) => `${id} ${state}`),
  ),
);

const wanted = released.flatMap(({ id, states }) =>
  states.map(({ severity }, rung) => `${id} ${severity} ${rung}`),
);

test('every state of every check of release 1 has a mail', () => {
  expect(wanted.filter((state) => !reached.has(state) && !(state in IMPOSSIBLE))).toEqual([]);
});

test('the only states without a mail are those that wait for a setting', () => {
  const ids = new Set(Object.keys(IMPOSSIBLE).map((state) => state.split(' ', 1)[0]));
  expect([...ids]).toEqual(['inbound_provider_spam']);
});

test('cases name only states that there are, and none that cannot be', () => {
  const named = [...reached].filter((state) => !state.endsWith(' left out'));
  expect(named.filter((state) => !wanted.includes(state))).toEqual([]);
  expect(named.filter((state) => state in IMPOSSIBLE)).toEqual([]);
});

test('no two cases of an area have one name', () => {
  for (const cases of Object.values(allCases)) {
    const names = cases.map(({ about }) => about);
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([]);
  }
});
