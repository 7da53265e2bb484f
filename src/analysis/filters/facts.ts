import type { FilterAction, FilterName, FilterReason } from '../../domain/report/filters.ts';

/** A rule of a filter that matched the email, and what we know of it. */
export interface FilterRuleFact {
  readonly name: string;
  readonly points: number;
  /** Missing: a rule that we do not know. */
  readonly known?: {
    readonly about: string;
    /** The finding about the same subject; null: there is none. */
    readonly finding: string | null;
    /** `fault`: the rule matches what is wrong; `good`: what is right; `fact`: neither. */
    readonly says: 'fault' | 'good' | 'fact';
  };
}

/** What came of asking it. */
export type FilterVerdict =
  | {
      readonly status: 'checked';
      readonly version: string | null;
      readonly score: number;
      readonly threshold: number | null;
      readonly action: FilterAction | null;
      readonly rules: readonly FilterRuleFact[];
      /** Rules of the recipient's side, and those whose names cannot be shown. */
      readonly leftOut: { readonly rules: number; readonly points: number };
    }
  | { readonly status: 'not_checked'; readonly reason: FilterReason };

/** What one filter said, or why it said nothing. */
export type FilterFacts = FilterVerdict & {
  readonly name: FilterName;
  readonly runBy: 'operator' | 'caller';
};
