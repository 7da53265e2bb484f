/** Judges whether a configured spam filter works and is fast enough. */

import { filterTitle } from '../../domain/report/filter-words.mjs';
import type { FilterName } from '../../domain/report/filters.ts';
import { FILTER_MS, type FilterAnswer } from '../../ports/filters.ts';
import { type Diagnosis, examined } from './diagnosis.ts';

/** Response time in milliseconds from which a filter is too slow. */
const SLOW_MS = FILTER_MS / 2;

const SETTING: Readonly<Record<FilterName, string>> = {
  spamassassin: 'SPAMD_ADDRESS',
  rspamd: 'RSPAMD_URL',
};

const UNSEEN =
  'could not check whether it logs, stores, learns from or passes on emails (docs/filters.md has a setup that does not)';

/**
 * @param found what the filter said about our test email, and after how long; or why its answer cannot be
 * read
 */
export function judgeFilter(
  name: FilterName,
  found:
    | { readonly answer: FilterAnswer; readonly milliseconds: number }
    | { readonly fault: string },
): Diagnosis {
  const { ok, warn, fail } = examined(`spam filter of ${SETTING[name]}`);
  if ('fault' in found)
    return fail(
      `${found.fault}; reports say that it was not checked`,
      `Start it, or set ${SETTING[name]} to the address where it listens (docs/filters.md).`,
    );
  const { answer, milliseconds } = found;
  const version = answer.version ?? undefined;
  const what = filterTitle({
    ...{ name, run_by: 'operator', status: 'checked' },
    ...(version && { version }),
  });
  const said = `${what} responds after ${Math.round(milliseconds)} ms; ${UNSEEN}`;
  return milliseconds < SLOW_MS
    ? ok(said)
    : warn(
        said,
        `Give it more processes or a faster machine: a filter that takes longer than ${FILTER_MS / 1000} s counts as not checked.`,
      );
}
