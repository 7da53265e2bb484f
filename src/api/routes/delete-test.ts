import { toEvent } from '../../domain/envelope.ts';
import { ServiceError } from '../../domain/errors.ts';
import { toBase32 } from '../../domain/ids.ts';
import { decideOn } from '../../ports/decide.ts';
import type { Row } from '../../projection/row.ts';
import type { ApiOptions } from '../options.ts';

/** Milliseconds the log has to answer: the caller is waiting. */
const APPEND_MS = 3000;

type Ports = Pick<ApiOptions, 'tests' | 'rows' | 'settler' | 'clock' | 'random' | 'settings'>;

/**
 * Ends a test whose holder was recognised. Not while money may be moving for its report: who pays
 * gets it. Resolves when it has ended here; every other replica learns of it from the log.
 *
 * @throws ServiceError `settlement_pending`, `log_unavailable`, `test_damaged`
 */
export async function deleteTest(ports: Ports, testId: string, first: Row): Promise<void> {
  const { tests, rows, settler, clock, random, settings } = ports;
  const choose = async (row: Row | undefined) => {
    if (!row) return { refusal: 'gone' as const };
    if (row.status === 'ready' && (await settler.isSettling(testId)))
      throw new ServiceError('settlement_pending', {
        detail: 'The test was not deleted. Delete it again when its payment is settled.',
        headers: { 'retry-after': '5' },
      });
    const author = { id: toBase32(random(16)), by: settings.replicaId, at: clock() };
    const after = row.context.at;
    return { event: toEvent({ type: 'TestDeleted', data: {} }, { ...author, after }) };
  };
  const decide = decideOn(tests, rows.refresh);
  const ended = await decide(testId, first, choose, { deadlineMs: APPEND_MS });
  if (ended.outcome === 'refused') return;
  if (ended.outcome !== 'appended' || (await rows.refresh(testId)))
    throw new ServiceError('log_unavailable', {
      detail: 'It is not known whether the test was deleted. Delete it again.',
      headers: { 'retry-after': '5' },
    });
}
