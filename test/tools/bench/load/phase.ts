import { setTimeout as sleep } from 'node:timers/promises';
import { type Gauges, readGauges } from './gauges.ts';
import { type Ending, type Place, playHistory } from './history.ts';

/** One of so many tests buys its report. */
export const PAYS = 20;

const SAMPLE_MS = 5000;

export interface Phase {
  readonly begun: number;
  readonly forMs: number;
  /** Each with the milliseconds since the phase began. */
  readonly endings: readonly (Ending & { readonly atMs: number })[];
  readonly samples: readonly Gauges[];
}

/** So many tests at a time, for so long: how many are ready in a second. */
export async function inTurn(place: Place, atOnce: number, forMs: number): Promise<number> {
  const begin = performance.now();
  let begun = 0;
  let ready = 0;
  const client = async () => {
    while (performance.now() < begin + forMs)
      if ((await playTest(place, begun++)).how === 'ready') ready += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return (ready / (performance.now() - begin)) * 1000;
}

/** So many new tests a second, whatever becomes of those before, for so long. */
export async function atRate(place: Place, aSecond: number, forMs: number): Promise<Phase> {
  const endings: Phase['endings'][number][] = [];
  const samples: Gauges[] = [];
  const running = new Set<Promise<void>>();
  const begin = performance.now();
  let begun = 0;
  let sampled = begin;
  const one = async () => {
    const ending = await playTest(place, begun);
    endings.push({ ...ending, atMs: performance.now() - begin });
  };
  while (performance.now() < begin + forMs) {
    for (const due = ((performance.now() - begin) / 1000) * aSecond; begun < due; begun += 1) {
      const history = one();
      running.add(history);
      void history.finally(() => running.delete(history));
    }
    if (performance.now() - sampled > SAMPLE_MS) {
      sampled = performance.now();
      samples.push(await readGauges(place));
    }
    await sleep(10);
  }
  await Promise.all(running);
  return { begun, forMs, endings, samples };
}

/** One of many tests, some of which pay; it comes to an end whatever happens. */
export const playTest = (place: Place, n: number): Promise<Ending> =>
  playHistory(place, n % PAYS === 0).catch(
    (error: Error): Ending => ({ how: 'fault', what: error.message }),
  );
