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

/** A walk of a model under way, on a subject of its own. */
export interface Life<E, S> {
  readonly id: string;
  readonly steps: readonly Step<E, S>[];
  /** What was appended, with its place, and what the model says after it. */
  readonly stored: {
    readonly event: E;
    readonly seq: number;
    readonly fits: boolean;
    readonly state: S;
  }[];
  /** What the model says of the events as they were appended. */
  state: S;
}

/** What the next append of a life expects. */
export const seqOf = ({ stored }: Pick<Life<unknown, unknown>, 'stored'>): number =>
  stored.at(-1)?.seq ?? 0;

/** One model on a log, with all that is derived from it. */
export interface Stage<E, S, Replica> {
  readonly model: Model<E, S>;
  readonly log: EventLog<E>;
  /** Rounds between the beginnings of two lives; 0: all begin at once. */
  readonly stagger: number;
  /** An event as this life has it. Its id is new in any case. */
  readonly personal: (event: E, life: Life<E, S>, round: number) => E;
  /** What a life needs before its first event. */
  readonly prepare?: (life: Life<E, S>) => Promise<void>;
  readonly start: () => Promise<Replica>;
  readonly stop: (replica: Replica) => Promise<void>;
  /** Whether every view says what the model says. `moved`: those that went a step just now. */
  readonly compare: (
    replica: Replica,
    moved: readonly Life<E, S>[],
    all: readonly Life<E, S>[],
  ) => Promise<void>;
}

/** Ids of tests, with the number in letters. */
function idOf(n: number): string {
  const digits = n.toString(8).padStart(8, '0');
  return `life${digits.replace(/\d/g, (digit) => 'abcdefgh'.charAt(Number(digit)))}`;
}

/** For an append that a log never answers, in milliseconds. */
const NEVER_MS = 50;

/**
 * Stores an event, whether or not it fits. Only a beginning that does not fit is kept out, by the
 * sequence that it expects: whoever begins what has begun does not know what is there.
 */
async function goStep<E extends ModelEvent, S extends ModelState<E>>(
  { model, log, personal }: Pick<Stage<E, S, unknown>, 'model' | 'log' | 'personal'>,
  life: Life<E, S>,
  { event, state, fits }: Step<E, S>,
  round: number,
): Promise<void> {
  const seq = seqOf(life);
  const mine = { ...personal(event, life, round), id: `${life.id}-${round}` };
  if (!fits && event.type === model.beginning) {
    const answer =
      seq === 0 ? await log.append(life.id, mine, 1, NEVER_MS) : await log.append(life.id, mine, 0);
    expect(answer.outcome, `${life.id} ${labelOf(event)}`).toBe(seq === 0 ? 'unknown' : 'lost');
    return;
  }
  const answer = await log.append(life.id, mine, seq);
  if (answer.outcome !== 'appended') throw new Error(`${labelOf(event)}: ${answer.outcome}`);
  const before = life.state;
  life.state = model.next(before, mine);
  expect([nameOf(life.state), life.state !== before]).toEqual([nameOf(state), fits]);
  life.stored.push({ event: mine, seq: answer.seq, fits, state: life.state });
}

/** What was gone through. */
export interface Tour<E, S> {
  readonly lives: readonly Life<E, S>[];
  readonly steps: number;
  readonly restarts: number;
  /** Pairs of a state and an event. */
  readonly pairs: ReadonlySet<string>;
}

/**
 * Goes every walk of a model, all of them a step in each round, and compares after it. With
 * `restart` no replica is there while the events are stored, and another one comes after them.
 */
export async function goWalks<E extends ModelEvent, S extends ModelState<E>, Replica>(
  stage: Stage<E, S, Replica>,
  { restart }: { readonly restart: boolean },
): Promise<Tour<E, S>> {
  const { model, stagger } = stage;
  const lives = model.walks().map(
    ({ steps }, n): Life<E, S> => ({
      id: idOf(n),
      steps,
      stored: [],
      state: model.initial,
    }),
  );
  const rounds = Math.max(...lives.map(({ steps }, n) => n * stagger + steps.length));
  const pairs = new Set<string>();
  await Promise.all(lives.map((life) => stage.prepare?.(life)));

  async function goRound(round: number): Promise<readonly Life<E, S>[]> {
    const moving = lives.flatMap((life, n) => {
      const step = life.steps[round - n * stagger];
      return step ? { life, step } : [];
    });
    for (const { step } of moving) pairs.add(pairOf(step));
    await Promise.all(moving.map(({ life, step }) => goStep(stage, life, step, round)));
    return moving.map(({ life }) => life);
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
      await stage.compare(replica, moved, lives);
    }
    if (replica) await stage.compare(replica, lives, lives);
  } finally {
    if (replica) await stage.stop(replica);
  }
  const steps = lives.reduce((sum, life) => sum + life.steps.length, 0);
  return { lives, steps, restarts: restart ? rounds - 1 : 0, pairs };
}

/** Whether the walks went through every pair that they had to; prints how many. */
export function expectWhole<E extends ModelEvent, S extends ModelState<E>>(
  name: string,
  model: Model<E, S>,
  { lives, steps, restarts, pairs }: Tour<E, S>,
): void {
  const all = model.walkedPairs().map(({ state, event }) => pairOf({ before: state, event }));
  expect(all.filter((pair) => !pairs.has(pair))).toEqual([]);
  console.info(
    `${model.name} ${name}: all ${all.length} pairs of a state and an event, ` +
      `${steps} steps on ${lives.length} walks, ${restarts} restarts`,
  );
}
