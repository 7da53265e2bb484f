import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { History, Violation } from './history.ts';
import { judge } from './judge.ts';
import { runRound } from './round.ts';
import { countBackwards } from './rules/polls.ts';

const USAGE = `npm run lab -- soak history [--rounds N] [--seconds S] [--seed S] [--clients N] [--cluster]

  --rounds N   how many, each with a new environment (1)
  --seconds S  how long clients and faults go on in each (30)
  --seed S     repeats the choices of a run (the one it printed)
  --clients N  at once (4)
  --other DIR  a checkout of another release: replicas are replaced by it, and back, meanwhile
  --cluster    three nats-servers and three replicas, in place of one and two
  --log        show the log of the replicas`;

/** The shortest in which a report can still be paid for: an authorization wants 20 s of it. */
const RETENTION_SECONDS = 40;

const print = (text: string) => void process.stderr.write(`${text}\n`);

/**
 * Clients use the service while its processes are killed and paused, and their clocks set wrong;
 * then everything they were answered is compared with the log. Resolves to the exit code: 1 on any violation.
 */
export async function soakHistory(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    print(USAGE);
    return 2;
  }
  const { rounds, log, ...rest } = options;
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const seed = options.seed + round;
    print(`Round ${round + 1} of ${rounds}, seed ${seed}.`);
    const history = await runRound({
      ...rest,
      seed,
      tests: Number.POSITIVE_INFINITY,
      faults: Number.POSITIVE_INFINITY,
      retentionSeconds: RETENTION_SECONDS,
      env: process.env,
      onLog: log ? print : () => {},
    });
    const violations = judge(history);
    found += violations.length;
    console.log(describeRound(seed, history, violations));
  }
  return found === 0 ? 0 : 1;
}

/** One line of figures, a line for each violation, and the testHistory of each test that has one. */
export function describeRound(
  seed: number,
  history: History,
  violations: readonly Violation[],
): string {
  const { operations, events, faults } = history;
  const count = (of: Iterable<string>) =>
    [...Map.groupBy(of, (one) => one)].map(([name, all]) => `${all.length} ${name}`).join(', ');
  const { answers, backwards } = countBackwards(history);
  const tests = new Set(violations.map(({ testId }) => testId));
  return [
    `seed ${seed}: ${count(operations.map(({ kind }) => kind))}; ${count(events.map(({ event }) => event.type))}; faults: ${count(faults.map(({ name }) => name))}; ${backwards} of ${answers} answers older than one of another replica before; ${violations.length} violations`,
    ...violations.map(({ rule, testId, text }) => `  ${testId} ${rule}: ${text}`),
    ...[...tests].flatMap((testId) => [`  ${testId}`, ...describeTest(testId, history)]),
  ].join('\n');
}

/** What happened to one test, and around it, in the order of time. */
function describeTest(testId: string, history: History): readonly string[] {
  const { operations, events, payments, faults } = history;
  const lines: (readonly [number, string])[] = [
    ...[...events, ...payments]
      .filter(({ id }) => id === testId)
      .map(({ time, seq, event }) => {
        return [time, `log    ${seq} ${event.type} by ${event.by}, at ${event.at}`] as const;
      }),
    ...operations
      .filter((one) => one.testId === testId)
      .map((one) => {
        const said = one.kind === 'polled' ? one.seen.join(' or ') : one.kind;
        const reply = one.kind === 'mailed' ? ` ${one.reply}` : '';
        return [
          one.from,
          `client ${said}${reply} at ${one.replica}, ${one.to - one.from} ms`,
        ] as const;
      }),
    ...faults.map(({ name, from, to }) => [from, `fault  ${name}, ${to - from} ms`] as const),
  ];
  return lines
    .toSorted(([one], [other]) => one - other)
    .map(([time, text]) => `    ${new Date(time).toISOString()} ${text}`);
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '1' },
        seconds: { type: 'string', default: '30' },
        seed: { type: 'string', default: `${randomInt(1_000_000)}` },
        clients: { type: 'string', default: '4' },
        other: { type: 'string' },
        cluster: { type: 'boolean', default: false },
        log: { type: 'boolean', default: false },
      },
    });
    const [rounds, seconds, seed, clients] = [
      values.rounds,
      values.seconds,
      values.seed,
      values.clients,
    ].map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined));
    if (!rounds || !seconds || seed === undefined || !clients) return undefined;
    const { other, cluster, log } = values;
    return { rounds, seconds, seed, clients, other: other && resolve(other), cluster, log };
  } catch {
    return undefined;
  }
}
