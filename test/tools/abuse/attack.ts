import type { Target } from './target.ts';

/** What an attack came to, against its threshold. */
export interface Outcome {
  readonly measured: string;
  readonly holds: boolean;
}

export interface Attack {
  readonly threshold: string;
  /**
   * Needs a service whose reports are free, one that sells, one with the budgets of production for creation
   * and 2,048 open files, or none: it starts what it needs by itself.
   */
  readonly kind?: 'free' | 'sells' | 'tight' | 'alone';
  run(target: Target, seconds: number, env: Environment): Promise<Outcome>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

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

export const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Attackers that go on, one step after the other, until they are told to stop; a step may fail. */
export function attackers(count: number, step: (attacker: number) => Promise<void>) {
  let isOver = false;
  const all = Array.from({ length: count }, async (_, attacker) => {
    while (!isOver) await step(attacker).catch(() => pause(200));
  });
  return {
    isOver: () => isOver,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** The smallest value that so large a share of them does not exceed. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? 0;

interface HonestMails {
  readonly codes: readonly number[];
  readonly times: readonly number[];
  /** Of those that were taken, all reports that are not `expected`. */
  readonly different: number;
}

/** Between two honest mails, in milliseconds: more would pass the budget of their client. */
const HONEST_MS = 250;

/** Honest mails, one after the other, each tried once. */
export async function sendHonestMails(
  target: Target,
  seconds: number,
  expected?: string,
): Promise<HonestMails> {
  const codes: number[] = [];
  const times: number[] = [];
  let different = 0;
  await repeat(seconds, async () => {
    const next = pause(HONEST_MS);
    const test = await target.create();
    const { code, milliseconds } = await target.deliver(test.address);
    codes.push(code);
    times.push(milliseconds);
    if (expected !== undefined && code === 250 && (await target.report(test)) !== expected)
      different += 1;
    await next;
  });
  return { codes, times, different };
}

/** What a mail that nothing disturbs gets. */
export async function undisturbedReport(target: Target): Promise<string> {
  const test = await target.create();
  const { code } = await target.deliver(test.address);
  if (code !== 250) throw new Error(`A mail that nothing disturbs was answered ${code}.`);
  return target.report(test);
}
