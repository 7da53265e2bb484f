import table from '../domain/findings.json' with { type: 'json' };
import type { Grade, Severity } from '../domain/report/report.ts';

/** One state of a check. `cap` is the highest score that the report can have with it. */
export interface State {
  readonly severity: Severity;
  readonly points: number;
  readonly cap: number | null;
  readonly when: string;
  /** An `info` that is worth doing something about. */
  readonly suggest?: boolean;
}

/** One row of `findings.json`: all there is to say of a check but its conditions. */
export interface CheckRow {
  readonly id: string;
  readonly area: string;
  readonly family: string;
  readonly gate: string | null;
  readonly title: string;
  /** Why something is to be done. Names in braces are filled from the facts. */
  readonly fix: string;
  /** Why, where more is known of the fault, by the name that code gives the case. */
  readonly fixes?: Readonly<Record<string, string>>;
  /** What to do, by case, `fix` for the row's own, where code has no steps for it. */
  readonly do?: Readonly<Record<string, string>>;
  /** The header that it is about. */
  readonly header?: string;
  readonly reference: string;
  /** Exclusive, worst first; the last one is `pass`. */
  readonly states: readonly State[];
}

export interface FindingsCatalogue {
  readonly version: string;
  readonly areas: readonly string[];
  /** Most points that the findings of one family cost together. */
  readonly family_caps: Readonly<Record<string, number>>;
  readonly any_fail_cap: number;
  /** Lowest score of each grade. */
  readonly grades: Readonly<Record<Grade, number>>;
  /** Severities of a gate that let the checks behind it apply. */
  readonly gate_opens_on: Readonly<Record<string, readonly string[]>>;
  readonly unknown: State;
  /** What to do about records of a domain that is a provider's and not the sender's own. */
  readonly provider_domain_fixes: Readonly<
    Record<
      'from' | 'envelope',
      { readonly areas: readonly string[]; readonly fix: string; readonly do: string }
    >
  >;
  readonly checks: readonly CheckRow[];
}

/** The catalogue of findings, as `findings.json` has it. */
export const catalogue = table as FindingsCatalogue;

const rows = new Map(catalogue.checks.map((row) => [row.id, row]));

/** The row of one check; `undefined` when the catalogue has no such id. */
export const findCheckRow = (id: string): CheckRow | undefined => rows.get(id);
