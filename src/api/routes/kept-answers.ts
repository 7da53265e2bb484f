import { setNewest } from '../../domain/set-newest.ts';
import { expiry } from '../../projection/deadlines.ts';
import { positionOf } from '../../projection/position.ts';
import type { ApiOptions } from '../options.ts';
import { toStatus } from './test-status.ts';

/** Answers kept, about 400 B each: those of the tests that were polled last. */
const MAX_KEPT = 20_000;

interface Kept {
  readonly version: object;
  /** When the test is deleted, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly encoding: 'latin1' | 'utf8';
}

/** Finds the answer to a poll, made once for each change of its test; `undefined`: not known for certain. */
export function keptAnswers({
  rows,
  clock,
  settings: { durations, payment },
}: Pick<ApiOptions, 'rows' | 'clock' | 'settings'>) {
  const answers = new Map<string, Kept>();

  function make(testId: string, version: object): Kept | undefined {
    const row = rows.peek(testId);
    if (!row) return undefined;
    const status = toStatus(testId, row, durations, payment !== null);
    const body = JSON.stringify(status);
    const bytes = Buffer.byteLength(body);
    // ASCII alone: its characters are its bytes, which costs less to write.
    const encoding = bytes === body.length ? 'latin1' : 'utf8';
    const seconds = status.poll_after_seconds;
    const headers = [
      ...['cache-control', 'no-store'],
      ...(seconds > 0 ? ['retry-after', String(seconds)] : []),
      ...['test-position', String(positionOf(row))],
      ...['content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(bytes)],
    ];
    const kept = { version, expiresAt: expiry(row), headers, body, encoding } as const;
    setNewest(answers, testId, kept, MAX_KEPT);
    return kept;
  }

  return (testId: string): Kept | undefined => {
    const version = rows.version(testId);
    if (!version || rows.isBehind()) return undefined;
    const kept = answers.get(testId);
    const current = kept?.version === version ? kept : make(testId, version);
    return current && clock() < current.expiresAt ? current : undefined;
  };
}
