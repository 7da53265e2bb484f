/** Walks all paths of a state machine's model on a log, and compares what replicas show. */

import { expect } from 'vitest';
import type { EventLog } from '../../../src/ports/log.ts';
import {
  labelOf,
  type Model,
  type ModelEvent,
  type ModelState,
  nameOf,
  pairOf,
  type Step,
} from './walks.ts';

/** A walk of a model in progress, on a subject of its own. */
export interface TestHistory<E, S> {
  readonly id: string;
  readonly steps: readonly Step<E, S>[];
  /** The events that were appended, with their place, and the model's state after each. */
  readonly stored: {
    readonly event: E;
    readonly seq: number;
    readonly fits: boolean;
    readonly state: S;
  }[];
  /** The model's state after the events as they were appended. */
  state: S;
}

/** Returns what the next append of a history expects. */
export const seqOf = ({ stored }: Pick<TestHistory<unknown, unknown>, 'stored'>): number =>
  stored.at(-1)?.seq ?? 0;

/** A model on a log, with everything that is derived from it. */
export interface Stage<E, S, Replica> {
  readonly model: Model<E, S>;
  readonly log: Pick<EventLog<E>, 'append'>;
  /** Rounds between the beginnings of two histories. With 0, all begin at once. */
  readonly stagger: number;
  /** Returns an event in the version of this history. Its id is new in any case. */
  readonly personal: (event: E, history: TestHistory<E, S>, round: number) => E;
  /** Prepares what a history needs before its first event. */
  readonly prepare?: (history: TestHistory<E, S>) => Promise<void>;
  readonly start: () => Promise<Replica>;
  readonly stop: (replica: Replica) => Promise<void>;
  /** Compares every view with the model. `moved` are the histories that have just advanced. */
  readonly compare: (
    replica: Replica,
    moved: readonly TestHistory<E, S>[],
    all: readonly TestHistory<E, S>[],
  ) => Promise<void>;
}

/** Returns ids of tests, with the number in letters. */
function idOf(n: number): string {
  const digits = n.toString(8).padStart(8, '0');
  return `hist${digits.replace(/\d/g, (digit) => 'abcdefgh'.charAt(Number(digit)))}`;
}

/** Time limit in milliseconds for an append that the log never answers. */
const NEVER_MS = 50;

/**
 * Stores an event, whether or not it is allowed. Only a beginning that is not allowed is kept out, by the
 * sequence that it expects: whoever begins something that has begun does not know what is there.
 */
async function goStep<E extends ModelEvent, S extends ModelState<E>>(
  { model, log, personal }: Pick<Stage<E, S, unknown>, 'model' | 'log' | 'personal'>,
  history: TestHistory<E, S>,
  { event, state, fits }: Step<E, S>,
  round: number,
): Promise<void> {
  const seq = seqOf(history);
  const mine = { ...personal(event, history, round), id: `${history.id}-${round}` };
  if (!fits && event.type === model.beginning) {
    const answer =
      seq === 0
        ? await log.append(history.id, mine, 1, NEVER_MS)
        : await log.append(history.id, mine, 0);
    expect(answer.outcome, `${history.id} ${labelOf(event)}`).toBe(seq === 0 ? 'unknown' : 'lost');
    return;
  }
  const answer = await log.append(history.id, mine, seq);
  if (answer.outcome !== 'appended') throw new Error(`${labelOf(event)}: ${answer.outcome}`);
  const before = history.state;
  history.state = model.next(before, mine);
  expect([nameOf(history.state), history.state !== before]).toEqual([nameOf(state), fits]);
  history.stored.push({ event: mine, seq: answer.seq, fits, state: history.state });
}

/** Everything that the walks covered. */
export interface Tour<E, S> {
  readonly histories: readonly TestHistory<E, S>[];
  readonly steps: number;
  readonly restarts: number;
  /** Pairs of a state and an event. */
  readonly pairs: ReadonlySet<string>;
}

/**
 * Takes every walk of a model, each one step per round, and compares afterwards. With `restart`, no replica
 * runs while the events are stored, and another one starts after them.
 */
export async function goWalks<E extends ModelEvent, S extends ModelState<E>, Replica>(
  stage: Stage<E, S, Replica>,
  { restart }: { readonly restart: boolean },
): Promise<Tour<E, S>> {
  const { model, stagger } = stage;
  const histories = model.walks().map(
    ({ steps }, n): TestHistory<E, S> => ({
      id: idOf(n),
      steps,
      stored: [],
      state: model.initial,
    }),
  );
  const beginOf = (n: number) => Math.floor(n * stagger);
  const rounds = Math.max(...histories.map(({ steps }, n) => beginOf(n) + steps.length));
  const pairs = new Set<string>();
  await Promise.all(histories.map((history) => stage.prepare?.(history)));

  async function goRound(round: number): Promise<readonly TestHistory<E, S>[]> {
    const moving = histories.flatMap((history, n) => {
      const step = history.steps[round - beginOf(n)];
      return step ? { history, step } : [];
    });
    for (const { step } of moving) pairs.add(pairOf(step));
    await Promise.all(moving.map(({ history, step }) => goStep(stage, history, step, round)));
    return moving.map(({ history }) => history);
  }

  let replica: Replica | undefined;
  try {
    for (let round = 0; round < rounds; round++) {
      if (restart && replica) {
        await stage.stop(replica);
        replica = undefined;
      }
      if (!restart) replica ??= await stage.start();
      const moved = await goRound(round);
      replica ??= await stage.start();
      await stage.compare(replica, moved, histories);
    }
    if (replica) await stage.compare(replica, histories, histories);
  } finally {
    if (replica) await stage.stop(replica);
  }
  const steps = histories.reduce((sum, history) => sum + history.steps.length, 0);
  return { histories, steps, restarts: restart ? rounds - 1 : 0, pairs };
}

/** Expects that the walks covered every required pair, and prints how many. */
export function expectWhole<E extends ModelEvent, S extends ModelState<E>>(
  name: string,
  model: Model<E, S>,
  { histories, steps, restarts, pairs }: Tour<E, S>,
): void {
  const all = model.walkedPairs().map(({ state, event }) => pairOf({ before: state, event }));
  expect(all.filter((pair) => !pairs.has(pair))).toEqual([]);
  console.info(
    `${model.name} ${name}: all ${all.length} pairs of a state and an event, ` +
      `${steps} steps on ${histories.length} walks, ${restarts} restarts`,
  );
}
