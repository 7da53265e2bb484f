/** Converts events that an older release stored to their current shape. */

import { type Static, Type } from '@sinclair/typebox';
import { guard } from './guard.ts';

/** An event as it was stored, of any type and version. */
const Stored = Type.Object({ v: Type.Number(), type: Type.String() });
type Stored = Static<typeof Stored>;
const isStored = guard(Stored);

/** Converts an event of one type and version to the next version. */
export type Upcasts = Readonly<
  Record<string, Readonly<Record<number, (stored: Stored) => Stored>>>
>;

/** No event has a second version yet. A step, once added, stays as long as such events may exist. */
const upcasts: Upcasts = {};

/**
 * Converts what was read from a log to the current shape, version by version. Whatever it does not know is
 * returned unchanged: the schema decides whether that is an event.
 *
 * @throws never for anything that a log can contain; a step that does not raise the version is a defect
 */
export function upcast(stored: unknown, steps: Upcasts = upcasts): unknown {
  let current = stored;
  while (isStored(current)) {
    const { type, v } = current;
    const step = Object.hasOwn(steps, type) ? steps[type]?.[v] : undefined;
    if (!step) break;
    const next = step(current);
    if (next.v <= v) throw new Error(`The upcast from ${type}@${v} does not raise the version.`);
    current = next;
  }
  return isRestored(current)
    ? { ...current, data: { events: current.data.events.map((one) => upcast(one, steps)) } }
    : current;
}

/** A restored history contains events in the version they were stored in. */
const isRestored = guard(
  Type.Object({
    type: Type.Literal('HistoryRestored'),
    data: Type.Object({ events: Type.Array(Type.Unknown()) }),
  }),
);
