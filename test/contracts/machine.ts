/** Defines the tests that both state machines must pass. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventLog } from '../../src/ports/log.ts';
import { choices, historyOf } from '../support/log/random-log.ts';
import {
  labelOf,
  type Model,
  type ModelEvent,
  type ModelState,
  nameOf,
} from '../support/log/walks.ts';

interface Subject<E, S> {
  readonly model: Model<E, S>;
  /** Every allowed transition, in the form `state -event-> state`, one per line. */
  readonly table: string;
  /**
   * Returns the state that an event leads to and what it changes, or `undefined` if the event is not allowed.
   */
  readonly rule: (state: S, event: E) => readonly [to: string, changes: object] | undefined;
  /** Number of states, and of types of events. */
  readonly states: number;
  readonly types: number;
  /** The service's own fold: one step, and the whole. */
  readonly evolve: (state: S, event: E) => S;
  readonly fold: (events: readonly E[]) => S;
  readonly newLog: () => EventLog<E>;
}

/** Tests what must hold for both machines: the table, and that nothing else happens, whatever comes. */
export function describeMachine<E extends ModelEvent, S extends ModelState<E>>({
  model,
  table,
  rule,
  states,
  types,
  evolve,
  fold,
  newLog,
}: Subject<E, S>) {
  const transitions = new Set(table.trim().split(/\n\s*/));
  const pairs = model.pairs();
  const titleOf = (state: S, event: E) => `${nameOf(state)} ${labelOf(event)}`;

  describe(`every pair of ${model.name}`, () => {
    test('goes where the table says', () => {
      const fit = pairs.filter(({ state, event }) => state.can(event));
      const edges = fit.map(
        ({ state, event, nextState }) => `${nameOf(state)} -${event.type}-> ${nameOf(nextState)}`,
      );
      expect(new Set(edges)).toEqual(transitions);
      console.info(
        `${model.name}: ${pairs.length} pairs of a state and an event, of which ${fit.length} fit, ` +
          `on all ${transitions.size} edges; ${model.paths().length} paths`,
      );
    });

    test('changes the data as the rule says', () => {
      for (const { state, event, nextState } of pairs) {
        const [to, changes] = rule(state, event) ?? [nameOf(state), {}];
        expect(nameOf(nextState), titleOf(state, event)).toBe(to);
        expect(nextState.context, titleOf(state, event)).toEqual({ ...state.context, ...changes });
      }
    });

    test(`is each of ${states} states with each of ${types} types of event`, () => {
      const tried = new Set(pairs.map(({ state, event }) => `${nameOf(state)} ${event.type}`));
      expect(tried.size).toBe(states * types);
    });

    test('changes nothing at all if the event is not allowed', () => {
      const unfit = pairs.filter(({ state, event }) => !state.can(event));
      expect(unfit.length).toBeGreaterThan(pairs.length / 2);
      for (const { state, event } of unfit)
        expect(evolve(state, event), titleOf(state, event)).toBe(state);
    });

    test('evolves as the library does', () => {
      for (const { state, event } of pairs) {
        const expected = model.next(state, event);
        const evolved = evolve(state, event);
        const title = titleOf(state, event);
        expect([evolved.value, evolved.context], title).toEqual([expected.value, expected.context]);
        expect(evolved.status, title).toBe(expected.status);
        const fitting = (from: S) => model.eventsFor(expected).map((one) => from.can(one));
        expect(fitting(evolved), title).toEqual(fitting(expected));
        expect(evolved === state, title).toBe(expected === state);
      }
    });
  });

  test.each([...model.paths(), ...model.walks()].map((walk) => [walk.title, walk] as const))(
    '%s: the fold agrees with the model after each step',
    (_, { steps }) => {
      const events: E[] = [];
      for (const { event, state } of steps) {
        events.push(event);
        const folded = fold(events);
        expect([folded.value, folded.context]).toEqual([state.value, state.context]);
      }
    },
  );

  test(`nothing follows the end of ${model.name}`, () => {
    let afterwards = 0;
    fc.assert(
      fc.property(choices, (picks) => {
        let state = fold([]);
        for (const event of historyOf(model, picks)) {
          const next = evolve(state, event);
          if (state.status === 'done') {
            expect(next).toBe(state);
            afterwards++;
          }
          state = next;
        }
      }),
    );
    expect(afterwards).toBeGreaterThan(0);
  });

  test('writers that ask first leave a log in which every event is allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(choices, { minLength: 2, maxLength: 4 }), async (writers) => {
        const log = newLog();
        const write = async (picks: readonly number[]) => {
          for (const pick of picks) {
            const events = await log.read('one');
            const state = fold(events.map(({ event }) => event));
            const some = model.eventsFor(state);
            const event = some[pick % some.length];
            if (event && state.can(event)) await log.append('one', event, events.at(-1)?.seq ?? 0);
          }
        };
        await Promise.all(writers.map(write));
        let state = fold([]);
        for (const { event } of await log.read('one')) {
          const next = evolve(state, event);
          expect(next, event.type).not.toBe(state);
          state = next;
        }
      }),
    );
  });
}
