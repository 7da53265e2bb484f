import { isDeepStrictEqual } from 'node:util';
import type { ViewName } from '../../adapters/nats/streams.ts';
import { isTestId } from '../../domain/ids.ts';
import type { Projected, Projection } from '../../ports/log.ts';
import { expiry } from '../../projection/deadlines.ts';
import { fold } from '../../projection/fold.ts';
import { toReportView } from '../../projection/report-view.ts';
import { type Row, toRow } from '../../projection/row.ts';
import { toStatusView } from '../../projection/status-view.ts';
import { eachAtOnce } from './at-once.ts';
import { foldTests } from './population.ts';
import type { Progress } from './progress.ts';
import { scan } from './scan.ts';
import type { RebuildableSource, Source } from './source.ts';

/**
 * What is wrong with a line of a bucket. A line that is newer than the fold is not wrong. `lost`:
 * neither the copy nor the report it was made of is there.
 */
interface LineFault {
  readonly bucket: ViewName;
  readonly key: string;
  readonly problem: 'missing' | 'stale' | 'different' | 'orphan' | 'lost';
}

/** A bucket that is not there at all; each line it should have is missing as well. */
interface BucketFault {
  readonly bucket: ViewName;
  readonly problem: 'absent';
}

export type Fault = LineFault | BucketFault;

/** What the log says belongs in the buckets for one test; `undefined`: nothing. */
type Expected = { readonly status: Row; readonly reportSeq: number | null } | undefined;

type Views = Pick<Source, 'reports' | 'statusViews' | 'reportViews'>;

function expect(row: Row | undefined, now: number): Expected {
  if (!row) return undefined;
  return { status: row, reportSeq: now < expiry(row) ? row.context.reportSeq : null };
}

async function expectedOf({ tests }: Source, id: string, now: number): Promise<Expected> {
  const events = await tests.read(id);
  const state = fold(events.map(({ event }) => event));
  return expect(toRow(state, events.at(-1)?.seq ?? 0), now);
}

async function judgeStatus(views: Views, key: string, expected: Expected) {
  const there = await views.statusViews.get(key);
  const wanted = expected && toStatusView(expected.status);
  if (!wanted) return there ? 'orphan' : undefined;
  if (!there) return 'missing';
  if (there.seq !== wanted.seq) return there.seq < wanted.seq ? 'stale' : undefined;
  return isDeepStrictEqual(there, wanted) ? undefined : 'different';
}

async function judgeReport(views: Views, key: string, expected: Expected) {
  const there = await views.reportViews.get(key);
  const seq = expected?.reportSeq;
  // Past its deletion a copy is the eraser's business, as nobody can read it.
  if (!expected) return there ? 'orphan' : undefined;
  if (seq === null || seq === undefined) return undefined;
  if (there && there.seq !== seq) return there.seq < seq ? 'stale' : 'different';
  const written = await views.reports.readAt(seq);
  if (!there) return written ? 'missing' : 'lost';
  if (!written) return undefined;
  return isDeepStrictEqual(there, toReportView(seq, written.event)) ? undefined : 'different';
}

const judges = { status: judgeStatus, reports: judgeReport };

/** The views as they can be read: one whose bucket is absent is as an empty one. */
function readable(source: Source, absent: readonly ViewName[]): Views {
  const read = <V extends Projected>(name: ViewName, view: Projection<V>): Projection<V> =>
    absent.includes(name) ? { ...view, get: async () => undefined, keys: async () => [] } : view;
  return {
    reports: source.reports,
    statusViews: read('status', source.statusViews),
    reportViews: read('reports', source.reportViews),
  };
}

/** How long the projectors of a live service may take, in milliseconds: the copies are spread. */
const SETTLE_MS = 3500;

interface Options {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly progress: Progress;
  readonly settleMs?: number;
}

/**
 * `replay diff`: the buckets against the fold of the log. On a live service both move: what seems
 * wrong is looked at again a moment later, against the log as it is then.
 */
export async function diff(source: RebuildableSource, options: Options): Promise<readonly Fault[]> {
  const { now, progress, settleMs = SETTLE_MS } = options;
  const absent = await source.absentViews();
  const views = readable(source, absent);
  const tests = foldTests();
  await scan(source.tests, { name: 'tests', progress, onEvent: tests.add });

  const suspects: Pick<LineFault, 'bucket' | 'key'>[] = [];
  for (const bucket of ['status', 'reports'] as const) {
    const there = bucket === 'status' ? views.statusViews : views.reportViews;
    const keys = new Set([...tests.ids(), ...(await there.keys()).filter(isTestId)]);
    let done = 0;
    await eachAtOnce(keys, async (key) => {
      const problem = await judges[bucket](views, key, expect(tests.row(key), now()));
      if (problem) suspects.push({ bucket, key });
      progress(bucket, ++done, () => keys.size);
    });
  }
  const faults: Fault[] = absent.map((bucket) => ({ bucket, problem: 'absent' }));
  if (suspects.length === 0) return faults;

  await new Promise((resolve) => setTimeout(resolve, settleMs));
  let done = 0;
  await eachAtOnce(suspects, async ({ bucket, key }) => {
    const problem = await judges[bucket](views, key, await expectedOf(source, key, now()));
    if (problem) faults.push({ bucket, key, problem });
    progress(`${bucket}, again`, ++done, () => suspects.length);
  });
  return faults;
}

/** `replay rebuild`: mends what `diff` finds, all but what is lost; with `dryRun` nothing. */
export async function rebuild(
  source: RebuildableSource,
  options: Options & { readonly dryRun: boolean },
): Promise<{ readonly found: readonly Fault[]; readonly mended: number }> {
  const { now, progress, dryRun } = options;
  const found = await diff(source, options);
  if (dryRun) return { found, mended: 0 };
  await source.createViews();
  const curable = found.filter(({ problem }) => problem !== 'lost');
  let mended = 0;
  await eachAtOnce(curable, async (fault) => {
    if (fault.problem !== 'absent') await mend(source, fault, now());
    progress('mended', ++mended, () => curable.length);
  });
  return { found, mended };
}

async function mend(source: Source, fault: LineFault, now: number): Promise<void> {
  const { bucket, key, problem } = fault;
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
