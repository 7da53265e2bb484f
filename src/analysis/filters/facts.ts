/** Declares the facts about how spam filters judged an email. */

import type { FilterAction, FilterName, FilterReason } from '../../domain/report/filters.ts';

/** A filter rule that matched the email, and what we know about it. */
export interface FilterRuleFact {
  readonly name: string;
  readonly points: number;
  /** What our table says about the rule. Absent if the rule is not in it. */
  readonly known?: {
    readonly about: string;
    /** The id of our finding on the same subject. Null if there is none. */
    readonly finding: string | null;
    /** Whether the rule matches something wrong (`fault`), something right (`good`), or neither (`fact`). */
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
