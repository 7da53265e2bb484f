/** Declares the facts about how spam filters judged an email. */

import type { FilterAction, FilterName, FilterReason } from '../../domain/report/filters.ts';

/** A filter rule that matched the email, and what we know about it. */
export interface FilterRuleFact {
  readonly name: string;
  readonly points: number;
  /** The entry about the rule in our table of rules. Absent if there is none. */
  readonly known?: {
    readonly about: string;
    /** The id of our finding on the same subject. Null if there is none. */
    readonly finding: string | null;
    /**
     * `fault` if the rule matches something wrong, `good` if it matches something right, and `fact` if it
     * matches neither.
     */
    readonly says: 'fault' | 'good' | 'fact';
  };
}

/** The verdict of one filter, or the reason why it did not check the email. */
export type FilterVerdict =
  | {
      readonly status: 'checked';
      readonly version: string | null;
      readonly score: number;
      readonly threshold: number | null;
      readonly action: FilterAction | null;
      readonly rules: readonly FilterRuleFact[];
      /**
       * Number and points of the rules that are not shown, because they concern the recipient, their names
       * cannot be shown, or there are too many.
       */
      readonly leftOut: { readonly rules: number; readonly points: number };
    }
  | { readonly status: 'not_checked'; readonly reason: FilterReason };

/** The verdict of one filter, with its name and who runs it. */
export type FilterFacts = FilterVerdict & {
  readonly name: FilterName;
  readonly runBy: 'operator' | 'caller';
};
