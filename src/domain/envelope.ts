/** Declares the members that all stored events share, and builds events with them. */

import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** RFC 3339 in UTC with milliseconds, so that instants sort as text. */
export const Instant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-20T10:00:00.000Z'],
});

/** SHA-256 or HMAC-SHA-256, in lower-case hex. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Builds the schema of a stored event: its own `data`, and the members that every event has. */
export const event = <const Name extends string, Data extends TProperties>(
  name: Name,
  data: Data,
) =>
  Type.Object({
    v: Type.Literal(1),
    /** Unique on its subject, so that a repeated append is recognised. */
    id: Type.String({ minLength: 1, maxLength: 64 }),
    type: Type.Literal(name),
    /** When it happened, by the writer's clock. For a timer event, the deadline itself. */
    at: Instant,
    /** The replica that wrote it. */
    by: Type.String({ maxLength: 100 }),
    data: Type.Object(data),
  });

interface Author {
  readonly id: string;
  readonly by: string;
  /** Milliseconds since 1970, by the writer's clock. */
  readonly at: number;
  /** Time of the previous event. This one counts as no earlier, whatever the writer's clock shows. */
  readonly after?: string | null;
}

/** Builds an event as it is stored. */
export function toEvent<const Draft extends { readonly type: string; readonly data: object }>(
  draft: Draft,
  { id, by, at, after }: Author,
) {
  const now = new Date(at).toISOString();
  return { v: 1 as const, id, at: after && after > now ? after : now, by, ...draft };
}

/** The writer of events that the operator has appended. */
export const OPERATOR = 'operator';

/**
 * A damaged history that an earlier release repaired: this event replaces everything before it on its
 * subject. It is still read, but no longer written.
 */
export const historyRestored = <Event extends TSchema>(original: Event) =>
  event('HistoryRestored', { events: Type.Array(original, { minItems: 1, maxItems: 64 }) });

/** The members that every event has, whatever its log. */
export interface Envelope {
  readonly v: 1;
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly by: string;
}
