/**
 * Finds out why a message in the log is not an event of this release: unreadable, wrong, or from a newer
 * release.
 */

import { Type } from '@sinclair/typebox';
import { Instant } from './envelope.ts';
import { OriginalTestEvent, ReportWritten } from './events.ts';
import { guard } from './guard.ts';
import type { MessageFault } from './history.ts';
import { OriginalPaymentEvent } from './payment-events.ts';

/** The version that this release writes, for each type of event. */
const versions: ReadonlyMap<string, number> = new Map([
  ...[...OriginalTestEvent.anyOf, ...OriginalPaymentEvent.anyOf, ReportWritten].map(
    ({ properties: { type, v } }) => [type.const, v.const] as const,
  ),
  ['HistoryRestored', 1],
]);

/** Checks the members that an event of any release has besides its data. */
const isEnvelope = guard(
  Type.Object({
    v: Type.Integer({ minimum: 1 }),
    id: Type.String({ minLength: 1, maxLength: 64 }),
    type: Type.String({ pattern: '^([A-Z][a-z]+)+$', maxLength: 64 }),
    at: Instant,
    by: Type.String({ maxLength: 100 }),
    data: Type.Object({}),
  }),
);

/** Returns why a message is not an event of its log. Pass `undefined` if its bytes are not JSON. */
export function messageFaultOf(stored: unknown): MessageFault {
  if (stored === undefined) return 'unreadable';
  if (!isEnvelope(stored)) return 'wrong';
  const known = versions.get(stored.type);
  return known === undefined || stored.v > known ? 'newer' : 'wrong';
}
