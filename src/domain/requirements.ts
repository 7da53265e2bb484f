/**
 * Reads from `requirements.json` what the large mailbox providers require of senders, and which checks decide
 * whether an email meets each requirement.
 */

import type { LargeReceiver } from './receiver-actions.ts';
import type { RequirementRow } from './report/compliance.ts';
import table from './requirements.json' with { type: 'json' };

type Scope = RequirementRow['applies_to'];

/** A check whose finding must have one of the listed severities. */
interface Wanted {
  readonly id: string;
  readonly severities: readonly string[];
  /** True if the requirement is also met when the check does not apply to this email. */
  readonly orAbsent?: boolean;
}

/** One published rule of a receiver, and the checks that decide it. */
export interface Requirement {
  readonly id: string;
  readonly receiver: LargeReceiver;
  readonly scope: Scope;
  readonly text: string;
  readonly source: string;
  /** The day from which the receiver enforces the rule. */
  readonly since: string;
  /**
   * Conditions that must all hold. If the list is empty, a single email cannot show whether the rule is met.
   */
  readonly all: readonly Wanted[];
  /** Conditions of which one is enough, in addition to `all`. */
  readonly any?: readonly Wanted[];
  /**
   * True if the rule applies only to marketing and newsletters. The findings decide whether the email is one.
   */
  readonly bulkOnly?: true;
}

/** The conditions by name. For DKIM, `warn` and `info` concern additional signatures. */
const checks: Readonly<Record<string, readonly Wanted[]>> = table.checks;

type Row = Pick<Requirement, 'id' | 'receiver' | 'scope' | 'text' | 'since'> & {
  readonly bulk_only?: true;
  readonly all?: string;
  readonly any?: string;
};

/** The large mailbox providers' published requirements as of `AS_OF`, one per row. */
export const requirements: readonly Requirement[] = (table.rows as readonly Row[]).map(
  ({ all = '', any = '', bulk_only, ...row }) => ({
    ...row,
    source: table.sources[row.receiver],
    all: checks[all] ?? [],
    ...(checks[any] && { any: checks[any] }),
    ...(bulk_only && { bulkOnly: bulk_only }),
  }),
);

/** The date of the newest rule in the table. */
export const AS_OF =
  requirements
    .map(({ since }) => since)
    .sort()
    .at(-1) ?? '';
