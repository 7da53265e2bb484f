import { isDeepStrictEqual } from 'node:util';
import { isTestId } from '../../domain/ids.ts';
import { expiry } from '../../projection/deadlines.ts';
import { fold } from '../../projection/fold.ts';
import { toReportView } from '../../projection/report-view.ts';
import { type Row, toRow } from '../../projection/row.ts';
import { toStatusView } from '../../projection/status-view.ts';
import { foldTests } from './population.ts';
import { readAll } from './read-all.ts';
import type { Source } from './source.ts';

export type Bucket = 'status' | 'reports';

/** What is wrong with a line of a bucket. A line that is newer than the fold is not wrong. */
export interface Fault {
  readonly bucket: Bucket;
  readonly key: string;
  readonly problem: 'missing' | 'stale' | 'different' | 'orphan';
}

/** What the log says belongs in the buckets for one test; `undefined`: nothing. */
type Expected = { readonly status: Row; readonly reportSeq: number | null } | undefined;

function expect(row: Row | undefined, now: number): Expected {
  if (!row) return undefined;
  return { status: row, reportSeq: now < expiry(row) ? row.context.reportSeq : null };
}

async function expectedOf({ tests }: Source, id: string, now: number): Promise<Expected> {
  const events = await tests.read(id);
  const state = fold(events.map(({ event }) => event));
  return expect(toRow(state, events.at(-1)?.seq ?? 0), now);
}

async function judgeStatus(source: Source, key: string, expected: Expected) {
  const [there, wanted] = [
    await source.statusViews.get(key),
    expected && toStatusView(expected.status),
  ];
  if (!wanted) return there ? 'orphan' : undefined;
  if (!there) return 'missing';
  if (there.seq !== wanted.seq) return there.seq < wanted.seq ? 'stale' : undefined;
  return isDeepStrictEqual(there, wanted) ? undefined : 'different';
}

async function judgeReport(source: Source, key: string, expected: Expected) {
  const there = await source.reportViews.get(key);
  const seq = expected?.reportSeq;
  // Past its deletion a copy is the eraser's business, as nobody can read it.
  if (!expected) return there ? 'orphan' : undefined;
  if (seq === null || seq === undefined) return undefined;
  if (!there) return 'missing';
  if (there.seq !== seq) return there.seq < seq ? 'stale' : 'different';
  const written = await source.reports.readAt(seq);
  if (!written) return undefined;
  return isDeepStrictEqual(there, toReportView(seq, written.event)) ? undefined : 'different';
}

const judges = { status: judgeStatus, reports: judgeReport };
const buckets: readonly Bucket[] = ['status', 'reports'];

/** How long the projectors of a live service may take, in milliseconds: the copies are spread. */
const SETTLE_MS = 3500;

/**
 * `replay diff`: the buckets against the fold of the log. On a live service both move: what seems
 * wrong is looked at again a moment later, against the log as it is then.
 */
export async function diff(
  source: Source,
  now: () => number,
  settleMs = SETTLE_MS,
): Promise<readonly Fault[]> {
  const { states } = foldTests((await readAll(source.tests)).events);
  const faults: Fault[] = [];
  for (const bucket of buckets) {
    const views = bucket === 'status' ? source.statusViews : source.reportViews;
    const keys = (await views.keys()).filter(isTestId);
    for (const key of new Set([...states.keys(), ...keys])) {
      const known = states.get(key);
      const expected = known && expect(toRow(known.state, known.seq), now());
      const problem = await judges[bucket](source, key, expected);
      if (problem) faults.push({ bucket, key, problem });
    }
  }
  if (faults.length === 0) return [];
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const still: Fault[] = [];
  for (const { bucket, key } of faults) {
    const problem = await judges[bucket](source, key, await expectedOf(source, key, now()));
    if (problem) still.push({ bucket, key, problem });
  }
  return still;
}

/** `replay rebuild`: mends what `diff` finds. Gives what was mended, or would have been. */
export async function rebuild(
  source: Source,
  now: () => number,
  { dryRun, settleMs }: { readonly dryRun: boolean; readonly settleMs?: number },
): Promise<readonly Fault[]> {
  const faults = await diff(source, now, settleMs);
  if (!dryRun) for (const fault of faults) await mend(source, fault, now());
  return faults;
}

async function mend(source: Source, { bucket, key, problem }: Fault, now: number): Promise<void> {
  const { statusViews, reportViews, reports } = source;
  const expected = await expectedOf(source, key, now);
  // A different value of the same sequence would not be replaced by a put.
  if (!expected || problem === 'different')
    await (bucket === 'status' ? statusViews : reportViews).erase(key);
  if (!expected) return;
  if (bucket === 'status') {
    await statusViews.put(key, toStatusView(expected.status));
    return;
  }
  const written =
    expected.reportSeq === null ? undefined : await reports.readAt(expected.reportSeq);
  if (written) await reportViews.put(key, toReportView(written.seq, written.event));
}
