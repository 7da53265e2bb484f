import type { Severity } from '../domain/report/report.ts';
import type { Area } from '../domain/report/shapes.ts';
import type { Others, Step } from './advice/actions.ts';
import type { CommonValue, Values } from './advice/fill.ts';
import type { Facts } from './facts.ts';
import type { LookupResult } from './lookup-result.ts';
import type { Family } from './scale.ts';

/** Values of a mail's facts. None of them is a text of the mail. */
export type Observed = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

/** What a person reads about a check who does not know the subject. */
export interface About {
  readonly what: string;
  readonly why: string;
  readonly how: readonly string[];
  readonly bad: string;
  readonly good: string;
  /** What of each sending platform belongs to it. */
  readonly platforms?: 'spf' | 'dkim' | 'return_path';
}

/** One case of a fix: why something is to be done, and what, where no steps are made for this mail. */
export interface Case {
  readonly why: string;
  readonly do?: string;
}

/** By name; one that has nothing to be done is its reason alone. */
export type Cases = Readonly<Record<string, Case | string>>;

/** A state as the catalogue shows it; the name stands before it in its check. */
export interface StateShape {
  readonly severity: Severity;
  readonly points: number;
  /** The highest score that a report can have with it. */
  readonly cap: number | null;
  /** When it applies, in words. */
  readonly when: string;
  /** An `info` that is worth doing something about. */
  readonly suggest?: true;
}

/** A state, and whether it is that of a mail. */
export interface Held<S> extends StateShape {
  readonly holds: (subject: S, facts: Facts) => boolean;
}

interface Condition<S> {
  when(text: string, holds: Held<S>['holds']): Held<S>;
}

/** What makes the states of a check: `fail(12, 59).when('no PTR', …)`. The first that holds is the finding. */
export interface States<S> {
  readonly fail: (points: number, cap?: number) => Condition<S>;
  readonly warn: (points: number, cap?: number) => Condition<S>;
  readonly suggest: Condition<S>;
  readonly info: Condition<S>;
  /** The last state: it holds when no other does. */
  readonly pass: (when: string) => Held<S>;
}

/** The names in the braces of a text. */
type Braces<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Braces<Rest> : never;

/** What a check has to fill by itself in its fix and the texts of its cases. */
type Own<T> = Exclude<T extends Case ? Braces<T['why' | 'do']> : Braces<T>, CommonValue>;

/**
 * A check: what it looks at, its states from worst to best, and what to do about each. All that is
 * shown of it, from the catalogue to the texts of a report, is derived from this object.
 */
export interface Definition<S, U extends Case | string, F extends Cases> {
  /** Public: never renamed, never used for something else. */
  readonly id: string;
  /** Whose cap its points share; it gives the area. */
  readonly family: Family;
  /** The check that has to be in order before this one says anything. */
  readonly gate?: string;
  /** The severities with which it lets the checks behind it apply; else only `pass`. */
  readonly opensOn?: readonly Severity[];
  /** Names what is looked at, and reads right beside every severity. */
  readonly title: string;
  /** The header that it is about. */
  readonly header?: string;
  /** RFC and section, or the provider's rule. */
  readonly source: string;
  readonly about: About;
  /** What is judged; `undefined`: the check does not apply to this mail. */
  readonly subject: (facts: Facts) => LookupResult<S> | undefined;
  /** By name, worst first. */
  readonly states: (made: States<S>) => Readonly<Record<string, Held<S>>>;
  /** The value measured and the limit. */
  readonly detail?: (subject: S, facts: Facts) => string;
  /** The values that `detail` puts into words, by name. */
  readonly evidence: (subject: S, facts: Facts) => Observed;
  /** The usual case. Names in braces are filled by `values`, and by those all checks share. */
  readonly fix: U;
  /** The other cases. */
  readonly fixes?: F;
  /** The cases that hold here, in their order; none: `fix`. */
  readonly cases?: (subject: S, facts: Facts) => readonly ('fix' | (keyof NoInfer<F> & string))[];
  readonly values?: (
    subject: S,
    facts: Facts,
  ) => Readonly<Record<Own<NoInfer<U> | NoInfer<F>[keyof F]>, Values[string]>>;
  /** The check, or the cause, whose fix comes first: without it this one's cannot be followed. */
  readonly waitsFor?: (subject: S, facts: Facts) => string | undefined;
  /** Sentences behind the reasons, on what the steps change. */
  readonly more?: (subject: S, facts: Facts) => string;
  /** What to do in one of the cases, as data; the text is rendered from it. None: the case's `do`. */
  readonly steps?: (subject: S, facts: Facts, name: string) => readonly Step[] | undefined;
  /** The fix where it is somebody else's to make; `undefined`: the reader's own. */
  readonly others?: (subject: S, facts: Facts) => Others | undefined;
  /** What is to be put right: findings with one cause go with one fix. None: the check's own. */
  readonly cause?: (subject: S, facts: Facts) => string;
}

/** The names of those that hold, in their order. */
export const whichHold = <const N extends string>(conditions: Readonly<Record<N, boolean>>): N[] =>
  (Object.keys(conditions) as N[]).filter((name) => conditions[name]);

/**
 * Cases by the names that facts have for what they saw. One that has no text of its own is the usual
 * case, so none of them has to be a name that the check knows.
 */
export const asSeen = (...names: readonly string[]): never[] => names as unknown as never[];

/** What a check and its fixes are read from, whatever its subject. */
export interface Described
  extends Pick<
    Definition<never, string, Cases>,
    'id' | 'family' | 'gate' | 'title' | 'header' | 'source' | 'about'
  > {
  readonly area: Area;
  readonly fixes: Readonly<Record<string, Case>> & { readonly fix: Case };
}
