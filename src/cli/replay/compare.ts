import type { ViewName } from '../../adapters/nats/streams.ts';
import { isTestId } from '../../domain/ids.ts';
import { eachAtOnce } from './concurrently.ts';
import { type DamagedHistory, findDamagedTests } from './damage.ts';
import { expect, expectedOf, hasLine, judges, type LineFault, write } from './line.ts';
import { type FoldedTests, foldTests } from './population.ts';
import type { Progress } from './progress.ts';
import type { RebuildableSource, Source } from './source.ts';

/** A bucket that is not there at all, and how many lines it should have. */
interface BucketFault {
  readonly bucket: ViewName;
  readonly problem: 'absent';
  readonly lines: number;
}

export type Fault = LineFault | BucketFault | DamagedHistory;

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
  const { damaged, absent, lines } = await compare(source, options);
  return [...damaged, ...absent, ...lines];
}

/**
 * `replay rebuild`: corrects what `diff` finds, all but what is lost; with `dryRun` nothing. While
 * a history is damaged nothing is erased or replaced: a bucket may be what still knows a test.
 */
export async function rebuild(
  source: RebuildableSource,
  options: Options & { readonly dryRun: boolean },
): Promise<{ readonly found: readonly Fault[]; readonly corrected: number }> {
  const { now, progress, dryRun } = options;
  const { damaged, tests, absent, lines } = await compare(source, options);
  const found = [...damaged, ...absent, ...lines];
  const frozen = new Set(damaged.map(({ subject }) => idOf(subject)));
  if (dryRun) return { found, corrected: 0 };

  let corrected = 0;
  await source.createViews();
  for (const { bucket, lines: total } of absent)
    await eachAtOnce(tests.ids(), async (key) => {
      if (frozen.has(key)) return;
      if (!(await write(source, { bucket, key }, expect(tests.row(key), now())))) return;
      progress(`${bucket} corrected`, ++corrected, () => total);
    });
  const correctable = lines.filter(({ problem }) =>
    damaged.length > 0 ? problem === 'missing' || problem === 'stale' : problem !== 'lost',
  );
  await eachAtOnce(correctable, async (fault) => {
    await correct(source, fault, now());
    progress('lines corrected', ++corrected, () => correctable.length);
  });
  return { found, corrected };
}

const idOf = (subject: string) => subject.slice(subject.indexOf('.') + 1);

interface Comparison {
  readonly damaged: readonly DamagedHistory[];
  readonly tests: FoldedTests;
  readonly absent: readonly BucketFault[];
  readonly lines: readonly LineFault[];
}

async function compare(source: RebuildableSource, options: Options): Promise<Comparison> {
  const { now, progress, settleMs = SETTLE_MS } = options;
  const absent = await source.absentViews();
  const tests = foldTests();
  const { damaged } = await findDamagedTests(source, {
    now: now(),
    progress,
    onEvent: tests.add,
  });
  const frozen = new Set(damaged.map(({ subject }) => idOf(subject)));

  const suspects: Pick<LineFault, 'bucket' | 'key'>[] = [];
  for (const bucket of ['status', 'reports'] as const) {
    if (absent.includes(bucket)) continue;
    const there = bucket === 'status' ? source.statusViews : source.reportViews;
    const keys = new Set([...tests.ids(), ...(await there.keys()).filter(isTestId)]);
    let done = 0;
    await eachAtOnce(keys, async (key) => {
      if (frozen.has(key)) return;
      const problem = await judges[bucket](source, key, expect(tests.row(key), now()));
      if (problem) suspects.push({ bucket, key });
      progress(bucket, ++done, () => keys.size);
    });
  }
  if (suspects.length > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
  const lines: LineFault[] = [];
  let done = 0;
  await eachAtOnce(suspects, async ({ bucket, key }) => {
    const problem = await judges[bucket](source, key, await expectedOf(source, key, now()));
    if (problem) lines.push({ bucket, key, problem });
    progress('checked again', ++done, () => suspects.length);
  });
  return { damaged, tests, absent: absent.map((bucket) => toFault(bucket, tests, now())), lines };
}

function toFault(bucket: ViewName, tests: FoldedTests, now: number): BucketFault {
  let lines = 0;
  for (const id of tests.ids()) if (hasLine(bucket, expect(tests.row(id), now))) lines++;
  return { bucket, problem: 'absent', lines };
}

async function correct(source: Source, fault: LineFault, now: number): Promise<void> {
  const expected = await expectedOf(source, fault.key, now);
  const view = fault.bucket === 'status' ? source.statusViews : source.reportViews;
  // A different value of the same sequence would not be replaced by a put.
  if (!expected || fault.problem === 'different') await view.erase(fault.key);
  await write(source, fault, expected);
}
