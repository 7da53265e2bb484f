import type { OriginalTestEvent, TestEvent } from '../../domain/events.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { EventLog, TestRows } from '../../ports/log.ts';
import { evolve } from '../../projection/fold.ts';
import { type Row, toRow, toState } from '../../projection/row.ts';
import { decideContent } from './decisions.ts';

/** Rounds of deciding again after a lost race. */
const MAX_ROUNDS = 3;

interface Ports {
  readonly tests: EventLog<TestEvent>;
  readonly rows: TestRows;
  readonly clock: Clock;
}

interface AppendRequest {
  readonly testId: string;
  readonly digest: string;
  /** @param at RFC 3339, not before the test's last event */
  readonly make: (row: Row, at: string) => OriginalTestEvent;
}

/** `unfit`: the test takes no such event any more. `row` is the one after the event. */
interface Recorded {
  readonly outcome: 'appended' | 'full' | 'unknown' | 'unfit';
  readonly row: Row;
}

/**
 * Appends what the gate decided, as long as the test is open: a lost race is decided again, and
 * a test that another mail has closed gives the verdict on this one.
 *
 * @throws ServiceError `log_unavailable`
 */
export async function appendWhileOpen(
  { tests, rows, clock }: Ports,
  { testId, digest, make }: AppendRequest,
): Promise<Recorded | MailVerdict> {
  let row = await rows.find(testId);
  for (let round = 1; ; round++) {
    const now = clock();
    const decision = decideContent(row, digest, now);
    if (decision !== 'gate') return decision;
    if (!row) return verdict('unknown_address');

    const at = new Date(Math.max(now, Date.parse(row.context.at))).toISOString();
    const event = make(row, at);
    const state = toState(row);
    if (!state.can(event)) return { outcome: 'unfit', row };

    const { outcome } = await tests.append(testId, event, row.seq);
    if (outcome !== 'lost') return { outcome, row: toRow(evolve(state, event), row.seq) ?? row };
    if (round === MAX_ROUNDS) return verdict('temporary_failure');
    row = await rows.refresh(testId);
  }
}
