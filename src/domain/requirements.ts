import type { LargeReceiver } from './receiver-actions.ts';
import type { RequirementRow } from './report/compliance.ts';
import table from './requirements.json' with { type: 'json' };

type Scope = RequirementRow['applies_to'];

/** A check whose finding must be at one of the severities. */
interface Wanted {
  readonly id: string;
  readonly severities: readonly string[];
  /** The check may not apply to this mail, and is then not in the way. */
  readonly orAbsent?: boolean;
}

/** One published rule of a receiver, and the checks that decide it. */
export interface Requirement {
  readonly id: string;
  readonly receiver: LargeReceiver;
  readonly scope: Scope;
  readonly text: string;
  readonly source: string;
  /** Day from which the receiver applies it. */
  readonly since: string;
  /** All must hold. None: one mail cannot show it. */
  readonly all: readonly Wanted[];
  /** One of them is enough, besides `all`. */
  readonly any?: readonly Wanted[];
  /** Asked of marketing and newsletters only: the findings judge whether the email is one. */
  readonly bulkOnly?: true;
}

/** What has to hold, by name. Of DKIM, `warn` and `info` are about further signatures. */
const checks: Readonly<Record<string, readonly Wanted[]>> = table.checks;

type Row = Pick<Requirement, 'id' | 'receiver' | 'scope' | 'text' | 'since'> & {
  readonly bulk_only?: true;
  readonly all?: string;
  readonly any?: string;
};

/** What the large mailbox providers publish, as of `AS_OF`: a row a requirement. */
export const requirements: readonly Requirement[] = (table.rows as readonly Row[]).map(
  ({ all = '', any = '', bulk_only, ...row }) => ({
    ...row,
    source: table.sources[row.receiver],
    all: checks[all] ?? [],
    ...(checks[any] && { any: checks[any] }),
    ...(bulk_only && { bulkOnly: bulk_only }),
  }),
);

/** The newest rule in the table is of this day. */
export const AS_OF =
  requirements
    .map(({ since }) => since)
    .sort()
    .at(-1) ?? '';
