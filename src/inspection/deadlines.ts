import { type LookupResult, unknown } from '../analysis/lookup-result.ts';

/** What comes within `milliseconds`, else the fallback; also when it breaks. */
export async function orElse<T>(milliseconds: number, result: Promise<T>, fallback: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback), milliseconds);
  });
  try {
    return await Promise.race([result, expired]);
  } catch {
    // An error's own words could be the mail's.
    return fallback;
  } finally {
    clearTimeout(timer);
  }
}

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
