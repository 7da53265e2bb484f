import { ServiceError } from '../../domain/errors.ts';
import type { TestEventOf } from '../../domain/events.ts';
import { toBase32 } from '../../domain/ids.ts';
import type { Row } from '../../projection/row.ts';
import type { ApiOptions } from '../options.ts';

/** Milliseconds the log has to answer: the caller is waiting. */
const APPEND_MS = 3000;

/** Other events may come first: a mail, a deadline, the end of an analysis. */
const MAX_ROUNDS = 10;

type Ports = Pick<ApiOptions, 'tests' | 'rows' | 'settler' | 'clock' | 'random' | 'settings'>;

/**
 * Ends a test whose holder was recognised. Not while money may be moving for its report: who pays
 * gets it. Resolves when it has ended here; every other replica learns of it from the log.
 *
 * @throws ServiceError `settlement_pending`, `log_unavailable`, `test_damaged`
 */
export async function deleteTest(ports: Ports, testId: string, first: Row): Promise<void> {
  const { tests, rows, settler } = ports;
  let row: Row | undefined = first;
  for (let round = 0; row && round < MAX_ROUNDS; round++) {
    if (row.status === 'ready' && (await settler.isSettling(testId)))
      throw new ServiceError('settlement_pending', {
        detail: 'The test was not deleted. Delete it again when its payment is settled.',
        headers: { 'retry-after': '5' },
      });
    const { outcome } = await tests.append(testId, toEvent(ports, row), row.seq, APPEND_MS);
    if (outcome !== 'appended' && outcome !== 'lost') break;
    // Lost: something happened to it meanwhile; it may have been deleted by another request.
    row = await rows.refresh(testId);
  }
  if (row)
    throw new ServiceError('log_unavailable', {
      detail: 'It is not known whether the test was deleted. Delete it again.',
      headers: { 'retry-after': '5' },
    });
}

function toEvent({ clock, random, settings }: Ports, row: Row): TestEventOf<'TestDeleted'> {
  return {
    v: 1,
    id: toBase32(random(16)),
    type: 'TestDeleted',
    at: new Date(Math.max(clock(), Date.parse(row.context.at))).toISOString(),
    by: settings.replicaId,
    data: {},
  };
}
