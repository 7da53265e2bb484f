/**
 * Builds the schemas of stored events, and the events themselves, from the members that every event has (`v`,
 * `id`, `type`, `at`, `by`). Also declares the schemas of times and hashes.
 */

import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** A time in RFC 3339 format, in UTC with milliseconds, so that times sort as text. */
export const Instant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-20T10:00:00.000Z'],
});

/** A SHA-256 or HMAC-SHA-256 value in lower-case hex. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Builds the schema of a stored event from the event's own `data` and the members that every event has. */
export const event = <const Name extends string, Data extends TProperties>(
  name: Name,
  data: Data,
) =>
  Type.Object({
    v: Type.Literal(1),
    /** An id that is unique on the event's subject, so that a repeated append is recognized. */
    id: Type.String({ minLength: 1, maxLength: 64 }),
    type: Type.Literal(name),
    /** The time of the event by the writer's clock. For a timer event, this is the deadline itself. */
    at: Instant,
    /** The replica that wrote the event. */
    by: Type.String({ maxLength: 100 }),
    data: Type.Object(data),
  });

interface Author {
  readonly id: string;
  readonly by: string;
  /** The writer's clock in milliseconds since 1970. */
  readonly at: number;
  /**
   * Time of the previous event. The new event gets at least this time, whatever the writer's clock shows.
   */
  readonly after?: string | null;
}

/** Builds an event in the form in which it is stored. */
export function toEvent<const Draft extends { readonly type: string; readonly data: object }>(
  draft: Draft,
  { id, by, at, after }: Author,
) {
  const now = new Date(at).toISOString();
  return { v: 1 as const, id, at: after && after > now ? after : now, by, ...draft };
}

/** The value of `by` in events that the operator has appended. */
export const OPERATOR = 'operator';

/**
 * Builds the schema of an event by which an earlier release repaired a damaged history: the event replaces
 * everything before it on its subject. Such events are still read, but no longer written.
 */
export const historyRestored = <Event extends TSchema>(original: Event) =>
  event('HistoryRestored', { events: Type.Array(original, { minItems: 1, maxItems: 64 }) });

/** The members that every event has, whichever log it is in. */
export interface Envelope {
  readonly v: 1;
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly by: string;
}
