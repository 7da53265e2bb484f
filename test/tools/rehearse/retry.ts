import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time in which one request is tried again and again, in milliseconds. */
const PATIENCE_MS = 240_000;

/** For one answer, in milliseconds: the service itself gives up earlier. */
const ANSWER_MS = 30_000;

/** Between two attempts when the answer does not say, in milliseconds. */
const AGAIN_MS = 250;

/** Longest pause that an answer may ask for, in milliseconds. */
const LONGEST_MS = 5000;

/** What became of the requests of a rehearsal. */
export interface Tally {
  requests: number;
  /** Attempts that were made again, by what was seen in place of an answer. */
  readonly retried: Map<string, number>;
  /** A sentence each. */
  readonly lost: string[];
}

export const newTally = (): Tally => ({ requests: 0, retried: new Map(), lost: [] });

/** Make the request again, after so many milliseconds. */
export class Again extends Error {
  readonly afterMs: number;

  constructor(seen: string, afterMs = AGAIN_MS) {
    super(seen);
    this.afterMs = Math.min(afterMs, LONGEST_MS);
  }
}

/** No retry is documented for this answer. */
export class Lost extends Error {}

/**
 * A client that does what docs/http-api.md and docs/operations.md say: no answer, or one that is for
 * now, and it asks again, until it is answered. Gives nothing when the request is lost, and notes it.
 */
export async function persistently<T>(
  tally: Tally,
  what: string,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  tally.requests++;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await inTime(attempt);
    } catch (error) {
      if (error instanceof Lost) {
        tally.lost.push(`${what}: ${error.message}`);
        return undefined;
      }
      const seen = error instanceof Again ? error.message : 'no answer';
      tally.retried.set(seen, (tally.retried.get(seen) ?? 0) + 1);
      if (performance.now() > deadline) {
        tally.lost.push(`${what}: still ${seen} after ${PATIENCE_MS / 1000} s`);
        return undefined;
      }
      await sleep(error instanceof Again ? error.afterMs : AGAIN_MS);
    }
  }
}

async function inTime<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('No answer came in time.'))),
  );
  return Promise.race([attempt(signal), late]);
}

/** An answer that is to be had, or whose retry is documented; everything else is lost. */
export async function expectStatus(
  response: Response,
  wanted: readonly number[],
): Promise<Response> {
  const { status } = response;
  if (wanted.includes(status)) return response;
  const body = (await response.json().catch(() => ({}))) as { code?: string };
  const seen = `${status} ${body.code ?? ''}`.trim();
  if (![409, 429, 502, 503].includes(status)) throw new Lost(seen);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new Again(seen, Number.isNaN(seconds) ? undefined : seconds * 1000);
}
