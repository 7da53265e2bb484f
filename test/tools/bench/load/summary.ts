import { median, quantile } from '../statistics.ts';
import type { Gauges } from './gauges.ts';
import { PAYS, type Phase } from './phase.ts';

/** Of a phase's time, until as many tests come to their end as begin. */
const LEAD = 0.2;

/** What became of a phase, in numbers. */
export function summarize({ begun, forMs, endings, samples }: Phase) {
  const ready = endings.filter((one) => one.how === 'ready');
  const steady = ready.filter(({ atMs }) => atMs > LEAD * forMs && atMs <= forMs);
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
    ready_a_second: Number(((steady.length * 1000) / (forMs * (1 - LEAD))).toFixed(1)),
    shed: counts('shed'),
    faults: counts('fault'),
    mail_ms: ms('mailMs'),
    ready_ms: ms('readyMs'),
    poll_ms: ms('pollMs'),
    memory_mib: course('memoryMib'),
    follower_lag: course('followerLag'),
    loop_p99_ms: course('loopMs'),
    live_tests: course('liveTests'),
    erase_backlog: course('eraseBacklog'),
    some: ready.filter((_, at) => at % PAYS === 0).map(({ testId }) => testId),
  };
}

export type Summary = ReturnType<typeof summarize>;
