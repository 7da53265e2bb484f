import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reckon } from './load.ts';
import type { RehearsalOptions, Rehearse } from './rehearsal.ts';
import { startStage } from './stage.ts';

interface Options extends RehearsalOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly onLog: (line: string) => void;
}

/** What is shown of one rehearsal. */
export interface Outcome {
  /** Why this machine cannot do it. */
  readonly skipped?: string;
  readonly seconds: number;
  readonly requests: number;
  readonly retried: Readonly<Record<string, number>>;
  readonly tests: number;
  readonly mails: number;
  readonly paid: number;
  readonly lost: readonly string[];
}

/** Plays one rehearsal on a deployment of its own, under load, and then counts what was lost. */
export async function runRehearsal(rehearse: Rehearse, options: Options): Promise<Outcome> {
  const { env, print, onLog, from } = options;
  const begun = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  const { prepare, steps, end } = rehearse(options);
  const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  if (end) stops.push(end);
  try {
    const settings = (await prepare?.(folder)) ?? {};
    if (typeof settings === 'string') return { ...nothing, skipped: settings };
    const stage = await startStage({ env: { ...env, ...settings }, onLog, main: from });
    stops.push(() => stage.stop());
    await stage.load.paidMore(3);
    for (const [index, [does, run]] of steps.entries()) {
      print(`  ${index + 1}. ${does}`);
      const seen = await run(stage);
      if (seen) print(`     ${seen}`);
    }
    await stage.load.stop();
    await reckon(stage.load, stage.cluster.environment, stage.replicas);
    const { all, tally } = stage.load;
    return {
      seconds: Math.round((performance.now() - begun) / 1000),
      requests: tally.requests,
      retried: Object.fromEntries(tally.retried),
      tests: all.length,
      mails: all.filter(({ analysed }) => analysed).length,
      paid: all.filter(({ report }) => report !== '').length,
      lost: tally.lost,
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

const nothing = { seconds: 0, requests: 0, retried: {}, tests: 0, mails: 0, paid: 0, lost: [] };
