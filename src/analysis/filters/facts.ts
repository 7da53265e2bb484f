/** Declares the facts about what spam filters said about an email. */

import type { FilterAction, FilterName, FilterReason } from '../../domain/report/filters.ts';

/** A filter rule that matched the email, and what we know about it. */
export interface FilterRuleFact {
  readonly name: string;
  readonly points: number;
  /** Absent for a rule that we do not know. */
  readonly known?: {
    readonly about: string;
    /** The finding about the same subject. Null if there is none. */
    readonly finding: string | null;
    /** `fault` means that the rule matches something wrong, `good` something right, and `fact` neither. */
    readonly says: 'fault' | 'good' | 'fact';
  };
}

/** The outcome of asking one filter. */
export type FilterVerdict =
  | {
      readonly status: 'checked';
      readonly version: string | null;
      readonly score: number;
      readonly threshold: number | null;
      readonly action: FilterAction | null;
      readonly rules: readonly FilterRuleFact[];
      /** Rules on the recipient's side, and those whose names cannot be shown. */
      readonly leftOut: { readonly rules: number; readonly points: number };
    }
  | { readonly status: 'not_checked'; readonly reason: FilterReason };

/** The result of one filter, or why it gave none. */
export type FilterFacts = FilterVerdict & {
  readonly name: FilterName;
  readonly runBy: 'operator' | 'caller';
};
