/** Plays a fault in a world, and judges what its clients saw. */

import { setTimeout as sleep } from 'node:timers/promises';
import { SENDER } from '../environment/sender.ts';
import { transfersOf } from '../support/payments/transfers.ts';
import { type Prng, prng } from '../support/prng/prng.ts';
import type { Record } from './client/calls.ts';
import { startClients } from './client/client.ts';
import { type Plan, SOME } from './client/plan.ts';
import type { Fault, Load } from './fault.ts';
import type { Fault as Done, History, Violation } from './judge/history.ts';
import { judge } from './judge/judge.ts';
import { type World, waitFor } from './world/parts.ts';

/** Time for a fault to reach its moment, in milliseconds. */
const MOMENT_MS = 60_000;

/** Time in which a service would do too early what must wait until something is stored, in milliseconds. */
const HASTE_MS = 150;

/** Time from a signal to the end of a process, in milliseconds: many times what it takes. */
const KILLED_MS = 50;

/** Time after which the marks of a fault are given up, in milliseconds. */
const MARKS_MS = 60_000;

/** Texts of the emails that clients send, none of which may be in a log. */
const MAIL = [`orders@${SENDER.domain}`, 'Your order is on its way', 'We packed it', '/orders'];

/** Returns a world with every response that its clients got. */
export function startStage(world: World) {
  const record: Record = { operations: [], answers: [] };
  const faults: Done[] = [];
  const tokens: string[] = [];
  const unlike: string[] = [];
  const stuck: string[] = [];
  const found = new Set<string>();

  /** The promises that only clients know. */
  const promisesNow = (): History => ({
    ...{ durations: world.durations, faults, stuck, unlike, answers: record.answers },
    ...{ lines: world.lines, secrets: [...world.secrets, ...MAIL, ...tokens] },
    ...{ operations: [], events: [], payments: [], reports: [], transfers: [], broadcasts: [] },
    kept: { from: 0, to: 0, ids: new Map() },
    endedAt: Date.now(),
  });

  async function historyNow(): Promise<History> {
    const kept = await world.observer.readAgain();
    const { events, payments, reports } = world.observer.seen;
    return {
      ...promisesNow(),
      ...{ kept, operations: record.operations, broadcasts: world.broadcasts },
      ...{ events: [...events], payments: [...payments], reports: [...reports] },
      transfers: await transfersOf(world.environment.chain),
      endedAt: Date.now(),
    };
  }

  /** Has clients start, and the fault happen before that, in the middle of it, or at its moment. */
  async function begin({ name, kind, at, apply }: Fault, random: Prng, load: Load, go: () => void) {
    const some = { victim: random.pick(world.replicas), load };
    if (kind === 'lie' || kind === 'clock') {
      const undo = await apply(world, random, some);
      go();
      return undo;
    }
    const coming = at?.come(world);
    go();
    if (!coming) return apply(world, random, some);
    const late = sleep(MOMENT_MS, undefined, { ref: false });
    const moment = await Promise.race([coming, late]);
    if (!moment) throw new Error(`It never came to "${name}".`);
    // Anything that does not wait for this moment to pass is finished by then.
    await sleep(HASTE_MS);
    const applying = Promise.resolve(apply(world, random, { load, victim: moment.replica }));
    // The signal takes effect while the process is paused at the moment.
    await sleep(KILLED_MS);
    await moment.go();
    return applying;
  }

  return {
    /**
     * Plays one fault, with clients around it. Returns the violations that were not there before it.
     * @param more plans of further clients; by default none if the fault has plans of its own, and SOME otherwise
     */
    async play(
      fault: Fault,
      seed: number,
      more: readonly Plan[] = fault.plans ? [] : SOME,
    ): Promise<readonly Violation[]> {
      const random = prng(seed);
      const plans = [...(fault.plans ?? []), ...more];
      const { name, kind, reports, shows = [], holds, isSteady, attempts = 6 } = fault;
      const clients = startClients(world, record, random.split(), reports);
      const { answers } = record;
      const { payments } = world.observer.seen;
      const [answered, paid] = [answers.length, payments.length];
      await clients.prepare(plans);
      const missed = () => {
        const shown = answers.slice(answered).map(({ call, text }) => `${call} ${text}`);
        return shows.filter((one) => !shown.some((text) => one.test(text)));
      };
      const from = Date.now();
      const go = () => clients.begin(plans, isSteady);
      const undo = await begin(fault, random.split(), clients.load, go);
      clients.end();
      await clients.attempts(attempts);
      // Chance decides which replica a call reaches, so the fault lasts until its marks were seen.
      await waitFor('its marks', async () => missed().length === 0, MARKS_MS).catch(() => {});
      await undo();
      await world.whole();
      // The observer may reconnect later than the replicas. What it misses until then is half known.
      if (!fault.isLogReplaced) await world.observer.followAgain();
      faults.push({ name, kind, from, to: Date.now() });
      const unseen = missed();
      await clients.finished();
      unlike.push(...(await clients.reckon()));
      stuck.push(...clients.stuck);
      tokens.push(...clients.tokens());

      const history = fault.isLogReplaced ? promisesNow() : await historyNow();
      const violations = judge(history).filter((one) => !found.has(JSON.stringify(one)));
      for (const one of violations) found.add(JSON.stringify(one));
      const since = {
        answers: answers.slice(answered).map(({ text }) => text),
        payments: payments.slice(paid),
      };
      return [
        ...violations,
        ...unseen.map((one) => broken('shows', `nobody saw ${one}`)),
        // The rule `holds` is only about the clients of the row itself.
        ...(fault.plans && more.length > 0 ? [] : (holds?.(since) ?? [])).map((text) =>
          broken('holds', text),
        ),
      ];
    },
  };
}

const broken = (rule: string, text: string): Violation => ({ rule, testId: '', text });

export type Stage = ReturnType<typeof startStage>;
