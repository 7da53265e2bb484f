/** An event as it was stored, of whatever version. */
interface Stored {
  readonly v: number;
  readonly type: string;
}

/** How an event of one type and version becomes one of the next. */
export type Upcasts = Readonly<
  Record<string, Readonly<Record<number, (stored: Stored) => Stored>>>
>;

/** No event has a second version yet. A step, once here, stays as long as such events may exist. */
const upcasts: Upcasts = {};

/** Whether `value` has the shape of an event, of whatever type and version. */
const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' &&
  value !== null &&
  'v' in value &&
  typeof value.v === 'number' &&
  'type' in value &&
  typeof value.type === 'string';

/**
 * Brings what was read from a log to today's shape, version by version. What it does not know is
 * given back as it is: the schema decides whether that is an event.
 *
 * @throws never for what a log can hold; a step that does not raise the version is a defect
 */
export function upcast(stored: unknown, steps: Upcasts = upcasts): unknown {
  let current = stored;
  while (isStored(current)) {
    const { type, v } = current;
    const step = Object.hasOwn(steps, type) ? steps[type]?.[v] : undefined;
    if (!step) break;
    const next = step(current);
    if (next.v <= v) throw new Error(`The upcast of ${type}@${v} does not raise the version.`);
    current = next;
  }
  return isRestored(current)
    ? { ...current, data: { events: current.data.events.map((one) => upcast(one, steps)) } }
    : current;
}

/** A restored history holds events of the version that they were stored in. */
const isRestored = (
  value: unknown,
): value is Stored & { readonly data: { readonly events: readonly unknown[] } } =>
  isStored(value) &&
  value.type === 'HistoryRestored' &&
  'data' in value &&
  typeof value.data === 'object' &&
  value.data !== null &&
  'events' in value.data &&
  Array.isArray(value.data.events);
