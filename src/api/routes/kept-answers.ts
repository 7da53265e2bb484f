import { setNewest } from '../../domain/set-newest.ts';
import { expiry } from '../../projection/deadlines.ts';
import { positionOf } from '../../projection/position.ts';
import type { ApiOptions } from '../options.ts';
import { toStatus } from './test-status.ts';

/** Answers kept, about 400 B each: those of the tests that were polled last. */
const MAX_KEPT = 20_000;

/** Of many tests that are polled in turn each has to come from memory: four small fields are one line of it. */
interface Kept {
  /** The last whole second before the test is deleted, since 1970: in milliseconds it would lie elsewhere. */
  readonly expirySecond: number;
  /** Until the next poll; 0: no other is needed. */
  readonly seconds: number;
  readonly position: number;
  /** A character a byte, which costs least to write. */
  readonly body: string;
}

/** Names and values in turn. */
export const headersOf = ({ seconds, position, body }: Kept): string[] => [
  ...['cache-control', 'no-store'],
  ...(seconds > 0 ? ['retry-after', String(seconds)] : []),
  ...['test-position', String(position)],
  ...['content-type', 'application/json; charset=utf-8'],
  ...['content-length', String(body.length)],
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
    const kept = {
      expirySecond: Math.floor(expiry(row) / 1000),
      seconds: status.poll_after_seconds,
      position: positionOf(row),
      body: Buffer.from(JSON.stringify(status)).toString('latin1'),
    };
    setNewest(answers, testId, kept, MAX_KEPT);
    return kept;
  }

  return (testId: string): Kept | undefined => {
    if (rows.isBehind()) return undefined;
    const kept = answers.get(testId) ?? make(testId);
    return kept && clock() < 1000 * kept.expirySecond ? kept : undefined;
  };
}
