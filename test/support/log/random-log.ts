/** Generates random histories of events. */

import fc from 'fast-check';
import type { Recorded } from '../../../src/ports/log.ts';
import { T0, TEST_ID } from '../process/instants.ts';
import type { Model, ModelEvent, ModelState } from './walks.ts';

/** Chooses repeatedly which of the possible events comes next. */
export const choices = fc.array(fc.nat({ max: 1000 }), { maxLength: 40 });

/**
 * Returns a history in which every event was tried in the state before it, whether or not it is allowed
 * there.
 */
export function historyOf<E extends ModelEvent, S extends ModelState<E>>(
  { initial, beginning, eventsFor, next }: Model<E, S>,
  picks: readonly number[],
): readonly E[] {
  const first = eventsFor(initial).filter(
    (event) => event.type === beginning && initial.can(event),
  );
  const events = [...first];
  let state = events.reduce(next, initial);
  for (const pick of picks) {
    const some = eventsFor(state);
    const event = some[pick % some.length];
    if (!event) continue;
    events.push(event);
    state = next(state, event);
  }
  return events;
}

/**
 * Returns the history as a log contains it, whatever was tried. Only a beginning that is not allowed is never
 * there, because the sequence that it expects keeps it out. Between the sequences are other subjects' events.
 */
export function logOf<E extends ModelEvent, S extends ModelState<E>>(
  model: Model<E, S>,
  picks: readonly number[],
  id = TEST_ID,
): readonly Recorded<E>[] {
  let state = model.initial;
  const stored = historyOf(model, picks).filter((event) => {
    const before = state;
    state = model.next(before, event);
    return event.type !== model.beginning || state !== before;
  });
  return stored.map((event, n) => ({ id, seq: 3 * (n + 1), time: T0, event }));
}
