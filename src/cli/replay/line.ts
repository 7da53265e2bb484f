import { isDeepStrictEqual } from 'node:util';
import type { ViewName } from '../../adapters/nats/streams.ts';
import { expiry } from '../../projection/deadlines.ts';
import { fold } from '../../projection/fold.ts';
import { toReportView } from '../../projection/report-view.ts';
import { type Row, toRow } from '../../projection/row.ts';
import { toStatusView } from '../../projection/status-view.ts';
import type { Source } from './source.ts';

/**
 * What is wrong with a line of a bucket. A line that is newer than the fold is not wrong. `lost`:
 * neither the copy nor the report it was made of is there.
 */
export interface LineFault {
  readonly bucket: ViewName;
  readonly key: string;
  readonly problem: 'missing' | 'stale' | 'different' | 'orphan' | 'lost';
}

/** What the log says belongs in the buckets for one test; `undefined`: nothing. */
export type Expected = { readonly status: Row; readonly reportSeq: number | null } | undefined;

/** @param now milliseconds since 1970: a copy of a report past its deletion is not expected */
export function expect(row: Row | undefined, now: number): Expected {
  if (!row) return undefined;
  return { status: row, reportSeq: now < expiry(row) ? row.context.reportSeq : null };
}

/** As `expect`, by the log as it is now. */
export async function expectedOf({ tests }: Source, id: string, now: number): Promise<Expected> {
  const events = await tests.read(id);
  const state = fold(events.map(({ event }) => event));
  return expect(toRow(state, events.at(-1)?.seq ?? 0), now);
}

type Judge = (
  source: Source,
  key: string,
  expected: Expected,
) => Promise<LineFault['problem'] | undefined>;

export const judges: Readonly<Record<ViewName, Judge>> = {
  async status({ statusViews }, key, expected) {
    const there = await statusViews.get(key);
    const wanted = expected && toStatusView(expected.status);
    if (!wanted) return there ? 'orphan' : undefined;
    if (!there) return 'missing';
    if (there.seq !== wanted.seq) return there.seq < wanted.seq ? 'stale' : undefined;
    return isDeepStrictEqual(there, wanted) ? undefined : 'different';
  },

  async reports({ reportViews, reports }, key, expected) {
    const there = await reportViews.get(key);
    const seq = expected?.reportSeq;
    // Past its deletion a copy is the eraser's business, as nobody can read it.
    if (!expected) return there ? 'orphan' : undefined;
    if (seq === null || seq === undefined) return undefined;
    if (there && there.seq !== seq) return there.seq < seq ? 'stale' : 'different';
    const written = await reports.readAt(seq);
    if (!there) return written ? 'missing' : 'lost';
    if (!written) return undefined;
    return isDeepStrictEqual(there, toReportView(seq, written.event)) ? undefined : 'different';
  },
};

/** Whether a bucket should have a line of this test. */
export const hasLine = (bucket: ViewName, expected: Expected): boolean =>
  expected !== undefined && (bucket === 'status' || expected.reportSeq !== null);

/** Writes the line of one test, unless a newer one is there; `false`: the test has no line. */
export async function write(
  { statusViews, reportViews, reports }: Source,
  { bucket, key }: Pick<LineFault, 'bucket' | 'key'>,
  expected: Expected,
): Promise<boolean> {
  if (!expected) return false;
  if (bucket === 'status') {
    await statusViews.put(key, toStatusView(expected.status));
    return true;
  }
  if (expected.reportSeq === null) return false;
  const written = await reports.readAt(expected.reportSeq);
  if (written) await reportViews.put(key, toReportView(written.seq, written.event));
  return written !== undefined;
}
