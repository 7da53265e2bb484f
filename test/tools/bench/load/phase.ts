import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.ts';
import { type Ending, live, type Place } from './life.ts';

/** One of so many tests buys its report. */
const PAYS = 20;

const SAMPLE_MS = 5000;

export interface Phase {
  readonly begun: number;
  readonly endings: readonly Ending[];
  /** Resident memory of the service, in MiB, from the first to the last quarter. */
  readonly memory: readonly number[];
  readonly seconds: number;
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

const run = (place: Place, n: number): Promise<Ending> =>
  live(place, n % PAYS === 0).catch(
    (error: Error): Ending => ({ how: 'fault', what: error.message }),
  );

/** So many tests at a time, for so long: the most that the service does. */
export async function inTurn(place: Place, atOnce: number, forMs: number): Promise<number> {
  const end = performance.now() + forMs;
  const begin = performance.now();
  let done = 0;
  const client = async () => {
    while (performance.now() < end) if ((await run(place, 1)).how === 'ready') done += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return (done / (performance.now() - begin)) * 1000;
}

/** So many new tests a second, whatever becomes of those before, for so long. */
export async function atRate(
  place: Place,
  pid: number,
  aSecond: number,
  forMs: number,
): Promise<Phase> {
  const endings: Ending[] = [];
  const memory: number[] = [];
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
      memory.push(await residentMib(pid));
    }
    await sleep(10);
  }
  await Promise.all(running);
  return { begun, endings, memory, seconds: (performance.now() - begin) / 1000 };
}

/** What became of a phase, in numbers. */
export function summarize({ begun, endings, memory, seconds }: Phase) {
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
  const ms = (share: number) =>
    Math.round(
      quantile(
        ready.map(({ readyMs }) => readyMs),
        share,
      ),
    );
  const quarter = Math.ceil(memory.length / 4);
  const most = (some: readonly number[]) => Math.round(Math.max(...some));
  return {
    begun,
    ready: ready.length,
    ready_a_second: Number((ready.length / seconds).toFixed(1)),
    shed: counts('shed'),
    faults: counts('fault'),
    ready_ms: { p50: ms(0.5), p99: ms(0.99) },
    poll_p99_ms: Math.round(
      quantile(
        ready.map(({ pollMs }) => pollMs),
        0.99,
      ),
    ),
    memory_mib: {
      first_quarter: most(memory.slice(0, quarter)),
      last_quarter: most(memory.slice(-quarter)),
    },
  };
}
