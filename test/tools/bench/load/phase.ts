import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from '../statistics.ts';
import { type Gauges, readGauges } from './gauges.ts';
import { type Ending, type Place, playHistory } from './history.ts';

/** One of so many tests buys its report. */
const PAYS = 20;

const SAMPLE_MS = 5000;

/** To compile what is used, in milliseconds. */
const WARM_MS = 30_000;

const AT_ONCE = 64;

interface Phase {
  readonly begun: number;
  readonly endings: readonly Ending[];
  readonly samples: readonly Gauges[];
  readonly seconds: number;
}

const run = (place: Place, n: number): Promise<Ending> =>
  playHistory(place, n % PAYS === 0).catch(
    (error: Error): Ending => ({ how: 'fault', what: error.message }),
  );

/** So many tests at a time, for so long: how many are ready in a second. */
async function inTurn(place: Place, atOnce: number, forMs: number): Promise<number> {
  const end = performance.now() + forMs;
  const begin = performance.now();
  let done = 0;
  const client = async () => {
    while (performance.now() < end) if ((await run(place, 1)).how === 'ready') done += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return (done / (performance.now() - begin)) * 1000;
}

/** The most that a warm service does, in tests a second. */
export async function findMaximum(place: Place, forMs: number): Promise<number> {
  await inTurn(place, AT_ONCE, WARM_MS);
  const maximum = await inTurn(place, AT_ONCE, forMs);
  console.log(`the most: ${maximum.toFixed(1)} tests a second, ${AT_ONCE} at a time`);
  return maximum;
}

/** So many new tests a second, whatever becomes of those before, for so long. */
export async function atRate(place: Place, aSecond: number, forMs: number): Promise<Phase> {
  const endings: Ending[] = [];
  const samples: Gauges[] = [];
  const running = new Set<Promise<void>>();
  const begin = performance.now();
  let begun = 0;
  let sampled = begin;
  while (performance.now() < begin + forMs) {
    for (const due = ((performance.now() - begin) / 1000) * aSecond; begun < due; begun += 1) {
      const one = run(place, begun).then((ending) => void endings.push(ending));
      running.add(one);
      void one.finally(() => running.delete(one));
    }
    if (performance.now() - sampled > SAMPLE_MS) {
      sampled = performance.now();
      samples.push(await readGauges(place));
    }
    await sleep(10);
  }
  await Promise.all(running);
  return { begun, endings, samples, seconds: (performance.now() - begin) / 1000 };
}

/** What became of a phase, in numbers. */
export function summarize({ begun, endings, samples, seconds }: Phase) {
  const ready = endings.filter((one) => one.how === 'ready');
  const counts = (how: 'shed' | 'fault') =>
    Object.fromEntries(
      [
        ...Map.groupBy(
          endings.filter((one) => one.how === how),
          (one) => ('what' in one ? one.what : ''),
        ),
      ].map(([what, all]) => [what, all.length]),
    );
  const ms = (of: 'mailMs' | 'readyMs' | 'pollMs') => {
    const times = ready.map((one) => one[of]);
    return { p50: Math.round(quantile(times, 0.5)), p99: Math.round(quantile(times, 0.99)) };
  };
  const quarter = Math.ceil(samples.length / 4);
  /** In the middle of the first quarter of the time, and of the last. */
  const course = (of: keyof Gauges) => ({
    first: Math.round(median(samples.slice(0, quarter).map((one) => one[of]))),
    last: Math.round(median(samples.slice(-quarter).map((one) => one[of]))),
  });
  return {
    begun,
    ready: ready.length,
    ready_a_second: Number((ready.length / seconds).toFixed(1)),
    shed: counts('shed'),
    faults: counts('fault'),
    mail_ms: ms('mailMs'),
    ready_ms: ms('readyMs'),
    poll_ms: ms('pollMs'),
    memory_mib: course('memoryMib'),
    follower_lag: course('followerLag'),
    loop_p99_ms: course('loopMs'),
    live_tests: course('liveTests'),
    some: ready.filter((_, at) => at % PAYS === 0).map(({ testId }) => testId),
  };
}

export type Summary = ReturnType<typeof summarize>;
