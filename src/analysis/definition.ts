/** The definition of a check, from which all of its texts and its catalogue entry are derived. */

import type { Severity } from '../domain/report/report.ts';
import type { Area } from '../domain/report/shapes.ts';
import type { Others, Step } from './advice/actions.ts';
import type { CommonValue, Values } from './advice/fill.ts';
import type { Facts } from './facts.ts';
import type { LookupResult } from './lookup-result.ts';
import type { Family } from './scale.ts';

/** Values taken from the facts of an email. None of them is text from the email. */
export type Observed = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

/** An explanation of a check for someone who does not know the subject. */
export interface About {
  readonly what: string;
  readonly why: string;
  readonly how: readonly string[];
  readonly bad: string;
  readonly good: string;
  /** The kind of instructions of each sending platform that belong to this check. */
  readonly platforms?: 'spf' | 'dkim' | 'return_path';
}

/**
 * A case of a fix: why something should be done, and what. `do` is used where no steps are made for this
 * email.
 */
export interface Case {
  readonly why: string;
  readonly do?: string;
}

/** Cases by name. A case in which nothing needs to be done is only its reason. */
export type Cases = Readonly<Record<string, Case | string>>;

/** A state as the catalogue shows it. Its name is the key in the check's `states`. */
export interface StateShape {
  readonly severity: Severity;
  readonly points: number;
  /** The highest score that a report with this state can have. */
  readonly cap: number | null;
  /** The condition under which the state applies, in words. */
  readonly when: string;
  /** An `info` that is worth acting on. */
  readonly suggest?: true;
}

/** A state, with the condition that decides whether it applies to an email. */
export interface Held<S> extends StateShape {
  readonly holds: (subject: S, facts: Facts) => boolean;
}

interface Condition<S> {
  when(text: string, holds: Held<S>['holds']): Held<S>;
}

/**
 * Builds the states of a check: `fail(12, 59).when('no PTR', …)`. The first one that applies is the finding.
 */
export interface States<S> {
  readonly fail: (points: number, cap?: number) => Condition<S>;
  readonly warn: (points: number, cap?: number) => Condition<S>;
  readonly suggest: Condition<S>;
  readonly info: Condition<S>;
  /** The last state, which applies if no other does. */
  readonly pass: (when: string) => Held<S>;
}

/** The names in braces in a text. */
type Braces<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Braces<Rest> : never;

/** The names in braces that a check must fill itself, in its fix and in the texts of its cases. */
type Own<T> = Exclude<T extends Case ? Braces<T['why' | 'do']> : Braces<T>, CommonValue>;

/**
 * A check: what it judges, its states from worst to best, and what to do about each. Its catalogue entry and
 * its texts in a report are all derived from this object.
 */
export interface Definition<S, U extends Case | string, F extends Cases> {
  /** Public: never renamed, and never reused for something else. */
  readonly id: string;
  /** The family whose cap limits its points. It also decides the area. */
  readonly family: Family;
  /** The check that must be in order before this one says anything. */
  readonly gate?: string;
  /** The checks that depend on this one run only if its severity is one of these. Default: only `pass`. */
  readonly opensOn?: readonly Severity[];
  /** Names what is judged, and reads correctly with every severity. */
  readonly title: string;
  /** The header field that the check is about. */
  readonly header?: string;
  /** RFC and section, or the provider's rule. */
  readonly source: string;
  readonly about: About;
  /** Returns what is judged, or `undefined` if the check does not apply to this email. */
  readonly subject: (facts: Facts) => LookupResult<S> | undefined;
  /** States by name, worst first. */
  readonly states: (made: States<S>) => Readonly<Record<string, Held<S>>>;
  /** Returns the measured value and the limit, in words. */
  readonly detail?: (subject: S, facts: Facts) => string;
  /** Returns the values that `detail` puts into words, by name. */
  readonly evidence: (subject: S, facts: Facts) => Observed;
  /** The usual case. Names in braces are filled from `values` and from the values that all checks share. */
  readonly fix: U;
  /** The other cases. */
  readonly fixes?: F;
  /** Returns the cases that apply, in their order. None means `fix`. */
  readonly cases?: (subject: S, facts: Facts) => readonly ('fix' | (keyof NoInfer<F> & string))[];
  readonly values?: (
    subject: S,
    facts: Facts,
  ) => Readonly<Record<Own<NoInfer<U> | NoInfer<F>[keyof F]>, Values[string]>>;
  /**
   * Returns the check, or the cause, that must be fixed first, because this check's fix cannot be followed
   * without it.
   */
  readonly waitsFor?: (subject: S, facts: Facts) => string | undefined;
  /** Returns sentences about what the steps change. They follow the reasons. */
  readonly more?: (subject: S, facts: Facts) => string;
  /**
   * Returns what to do in one of the cases, as data from which the text is rendered. None means the case's
   * `do`.
   */
  readonly steps?: (subject: S, facts: Facts, name: string) => readonly Step[] | undefined;
  /** Returns the fix if only someone else can make it, or `undefined` if the reader can. */
  readonly others?: (subject: S, facts: Facts) => Others | undefined;
  /**
   * Returns what needs to be fixed. Findings with the same cause share one fix. Default: the check's own id.
   */
  readonly cause?: (subject: S, facts: Facts) => string;
}

/** Returns the names of the conditions that are true, in their order. */
export const whichHold = <const N extends string>(conditions: Readonly<Record<N, boolean>>): N[] =>
  (Object.keys(conditions) as N[]).filter((name) => conditions[name]);

/**
 * Returns cases by the names that the facts give to what was found. A name without a text of its own means
 * the usual case, so the check does not have to know every name.
 */
export const asSeen = (...names: readonly string[]): never[] => names as unknown as never[];

/** The part of a check that does not depend on the type of its subject. */
export interface Described
  extends Pick<
    Definition<never, string, Cases>,
    'id' | 'family' | 'gate' | 'title' | 'header' | 'source' | 'about'
  > {
  readonly area: Area;
  readonly fixes: Readonly<Record<string, Case>> & { readonly fix: Case };
}
