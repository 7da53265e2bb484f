import { toEvent } from '../domain/envelope.ts';
import type { OriginalTestEvent } from '../domain/events.ts';
import type { Deadline } from './deadlines.ts';
import type { Row } from './row.ts';

interface Notice {
  readonly id: string;
  /** The replica that noticed. */
  readonly by: string;
  /** When it noticed, in milliseconds since 1970. */
  readonly firedAt: number;
}

/**
 * The event of a deadline that has passed. It happened at the deadline, no matter who notices it when, so
 * that a replay gives the same; but never before what was recorded earlier.
 */
export function toTimerEvent(row: Row, { type, at }: Deadline, notice: Notice): OriginalTestEvent {
  const author = { ...notice, at, after: row.context.at };
  const fired_at = new Date(notice.firedAt).toISOString();
  if (type === 'AnalysisTimeout')
    return toEvent({ type, data: { attempt: row.context.attempts, fired_at } }, author);
  return toEvent({ type, data: { fired_at } }, author);
}
