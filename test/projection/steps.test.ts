/** Tests the fast `transition` function that is built from a state machine. */

import { expect, test } from 'vitest';
import { assign, createMachine, initialTransition, setup } from 'xstate';
import { stepsOf } from '../../src/projection/steps.ts';

const { createMachine: named } = setup({
  types: { context: {} as { count: number } },
  guards: { isFew: ({ context }) => context.count < 2 },
  actions: { count: assign(({ context }) => ({ count: context.count + 1 })), log: () => {} },
});

test('a transition of a state takes precedence over those around it, which apply if it is not allowed', () => {
  const machine = named({
    ...{ id: 'nested', context: { count: 0 }, initial: 'outer' },
    states: {
      outer: {
        initial: 'inner',
        on: { go: 'end' },
        states: { inner: { on: { go: { guard: 'isFew', actions: 'count' } } } },
      },
      end: { type: 'final' },
    },
  });
  const [initial] = initialTransition(machine);
  const step = stepsOf(machine, initial);
  const seen = [initial];
  for (let n = 0; n < 4; n++) seen.push(step(seen[n] ?? initial, { type: 'go' }));
  expect(seen.map(({ value, context, status }) => [value, context.count, status])).toEqual([
    [{ outer: 'inner' }, 0, 'active'],
    [{ outer: 'inner' }, 1, 'active'],
    [{ outer: 'inner' }, 2, 'active'],
    ['end', 2, 'done'],
    ['end', 2, 'done'],
  ]);
});

test.each([
  ['an action that is no assignment', { on: { go: { actions: 'log' as const } } }],
  ['something done on entry', { entry: 'count' as const }],
  ['a step without an event', { always: { guard: 'isFew' as const, target: 'other' } }],
])('a machine with %s is refused', (_, state) => {
  const machine = named({
    ...{ id: 'more', context: { count: 0 }, initial: 'one' },
    states: { one: state, other: {} },
  });
  expect(() => stepsOf(machine, initialTransition(machine)[0])).toThrow(/^more /);
});

test('a guard or an action without a name is refused', () => {
  const machine = createMachine({
    ...{ id: 'unnamed', initial: 'one' },
    states: { one: { on: { go: { guard: () => true, target: 'one' } } } },
  });
  expect(() => stepsOf(machine, initialTransition(machine)[0])).toThrow(
    'not one of its named ones',
  );
});
