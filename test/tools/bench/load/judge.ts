import type { Summary } from './summary.ts';

/** What has to hold, with the figures it is judged by. */
export interface Check {
  readonly what: string;
  readonly holds: boolean;
}

/** What grows by no more than this share, or by so much in its own unit, is flat. */
const FLAT = {
  memory_mib: { share: 1.2, slack: 0 },
  live_tests: { share: 1.2, slack: 0 },
  follower_lag: { share: 1, slack: 100 },
  erase_backlog: { share: 1, slack: 100 },
  loop_p99_ms: { share: 1.5, slack: 20 },
} as const;

const NAMES: Readonly<Record<keyof typeof FLAT, string>> = {
  memory_mib: 'memory in MiB',
  live_tests: 'live tests',
  follower_lag: 'events behind the log',
  erase_backlog: 'tests to be erased',
  loop_p99_ms: 'delay of the event loop in ms, p99',
};

/** Until a test is ready at once after an overload, in milliseconds. */
const MOST_RECOVERY_MS = 10_000;

interface Outcome {
  readonly steady: Omit<Summary, 'some'>;
  readonly over: Omit<Summary, 'some'>;
  readonly recovery_ms: number;
  readonly ended: {
    readonly live_tests: number;
    readonly erase_backlog: number;
    readonly asked: number;
    readonly still_there: number;
  };
}

/** Judges a steady phase, an overload, and what came after. */
export function judge({ steady, over, recovery_ms, ended }: Outcome): readonly Check[] {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ') || 'none';
  const steadyFaults = { ...steady.shed, ...steady.faults };
  const flat = (Object.keys(FLAT) as (keyof typeof FLAT)[]).map((name): Check => {
    const { first, last } = steady[name];
    const { share, slack } = FLAT[name];
    return {
      what: `${NAMES[name]}: ${first} in the first quarter, ${last} in the last`,
      holds: last <= share * first + slack,
    };
  });
  return [
    {
      what: `at 70 %, all of ${steady.begun} tests ready; turned away or at fault: ${list(steadyFaults)}`,
      holds: steady.begun > 0 && steady.ready === steady.begun,
    },
    ...flat,
    {
      what: `at 150 %, ${over.ready} of ${over.begun} tests ready, turned away until later: ${list(over.shed)}; at fault: ${list(over.faults)}`,
      holds: over.ready > 0 && Object.keys(over.faults).length === 0,
    },
    {
      what: `as fast as before ${recovery_ms} ms after the overload`,
      holds: recovery_ms <= MOST_RECOVERY_MS,
    },
    {
      what: `ended: ${ended.live_tests} tests live, ${ended.erase_backlog} to be erased; of ${ended.asked} that were ready, ${ended.still_there} are still there`,
      holds: ended.live_tests + ended.erase_backlog + ended.still_there === 0 && ended.asked > 0,
    },
  ];
}
