/**
 * Declares the parts from which a check is defined. All texts of a check and its catalogue entry are derived
 * from its definition.
 */

import type { Severity } from '../domain/report/report.ts';
import type { Area } from '../domain/report/shapes.ts';
import type { Others, Step } from './advice/actions.ts';
import type { CommonValue, Values } from './advice/fill.ts';
import type { Facts } from './facts.ts';
import type { LookupResult } from './lookup-result.ts';
import type { Family } from './scale.ts';

/**
 * Values measured in an email, which a finding shows as its evidence. None of them is text from the email.
 */
export type Observed = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

/** The explanation of a check for someone who does not know the subject. */
export interface About {
  readonly what: string;
  readonly why: string;
  readonly how: readonly string[];
  readonly bad: string;
  readonly good: string;
  /** The kind of instructions to show for each sending platform, if this check needs any. */
  readonly platforms?: 'spf' | 'dkim' | 'return_path';
}

/**
 * A case of a fix: the reason for it, and what to do. `do` is used only if no steps can be made for this
 * email.
 */
export interface Case {
  readonly why: string;
  readonly do?: string;
}

/**
 * The cases of a fix, keyed by name. A case that is just a text has a reason but no instruction of its own.
 */
export type Cases = Readonly<Record<string, Case | string>>;

/** A state as the catalogue shows it. Its name is the key under which the check's `states` lists it. */
export interface StateShape {
  readonly severity: Severity;
  readonly points: number;
  /** The highest score of a report with this state. Null if the state has no cap. */
  readonly cap: number | null;
  /** The condition under which the state applies, in words. */
  readonly when: string;
  /** True for an `info` state that suggests an improvement. */
  readonly suggest?: true;
}

/** A state together with the condition under which it applies to an email. */
export interface Held<S> extends StateShape {
  readonly holds: (subject: S, facts: Facts) => boolean;
}

interface Condition<S> {
  when(text: string, holds: Held<S>['holds']): Held<S>;
}

/**
 * Builds the states of a check, as in `fail(12, 59).when('no PTR', …)`. The finding shows the first state
 * that applies.
 */
export interface States<S> {
  readonly fail: (points: number, cap?: number) => Condition<S>;
  readonly warn: (points: number, cap?: number) => Condition<S>;
  readonly suggest: Condition<S>;
  readonly info: Condition<S>;
  /** Builds the last state, which applies if no other does. */
  readonly pass: (when: string) => Held<S>;
}

/** The names of the placeholders in a text. */
type Braces<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Braces<Rest> : never;

/** The names of the placeholders that a check must fill itself, in its fix and in the texts of its cases. */
type Own<T> = Exclude<T extends Case ? Braces<T['why' | 'do']> : Braces<T>, CommonValue>;

/** The definition of a check: what it judges, its states from worst to best, and what to do about each. */
export interface Definition<S, U extends Case | string, F extends Cases> {
  /** The public id of the check. An id is never renamed, and never reused for something else. */
  readonly id: string;
  /**
   * The family of the check, which decides its area and limits how many points all checks of the family can
   * cost together.
   */
  readonly family: Family;
  /**
   * The id of an earlier check that decides whether this check runs. This check runs only if the severity of
   * the earlier one is in that check's `opensOn`.
   */
  readonly gate?: string;
  /** The severities of this check that let the checks behind it run. Default: only `pass`. */
  readonly opensOn?: readonly Severity[];
  /** The title, which names what is judged and reads correctly with every severity. */
  readonly title: string;
  /** The header field that the check is about. */
  readonly header?: string;
  /** The source of the rule: an RFC and section, or a provider's requirement. */
  readonly source: string;
  readonly about: About;
  /** Returns the facts that the check judges, or `undefined` if the check does not apply to this email. */
  readonly subject: (facts: Facts) => LookupResult<S> | undefined;
  /** Returns the states of the check by name, worst first. */
  readonly states: (made: States<S>) => Readonly<Record<string, Held<S>>>;
  /** Returns the measured value and its limit, as a sentence. */
  readonly detail?: (subject: S, facts: Facts) => string;
  /** Returns the values that `detail` puts into words, as data. */
  readonly evidence: (subject: S, facts: Facts) => Observed;
  /**
   * The fix in the usual case. Its placeholders are filled from `values` and from the values that all checks
   * share.
   */
  readonly fix: U;
  /** The fixes in all other cases. */
  readonly fixes?: F;
  /**
   * Returns the names of the cases that apply, in the order in which they are explained. If there are none,
   * `fix` applies.
   */
  readonly cases?: (subject: S, facts: Facts) => readonly ('fix' | (keyof NoInfer<F> & string))[];
  readonly values?: (
    subject: S,
    facts: Facts,
  ) => Readonly<Record<Own<NoInfer<U> | NoInfer<F>[keyof F]>, Values[string]>>;
  /**
   * Returns the check id or the cause that must be fixed first, because until then the fix of this check
   * cannot be followed.
   */
  readonly waitsFor?: (subject: S, facts: Facts) => string | undefined;
  /** Returns sentences about what the steps change, which come after the reasons. */
  readonly more?: (subject: S, facts: Facts) => string;
  /**
   * Returns the steps for one of the cases, as data from which the text is rendered. If there are none, the
   * `do` of the case is used.
   */
  readonly steps?: (subject: S, facts: Facts, name: string) => readonly Step[] | undefined;
  /** Returns the fix if only someone else can make it, or `undefined` if the reader can. */
  readonly others?: (subject: S, facts: Facts) => Others | undefined;
  /**
   * Returns the cause of the finding. Findings with the same cause share one fix. Default: the id of the
   * check.
   */
  readonly cause?: (subject: S, facts: Facts) => string;
}

/** Returns the names of the conditions that are true, in the given order. */
export const whichHold = <const N extends string>(conditions: Readonly<Record<N, boolean>>): N[] =>
  (Object.keys(conditions) as N[]).filter((name) => conditions[name]);

/**
 * Returns case names taken from the facts, without checking them against the check's own cases at compile
 * time. A name without a case of its own leads to the usual fix, so a check does not have to know every name.
 */
export const asSeen = (...names: readonly string[]): never[] => names as unknown as never[];

/** The parts of a definition that do not depend on the type of the facts that the check judges. */
export interface Described
  extends Pick<
    Definition<never, string, Cases>,
    'id' | 'family' | 'gate' | 'title' | 'header' | 'source' | 'about'
  > {
  readonly area: Area;
  readonly fixes: Readonly<Record<string, Case>> & { readonly fix: Case };
}
