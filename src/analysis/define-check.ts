import type { Finding, Severity } from '../domain/report/report.ts';
import type { Others, Step } from './advice/actions.ts';
import type { Values } from './advice/fill.ts';
import { toFix } from './advice/fix.ts';
import { type CheckRow, catalogue, findCheckRow, type State } from './catalogue.ts';
import type { Facts } from './facts.ts';
import type { LookupResult } from './lookup-result.ts';

/** A state's severity and when it holds. Its place in the ladder is its place in the catalogue. */
export type Rung<S> = readonly [
  severity: Exclude<Severity, 'pass'>,
  holds: (subject: S, facts: Facts) => boolean,
];

export interface Definition<S> {
  readonly id: string;
  /** What is judged; `undefined`: the check does not apply to this mail. */
  readonly subject: (facts: Facts) => LookupResult<S> | undefined;
  /** Worst first, one rung for each state but the last: when none holds, the check passes. */
  readonly ladder: readonly Rung<S>[];
  /** The value measured and the limit. */
  readonly detail?: (subject: S, facts: Facts) => string;
  /** Which of the row's `fixes` hold here, in their order, `fix` for its own; none: its `fix`. */
  readonly fixes?: (subject: S, facts: Facts) => readonly string[];
  /** The check, or the cause, whose fix comes first: without it this one's cannot be followed. */
  readonly waitsFor?: (subject: S, facts: Facts) => string | undefined;
  /** Sentences behind the reasons, on what the steps change. */
  readonly more?: (subject: S, facts: Facts) => string;
  /**
   * What to do in one of the cases, as data; the text is rendered from it. None: the catalogue's
   * instruction (`do`).
   */
  readonly steps?: (subject: S, facts: Facts, name: string) => readonly Step[] | undefined;
  /** The fix where it is somebody else's to make; `undefined`: the reader's own. */
  readonly others?: (subject: S, facts: Facts) => Others | undefined;
  /** What is to be put right: findings with one cause go with one fix. None: the check's own. */
  readonly cause?: (subject: S, facts: Facts) => string;
  /** For the braces of the catalogue's sentences, besides the names that all checks share. */
  readonly values?: (subject: S, facts: Facts) => Values;
}

/** The result of one check, before its gate is asked. */
export interface Verdict {
  readonly row: CheckRow;
  /** The state that holds; null: unknown. */
  readonly state: State | null;
  readonly points: number;
  readonly cap: number | null;
  readonly finding: Finding;
  /** The check, or the cause, whose fix comes first. */
  readonly waitsFor?: string;
  /** A line for `partial_errors`, when unknown. */
  readonly error?: string;
  /** Unknown, and nothing of this run could learn it. */
  readonly unseen?: true;
}

export interface Check {
  readonly id: string;
  readonly ladder: readonly Severity[];
  run(facts: Facts): Verdict | undefined;
}

/** Longest detail, in characters: a record is 4 KiB at most and stands in the report already. */
const MAX_DETAIL = 600;

const cut = (text: string) =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL - 1)}…` : text;

/** What to put right, and how. */
const remedyOf = <S>(
  { id, ...definition }: Definition<S>,
  row: CheckRow,
  value: S,
  facts: Facts,
) => ({
  cause: definition.cause?.(value, facts) ?? id,
  ...toFix(row, facts, {
    cases: definition.fixes?.(value, facts) ?? [],
    values: definition.values?.(value, facts) ?? {},
    more: definition.more?.(value, facts) ?? '',
    steps: (name) => definition.steps?.(value, facts, name),
    others: definition.others?.(value, facts),
  }),
});

/** A check: a ladder over facts. Title, fixes, points and caps are the catalogue's. */
export function defineCheck<S>(definition: Definition<S>): Check {
  const { id, subject, ladder, detail, waitsFor } = definition;
  const row = findCheckRow(id);
  if (!row) throw new Error(`findings.json has no check ${id}`);
  const { area, title } = row;

  return {
    id,
    ladder: [...ladder.map(([severity]) => severity), 'pass'],
    run(facts) {
      const lookup = subject(facts);
      if (!lookup) return undefined;

      if (lookup.status === 'unknown') {
        const { severity, points, cap } = catalogue.unknown;
        const { error, unseen } = lookup;
        const detail = cut(`Not known: ${error}.`);
        const finding = { id, area, severity, unknown: true, title, detail };
        return { row, state: null, points, cap, finding, error, ...(unseen && { unseen }) };
      }

      const { value } = lookup;
      const rung = ladder.findIndex(([, holds]) => holds(value, facts));
      const state = row.states.at(rung);
      if (!state) throw new Error(`findings.json has no state ${rung} of ${id}`);

      const toDo = state.severity === 'fail' || state.severity === 'warn' || state.suggest;
      const finding: Finding = {
        id,
        area,
        severity: state.severity,
        title,
        ...(detail && { detail: cut(detail(value, facts)) }),
        ...(toDo && remedyOf(definition, row, value, facts)),
      };
      const first = waitsFor?.(value, facts);
      return {
        row,
        state,
        points: state.points,
        cap: state.cap,
        finding,
        ...(first !== undefined && { waitsFor: first }),
      };
    },
  };
}
