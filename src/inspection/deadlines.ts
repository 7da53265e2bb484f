import { type LookupResult, unknown } from '../analysis/lookup-result.ts';

/** How often this thread's timers are compared with the clock, and what is not late, in milliseconds. */
const BEAT_MS = 50;
const LATE_MS = 5;

/** By how much this thread was late in all, in milliseconds: it was busy, and nobody else was slow. */
let late = 0;
let due = performance.now() + BEAT_MS;
setInterval(() => {
  const now = performance.now();
  if (now - due > LATE_MS) late += now - due;
  due = now + BEAT_MS;
}, BEAT_MS).unref();

/** Calls back after some milliseconds in which this thread could have taken an answer. */
function startPatience(milliseconds: number, onEnd: () => void): () => void {
  const begin = late;
  let granted = 0;
  let timer: NodeJS.Timeout;
  // Answers that came meanwhile are taken first, and the lateness is counted.
  const check = () =>
    setImmediate(() => {
      const more = late - begin - granted;
      granted += more;
      if (more > 0) timer = setTimeout(check, more);
      else onEnd();
    });
  timer = setTimeout(check, milliseconds);
  return () => clearTimeout(timer);
}

/** What comes within `milliseconds`, else the fallback; also when it breaks. */
export const orElse = <T>(milliseconds: number, result: Promise<T>, fallback: T): Promise<T> =>
  new Promise((resolve) => {
    const stop = startPatience(milliseconds, () => resolve(fallback));
    const end = (value: T) => {
      stop();
      resolve(value);
    };
    // An error's own words could be the mail's.
    result.then(end, () => end(fallback));
  });

/** What is known after `milliseconds` at the latest. */
export const within = <T>(
  what: string,
  milliseconds: number,
  result: Promise<LookupResult<T>>,
): Promise<LookupResult<T>> => orElse(milliseconds, result, unknown(`${what}: no answer in time`));

/** Milliseconds that remain, at least one: what is there already is taken. */
export type LookupDeadline = () => number;

export function startDeadline(milliseconds: number): LookupDeadline {
  const end = performance.now() + milliseconds;
  return () => Math.max(1, end - performance.now());
}
