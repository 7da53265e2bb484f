/**
 * Creates a test, unless creation is paused: appends its first event under an unused id, and returns the id
 * and the read token. Also builds the status of a new test.
 */

import { toEvent } from '../../domain/envelope.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { TestEventOf } from '../../domain/events.ts';
import { type TestId, toBase32, toTestId } from '../../domain/ids.ts';
import type { ApiOptions } from '../options.ts';
import { hashToken, newReadToken } from '../read-token.ts';
import type { TestStatus } from '../schemas/tests.ts';
import { POLL_AFTER } from './test-status.ts';

/** Time in milliseconds that the log has to respond, because the caller is waiting. */
const APPEND_MS = 3000;

/**
 * Maximum number of ids that are tried. With 60 random bits, even one collision indicates a broken random
 * source.
 */
const MAX_IDS = 5;

/** A test that was just created. No other copy of its token exists. */
export interface NewTest {
  readonly testId: TestId;
  readonly readToken: string;
  readonly event: TestEventOf<'TestCreated'>;
}

type Ports = Pick<ApiOptions, 'tests' | 'creation' | 'clock' | 'random' | 'settings'>;

/** Returns the status of a test that was just created. */
export const newStatus = (test_id: TestId, { at, data }: NewTest['event']): TestStatus => ({
  test_id,
  status: 'waiting',
  created_at: at,
  send_before: data.send_before,
  expires_at: data.expires_at,
  poll_after_seconds: POLL_AFTER.waiting,
});

const PAUSES = {
  room: 'The service needs its remaining space for existing tests.',
  rate: 'Many tests are being created, and your network has used its share.',
} as const;

/**
 * Creates a test with an unused id.
 *
 * @throws ServiceError `log_unavailable`, `creation_paused`
 */
export async function createTest(ports: Ports, ip: string): Promise<NewTest> {
  const { tests, random, creation } = ports;
  const wait = creation.admit(ip);
  if (wait)
    throw new ServiceError('creation_paused', {
      detail: `${PAUSES[wait.because]} Try again in ${wait.retryAfter} s.`,
      headers: { 'retry-after': String(wait.retryAfter) },
    });
  for (let tried = 0; tried < MAX_IDS; tried++) {
    const testId = toTestId(random(8));
    if (testId === undefined) continue;

    const readToken = newReadToken(random);
    const event = testCreated(ports, hashToken(readToken));
    const { outcome } = await tests.append(testId, event, 0, APPEND_MS);
    if (outcome === 'appended') return { testId, readToken, event };
    // If the outcome is `unknown`, the event may have been stored. That test expires on its own, because
    // nobody learns its token.
    if (outcome !== 'lost') break;
  }
  throw new ServiceError('log_unavailable', {
    detail: 'No test was created. Try again in a few seconds.',
    headers: { 'retry-after': '5' },
  });
}

function testCreated({ clock, random, settings }: Ports, token_sha256: string) {
  const { receiveWindowSeconds, retentionSeconds } = settings.durations;
  const now = clock();
  const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toISOString();
  const data = {
    token_sha256,
    send_before: inSeconds(Math.min(receiveWindowSeconds, retentionSeconds)),
    expires_at: inSeconds(retentionSeconds),
  };
  // The event id is short, because it has to be unique only on its subject, and these events make up most of
  // the log.
  const author = { id: toBase32(random(10)), by: settings.replicaId, at: now };
  return toEvent({ type: 'TestCreated', data }, author);
}
