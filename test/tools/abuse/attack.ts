import type { Target } from './target.ts';

/** What an attack came to, against its threshold. */
export interface Outcome {
  readonly measured: string;
  readonly holds: boolean;
}

export interface Attack {
  readonly threshold: string;
  run(target: Target, seconds: number): Promise<Outcome>;
}

/** Until the time is over, at least once. */
export async function repeat(
  seconds: number,
  step: (round: number) => Promise<void>,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  let round = 0;
  do {
    await step(round);
    round += 1;
  } while (performance.now() < end);
}
