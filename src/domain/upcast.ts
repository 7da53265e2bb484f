/** Converts stored events of older releases to the current version of their schema (upcasting). */

import { type Static, Type } from '@sinclair/typebox';
import { guard } from './guard.ts';

/** The members that any stored event has, whatever its type and version. */
const Stored = Type.Object({ v: Type.Number(), type: Type.String() });
type Stored = Static<typeof Stored>;
const isStored = guard(Stored);

/** Steps that convert an event to the next version, by type and version. */
export type Upcasts = Readonly<
  Record<string, Readonly<Record<number, (stored: Stored) => Stored>>>
>;

/**
 * The steps of this release. No event has a second version yet. Once a step is added, it stays as long as
 * such events may exist.
 */
const upcasts: Upcasts = {};

/**
 * Converts an event from a log to its current shape, version by version. Values that it does not know are
 * returned unchanged: the schema decides whether they are events.
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

/** Recognizes a restored history, which contains events in the version in which they were stored. */
const isRestored = guard(
  Type.Object({
    type: Type.Literal('HistoryRestored'),
    data: Type.Object({ events: Type.Array(Type.Unknown()) }),
  }),
);
