/** Builds checks from their definitions. A check judges the facts of an email and returns its verdict. */

import type { Finding, Severity } from '../domain/report/report.ts';
import { BLANK_LINE, isBehindBlankLine, toFix } from './advice/fix.ts';
import type { Case, Cases, Definition, Described, Held, StateShape, States } from './definition.ts';
import type { Facts } from './facts.ts';
import { createFit, type Limits } from './fit-to-schema.ts';
import { errorAsData } from './lookup-result.ts';
import { FAMILIES } from './scale.ts';

/** A possible result of a check, with its name. */
export interface State extends StateShape {
  readonly name: string;
}

/** The result of one check on one email, regardless of whether its gate hides it. */
export interface Verdict {
  readonly check: Check;
  /** The state of the check that applies. Null if the result is unknown. */
  readonly state: State | null;
  readonly finding: Finding;
  /** The id of the check, or the cause, that must be fixed first. */
  readonly waitsFor?: string;
  /** The error to list in `partial_errors`, if the state is unknown. */
  readonly error?: string;
  /** True if no part of this run could have found out the result. */
  readonly unseen?: true;
}

export interface Check extends Described {
  readonly opensOn: readonly Severity[];
  /** The possible states, worst first. The last one is `pass`. */
  readonly states: readonly State[];
  run(facts: Facts): Verdict | undefined;
}

/**
 * Maximum length of a finding's detail, in characters. A record can be 4 KiB long, and the report already
 * contains it elsewhere.
 */
const MAX_DETAIL = 600;

const cut = (text: string) =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL - 1)}…` : text;

/**
 * Limits on the evidence of one finding. Evidence may be cut, because the report contains the same values in
 * full elsewhere.
 */
const EVIDENCE: Limits = { items: 20, characters: 300 };

const fitEvidence = createFit({ additionalProperties: { items: {} } });

const condition = (shape: Omit<StateShape, 'when'>) => ({
  when: <S>(when: string, holds: Held<S>['holds']): Held<S> => ({ ...shape, when, holds }),
});

const statesOf = <S>(): States<S> => ({
  fail: (points, cap) => condition({ severity: 'fail', points, cap: cap ?? null }),
  warn: (points, cap) => condition({ severity: 'warn', points, cap: cap ?? null }),
  suggest: condition({ severity: 'info', points: 0, cap: null, suggest: true }),
  info: condition({ severity: 'info', points: 0, cap: null }),
  pass: (when) => condition({ severity: 'pass', points: 0, cap: null }).when(when, () => true),
});

/** Returns the cause of a finding, together with its fix. */
const remedyOf = <S>(
  one: Check,
  definition: Definition<S, Case | string, Cases>,
  value: S,
  facts: Facts,
) => ({
  cause: isBehindBlankLine(one, facts) ? BLANK_LINE : (definition.cause?.(value, facts) ?? one.id),
  ...toFix(one, facts, {
    cases: definition.cases?.(value, facts) ?? [],
    values: definition.values?.(value, facts) ?? {},
    more: definition.more?.(value, facts) ?? '',
    steps: (name) => definition.steps?.(value, facts, name),
    others: definition.others?.(value, facts),
  }),
});

const caseOf = (one: Case | string): Case => (typeof one === 'string' ? { why: one } : one);

const casesOf = (cases: Cases) =>
  Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, caseOf(one)]));

/**
 * Builds a check from its definition: a function that judges the facts, and the data that the catalogue
 * shows.
 */
export function check<
  S,
  const U extends Case | string,
  const F extends Cases = Record<never, string>,
>(definition: Definition<S, U, F>): Check {
  const { id, family, gate, title, header, source, about } = definition;
  const { area } = FAMILIES[family];
  const rungs = Object.entries(definition.states(statesOf<S>())).map(
    ([name, { holds, ...shape }]) => ({
      state: { name, ...shape },
      holds,
    }),
  );

  const one: Check = {
    ...{ id, area, family, title, source, about },
    fixes: { ...casesOf(definition.fixes ?? {}), fix: caseOf(definition.fix) },
    ...(gate !== undefined && { gate }),
    ...(header !== undefined && { header }),
    opensOn: definition.opensOn ?? ['pass'],
    states: rungs.map(({ state }) => state),
    run(facts) {
      const lookup = definition.subject(facts);
      if (!lookup) return undefined;

      if (lookup.status === 'unknown') {
        const finding: Finding = {
          ...{ id, area, severity: 'info', title, checked: false },
          detail: cut(`Unknown: ${lookup.error}.`),
          error: errorAsData(lookup.error),
        };
        const { error, unseen } = lookup;
        return { check: one, state: null, finding, error, ...(unseen && { unseen }) };
      }

      const { value } = lookup;
      const state = rungs.find(({ holds }) => holds(value, facts))?.state;
      if (!state) throw new Error(`no state of ${id} holds`);

      const toDo = state.severity === 'fail' || state.severity === 'warn' || state.suggest;
      const { detail } = definition;
      const finding: Finding = {
        id,
        area,
        severity: state.severity,
        state: state.name,
        checked: true,
        title,
        ...(detail && { detail: cut(detail(value, facts)) }),
        evidence: fitEvidence(definition.evidence(value, facts), EVIDENCE).value,
        ...(toDo && remedyOf(one, definition, value, facts)),
      };
      const waitsFor = definition.waitsFor?.(value, facts);
      return { check: one, state, finding, ...(waitsFor !== undefined && { waitsFor }) };
    },
  };
  return one;
}
