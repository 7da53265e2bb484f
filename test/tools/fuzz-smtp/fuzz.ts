import { setTimeout as sleep } from 'node:timers/promises';
import { prng } from '../../support/prng/prng.ts';
import { ADDRESS, type FuzzServer, startFuzzServer } from './environment.ts';
import { makePlan, type Plan } from './grammar.ts';
import { Fault, liveSession, type Observed } from './session.ts';

/** Sessions side by side; a greeting takes 100 ms. */
const SESSIONS = 64;

/** Longest time until nothing of a batch is left, in milliseconds. */
const QUIET_MS = 10_000;

interface Options {
  readonly seed: number;
  /** Commands that must be answered before the run ends. */
  readonly count: number;
  readonly onFault: (fault: {
    readonly seed: number;
    readonly words: string;
    readonly plan: Plan | null;
  }) => void;
  readonly onBatch?: (commands: number) => void;
}

/**
 * Random sessions against a listening server, in batches: the same seed makes the same batch. After
 * each, the log must hold what the replies said, and the memory nothing.
 */
export async function fuzzSmtp({ seed, count, onFault, onBatch = () => {} }: Options) {
  const server = await startFuzzServer();
  const total = { commands: 0, mails: 0, sessions: 0, faults: 0 };
  try {
    for (let batch = seed; total.commands < count; batch += 1) {
      const observed: Observed = { commands: 0, mails: 0, analysed: 0 };
      const random = prng(batch);
      const plans = Array.from({ length: SESSIONS }, () => makePlan(random, ADDRESS));
      const fault = (words: string, plan: Plan | null) => {
        total.faults += 1;
        onFault({ seed: batch, words, plan });
      };
      await Promise.all(
        plans.map((plan) =>
          liveSession(server.port, plan, observed).catch((error: unknown) => {
            if (!(error instanceof Fault)) throw error;
            fault(error.message, plan);
          }),
        ),
      );
      for (const words of await whatIsLeft(server, observed)) fault(words, null);
      await server.renew();
      total.commands += observed.commands;
      total.mails += observed.mails;
      total.sessions += plans.length;
      onBatch(total.commands);
    }
  } finally {
    await server.stop();
  }
  return total;
}

/** What the log and the memory hold that they must not. */
async function whatIsLeft(server: FuzzServer, { mails, analysed }: Observed): Promise<string[]> {
  const { mailBuffer, counts, types } = server.life();
  const deadline = Date.now() + QUIET_MS;
  const isQuiet = () => mailBuffer.bytes() === 0 && counts.ended === counts.gates;
  while (!isQuiet() && Date.now() < deadline) await sleep(5);

  const all = types();
  const number = (...names: string[]) => all.filter((type) => names.includes(type)).length;
  const rules: Record<string, boolean> = {
    'mail is left in memory': isQuiet(),
    'there is an event for a mail that was not ended':
      number('MailArrived', 'MailRefused') <= mails,
    'there is more than one report': number('AnalysisDone') <= 1,
    'a 250 without its event': analysed <= number('AnalysisDone'),
    'an analysis without its mail': number('AnalysisDone') <= number('MailArrived'),
  };
  return Object.entries(rules).flatMap(([words, holds]) => (holds ? [] : [words]));
}
