/** Lists what the large mailbox providers require of senders, and the checks that decide each. */

import type { LargeReceiver } from './receiver-actions.ts';
import type { RequirementRow } from './report/compliance.ts';
import table from './requirements.json' with { type: 'json' };

type Scope = RequirementRow['applies_to'];

/** A check whose finding must have one of these severities. */
interface Wanted {
  readonly id: string;
  readonly severities: readonly string[];
  /** If true, it does not matter that the check does not apply to this email. */
  readonly orAbsent?: boolean;
}

/** One published rule of a receiver, and the checks that decide it. */
export interface Requirement {
  readonly id: string;
  readonly receiver: LargeReceiver;
  readonly scope: Scope;
  readonly text: string;
  readonly source: string;
  /** The day from which the receiver applies it. */
  readonly since: string;
  /** All of these must hold. If the list is empty, one email cannot show it. */
  readonly all: readonly Wanted[];
  /** One of these is enough, in addition to `all`. */
  readonly any?: readonly Wanted[];
  /** Required only of marketing and newsletters: the findings judge whether the email is one. */
  readonly bulkOnly?: true;
}

/** Conditions by name. For DKIM, `warn` and `info` concern additional signatures. */
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
