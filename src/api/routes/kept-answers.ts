import { setNewest } from '../../domain/set-newest.ts';
import { expiry } from '../../projection/deadlines.ts';
import { positionOf } from '../../projection/position.ts';
import type { ApiOptions } from '../options.ts';
import { toStatus } from './test-status.ts';

/** Answers kept, about 400 B each: those of the tests that were polled last. */
const MAX_KEPT = 20_000;

interface Kept {
  /** When the test is deleted, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Until the next poll; 0: no other is needed. */
  readonly seconds: number;
  readonly position: number;
  readonly bytes: number;
  readonly body: string;
  readonly encoding: 'latin1' | 'utf8';
}

/**
 * Names and values in turn. Not kept: of many tests that are polled in turn each thing kept of one has to
 * come from memory, and the same few strings need not.
 */
export const headersOf = ({ seconds, position, bytes }: Kept): string[] => [
  ...['cache-control', 'no-store'],
  ...(seconds > 0 ? ['retry-after', String(seconds)] : []),
  ...['test-position', String(position)],
  ...['content-type', 'application/json; charset=utf-8'],
  ...['content-length', String(bytes)],
];

/** Finds the answer to a poll, made once for each change of its test; `undefined`: not known for certain. */
export function keptAnswers({
  rows,
  clock,
  settings: { durations, payment },
}: Pick<ApiOptions, 'rows' | 'clock' | 'settings'>) {
  const answers = new Map<string, Kept>();
  rows.onRow((testId) => answers.delete(testId));

  function make(testId: string): Kept | undefined {
    // A look at one that is frozen is refused.
    const row = rows.has(testId) ? rows.peek(testId) : undefined;
    if (!row) return undefined;
    const status = toStatus(testId, row, durations, payment !== null);
    const body = JSON.stringify(status);
    const bytes = Buffer.byteLength(body);
    const kept = {
      expiresAt: expiry(row),
      seconds: status.poll_after_seconds,
      position: positionOf(row),
      bytes,
      body,
      // ASCII alone: its characters are its bytes, which costs less to write.
      encoding: bytes === body.length ? 'latin1' : 'utf8',
    } as const;
    setNewest(answers, testId, kept, MAX_KEPT);
    return kept;
  }

  return (testId: string): Kept | undefined => {
    if (rows.isBehind()) return undefined;
    const kept = answers.get(testId) ?? make(testId);
    return kept && clock() < kept.expiresAt ? kept : undefined;
  };
}
