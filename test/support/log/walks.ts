/**
 * Builds models of state machines, and finds walks through them that try every event in every state.
 */

import type { Envelope } from '../../../src/domain/envelope.ts';
import type { PaymentState, TestState } from '../../../src/projection/fold.ts';

/**
 * The part of an event that the tests need. If it has an attempt, that distinguishes two of the same type.
 */
export type ModelEvent = Envelope & { readonly data: object };

/** The part of a machine's snapshot that the tests need. */
export interface ModelState<E> {
  readonly value: TestState['value'] | PaymentState['value'];
  readonly context: object;
  readonly status: string;
  can(event: E): boolean;
}

/** An event that was tried in a state, and the state after it. */
export interface Pair<E, S> {
  readonly state: S;
  readonly event: E;
  readonly nextState: S;
}

export interface Step<E, S> {
  readonly event: E;
  readonly before: S;
  /** The state after the event. Equals the one before if the event is not allowed. */
  readonly state: S;
  readonly fits: boolean;
}

/** A path through a machine, on which events that are not allowed are also tried. */
export interface Walk<E, S> {
  readonly title: string;
  readonly steps: readonly Step<E, S>[];
}

/** A machine with everything that is tried in it: pure, on a server, and across restarts. */
export interface Model<E, S> {
  readonly name: string;
  readonly initial: S;
  /** The event that begins a history, or a part of it. */
  readonly beginning: Envelope['type'];
  /** Returns everything that is tried in a state. The machine decides what is allowed. */
  readonly eventsFor: (state: S) => readonly E[];
  /** The library's own step. */
  readonly next: (state: S, event: E) => S;
  /** Returns every pair of the machine's adjacency map. */
  readonly pairs: () => readonly Pair<E, S>[];
  /** Returns the pairs that the walks cover: like `pairs`, with few repetitions of one event. */
  readonly walkedPairs: () => readonly Pair<E, S>[];
  /** Returns every path that reaches no state twice. */
  readonly paths: () => readonly Walk<E, S>[];
  /** Returns some of the paths, which together try every pair. */
  readonly walks: () => readonly Walk<E, S>[];
}

/** Returns `waiting.open`, as the table of transitions names a state. */
export function nameOf({ value }: Pick<ModelState<never>, 'value'>): string {
  return typeof value === 'string' ? value : (Object.entries(value)[0]?.join('.') ?? '');
}

/** Two attempts of the same event in the same state are one. */
export function labelOf({ type, at, data }: Pick<ModelEvent, 'type' | 'at' | 'data'>): string {
  return `${type}${'attempt' in data ? ` ${data.attempt}` : ''} at ${at.slice(11, 19)}`;
}

/** Contains the whole state, because states that were considered equal would share their contexts. */
export function keyOf(state: Pick<ModelState<never>, 'value' | 'context'>): string {
  return `${nameOf(state)} ${JSON.stringify(state.context)}`;
}

/** Returns an event with the state in which it is tried. */
export const pairOf = <E extends ModelEvent, S extends ModelState<E>>(
  step: Pick<Step<E, S>, 'event' | 'before'>,
): string => `${keyOf(step.before)} ${labelOf(step.event)}`;

interface Parts<E, S> extends Omit<Model<E, S>, 'paths' | 'walks'> {
  /** Additional paths, event by event. */
  readonly also?: readonly (readonly E[])[];
}

/** Largest number of paths of a machine. A machine with more goes round in circles. */
const MOST_PATHS = 2000;

/** Largest number of steps of a walk, so that none takes much longer than the others. */
const MOST_STEPS = 24;

/** A state is complete, so no view can know what came before it. Longer paths show nothing new. */
const IN_A_ROW = 3;

/** Builds a model: a machine with everything that is tried in it, and the paths through it. */
export function modelOf<E extends ModelEvent, S extends ModelState<E>>(
  parts: Parts<E, S>,
): Model<E, S> {
  const { initial, eventsFor, next, also = [], ...rest } = parts;
  const walkedPairs = once(parts.walkedPairs);

  function walkOf(events: readonly E[]): Walk<E, S> {
    let state = initial;
    const steps = events.map((event) => {
      const before = state;
      state = next(before, event);
      return { event, before, state, fits: state !== before };
    });
    return { title: events.map(labelOf).join(', '), steps };
  }

  /**
   * Adds events that are not allowed in the states on the path, each on the first walk that has room for it.
   */
  function withMisfits(walk: Walk<E, S>, tried: Set<string>): Walk<E, S> {
    let room = Math.max(0, MOST_STEPS - walk.steps.length);
    function misfits(state: S): Step<E, S>[] {
      const untried = eventsFor(state)
        .map((event) => ({ event, before: state, state, fits: false }))
        .filter((step) => !state.can(step.event) && !tried.has(pairOf(step)))
        .slice(0, room);
      room -= untried.length;
      for (const step of untried) tried.add(pairOf(step));
      return untried;
    }
    const steps = walk.steps.flatMap((step) => [step, ...misfits(step.state)]);
    return { ...walk, steps: [...misfits(initial), ...steps] };
  }

  const paths = once(() => [...simplePaths(initial, walkedPairs()), ...also].map(walkOf));
  return {
    ...rest,
    initial,
    eventsFor,
    next,
    pairs: once(parts.pairs),
    walkedPairs,
    paths,
    walks: once(() => {
      const tried = new Set<string>();
      const chosen = fewest(paths()).map((path) => withMisfits(path, tried));
      // If the chosen paths have no room for all events that are not allowed, other paths have.
      const others = paths().flatMap((path) => {
        const walk = withMisfits(path, tried);
        return walk.steps.length > path.steps.length ? walk : [];
      });
      return [...chosen, ...others];
    }),
  };
}

/** Returns the events of every path that reaches no state twice, until it cannot continue. */
function simplePaths<E extends ModelEvent, S extends ModelState<E>>(
  initial: S,
  pairs: readonly Pair<E, S>[],
): readonly (readonly E[])[] {
  const from = Map.groupBy(pairs, ({ state }) => keyOf(state));
  const paths: (readonly E[])[] = [];
  function goOn(state: S, events: readonly E[], visited: ReadonlySet<string>): void {
    const here = new Set([...visited, keyOf(state)]);
    const ways =
      from.get(keyOf(state))?.filter(({ nextState }) => !here.has(keyOf(nextState))) ?? [];
    for (const { event, nextState } of ways) goOn(nextState, [...events, event], here);
    if (ways.length === 0) paths.push(events);
    if (paths.length > MOST_PATHS) throw new Error('The machine has too many ways to go.');
  }
  goOn(initial, [], new Set());
  return paths;
}

/** Returns some paths that together contain every sequence of steps on any of them. */
function fewest<E extends ModelEvent, S extends ModelState<E>>(
  walks: readonly Walk<E, S>[],
): readonly Walk<E, S>[] {
  const left = new Map(walks.map((walk) => [walk, new Set(rowsOf(walk))]));
  const chosen: Walk<E, S>[] = [];
  for (;;) {
    const [best] = [...left].sort(([, a], [, b]) => b.size - a.size);
    if (!best || best[1].size === 0) return chosen;
    const [walk, rows] = best;
    chosen.push(walk);
    left.delete(walk);
    for (const others of left.values()) for (const row of rows) others.delete(row);
  }
}

/** Returns the states and events of each few consecutive steps. */
const rowsOf = <E extends ModelEvent, S extends ModelState<E>>({ steps }: Walk<E, S>): string[] =>
  steps.map((_, n) =>
    steps
      .slice(Math.max(0, n + 1 - IN_A_ROW), n + 1)
      .map(pairOf)
      .join(', '),
  );

/** Returns the result of `make`, which is called on first use. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
