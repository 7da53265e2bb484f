import type { Finding, Severity } from '../domain/report/report.ts';
import { BLANK_LINE, isBehindBlankLine, toFix } from './advice/fix.ts';
import type { Case, Cases, Definition, Described, Held, StateShape, States } from './definition.ts';
import type { Facts } from './facts.ts';
import { createFit, type Limits } from './fit-to-schema.ts';
import { errorAsData } from './lookup-result.ts';
import { FAMILIES } from './scale.ts';

/** A state with its name. */
export interface State extends StateShape {
  readonly name: string;
}

/** The result of one check, before its gate is asked. */
export interface Verdict {
  readonly check: Check;
  /** The state that holds; null: unknown. */
  readonly state: State | null;
  readonly finding: Finding;
  /** The check, or the cause, whose fix comes first. */
  readonly waitsFor?: string;
  /** A line for `partial_errors`, when unknown. */
  readonly error?: string;
  /** Nothing of this run could learn it. */
  readonly unseen?: true;
}

export interface Check extends Described {
  readonly opensOn: readonly Severity[];
  /** Worst first; the last one is `pass`. */
  readonly states: readonly State[];
  run(facts: Facts): Verdict | undefined;
}

/** Longest detail, in characters: a record is 4 KiB at most and stands in the report already. */
const MAX_DETAIL = 600;

const cut = (text: string) =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL - 1)}…` : text;

/** The report has the whole elsewhere. */
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

/** What to put right, and how. */
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

/** Makes a check of its definition: what runs, and what the catalogue shows of it. */
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
          detail: cut(`Not known: ${lookup.error}.`),
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
