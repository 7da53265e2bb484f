import { createHash, randomUUID } from 'node:crypto';
import type { ReportWritten, TestEvent, TestEventOf } from '../../domain/events.ts';
import type { Report } from '../../domain/report/report.ts';
import type { StatusView } from '../../domain/status-view.ts';
import { expiry } from '../../projection/deadlines.ts';
import { fold } from '../../projection/fold.ts';
import { originalEvents } from '../../projection/original-events.ts';
import { toReportView } from '../../projection/report-view.ts';
import { REPAIR, restoreTest, type StoredReport } from '../../projection/restore-test.ts';
import { toRow } from '../../projection/row.ts';
import { toStatusView } from '../../projection/status-view.ts';
import { eachAtOnce } from './concurrently.ts';
import { type DamagedHistory, findDamagedTests } from './damage.ts';
import { type FoldedTests, foldTests } from './population.ts';
import type { Progress } from './progress.ts';
import type { RebuildableSource, Source } from './source.ts';

/** What became of one damaged history. `why`: what keeps it from being repaired. */
export interface Repair extends DamagedHistory {
  readonly repaired: boolean;
  readonly why?: string;
}

export interface RepairOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly progress: Progress;
  /** Changes nothing; says what could be repaired. */
  readonly dryRun: boolean;
}

/** Every damaged test, and every report that is not where its test says. */
export async function repairTests(
  source: RebuildableSource,
  options: RepairOptions,
): Promise<readonly Repair[]> {
  const { now, progress } = options;
  const tests = foldTests();
  const { damaged, lines } = await findDamagedTests(source, {
    now: now(),
    progress,
    onEvent: tests.add,
  });
  const withoutReport = await findLostReports(source, tests, options);
  const repairs: Repair[] = [];
  for (const one of [...damaged, ...withoutReport.filter((id) => !isIn(damaged, id)).map(lost)]) {
    const id = idOf(one.subject);
    const why = await repairTest(source, id, lines.get(id), options);
    repairs.push({ ...one, repaired: why === undefined, ...(why !== undefined && { why }) });
    progress('repaired', repairs.length, () => damaged.length + withoutReport.length);
  }
  return repairs;
}

const idOf = (subject: string) => subject.slice(subject.indexOf('.') + 1);
const isIn = (damaged: readonly DamagedHistory[], id: string) =>
  damaged.some(({ subject }) => idOf(subject) === id);
const lost = (id: string): DamagedHistory => ({
  subject: `reports.${id}`,
  problem: 'hole',
  seq: 0,
});

/** Tests in `ready` whose report is not at its place. */
async function findLostReports(
  { reports }: Source,
  tests: FoldedTests,
  { now, progress }: RepairOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  let read = 0;
  await eachAtOnce(tests.ids(), async (id) => {
    const row = tests.row(id);
    const seq = row?.status === 'ready' && now() < expiry(row) ? row.context.reportSeq : null;
    if (seq !== null && !(await reports.readAt(seq))) found.push(id);
    progress('reports', ++read, () => read);
  });
  return found;
}

/** Gives why not; `undefined`: it is repaired, or there is nothing to repair any more. */
async function repairTest(
  source: Source,
  id: string,
  known: StatusView | undefined,
  { now, dryRun }: RepairOptions,
): Promise<string | undefined> {
  const { tests, statusViews, reportViews } = source;
  const { events: left, end } = await tests.readRemains(id);
  const events = left.map(({ event }) => event);
  if (fold(events).value === 'expired') return undefined;
  const line = known && known.seq >= end ? known : undefined;
  const report = await findReport(source, id, events, dryRun);
  const restored = restoreTest(events, { line, report, newId: randomUUID });
  if ('missing' in restored) return `nothing else holds it: ${restored.missing}`;
  if (dryRun) return 'it can be repaired: this was a dry run';

  const at = new Date(now()).toISOString();
  const envelope = { v: 1, id: randomUUID(), type: 'HistoryRestored', at, by: REPAIR } as const;
  const event: TestEvent = { ...envelope, data: { events: [...restored.events] } };
  const appended = await tests.append(id, event, end);
  if (appended.outcome !== 'appended') return `its repair could not be stored: ${appended.outcome}`;
  const row = toRow(fold(restored.events), appended.seq);
  if (!row) return undefined;
  // Where the stream was cut, the line is of a place that is yet to come.
  if (known && known.seq > appended.seq) await statusViews.erase(id);
  await statusViews.put(id, toStatusView(row));
  if (report && row.status === 'ready') await copyReport();
  return undefined;

  async function copyReport(): Promise<void> {
    const copied = await reportViews.get(id);
    if (copied?.seq === report?.seq || !report) return;
    if (copied) await reportViews.erase(id);
    await reportViews.put(id, { seq: report.seq, report: report.report });
  }
}

/** The report that the test names, or the newest: from its stream, else from its copy. */
async function findReport(
  { reports, reportViews }: Source,
  id: string,
  events: readonly TestEvent[],
  dryRun: boolean,
): Promise<StoredReport | undefined> {
  const wanted = originalEvents(events).findLast(({ type }) => type === 'AnalysisDone') as
    | TestEventOf<'AnalysisDone'>
    | undefined;
  const fits = (report: Report) => !wanted || wanted.data.report_sha256 === sha256Of(report);
  const { events: written, end } = await reports.readRemains(id);
  const stored = written.findLast(({ event }) => fits(event.data.report));
  if (stored) {
    const { report, created } = stored.event.data;
    return { ...toStored(stored.seq, report), created };
  }
  const copy = await reportViews.get(id);
  if (!copy || !fits(copy.report)) return undefined;
  if (dryRun) return toStored(Number.MAX_SAFE_INTEGER, copy.report);
  const { report } = copy;
  const event: ReportWritten = {
    ...{ v: 1, id: randomUUID(), type: 'ReportWritten', by: REPAIR },
    at: report.analyzed_at ?? report.received_at,
    data: { report },
  };
  const appended = await reports.append(id, event, end);
  if (appended.outcome !== 'appended') return undefined;
  return toStored(appended.seq, toReportView(appended.seq, event).report);
}

const toStored = (seq: number, report: Report): StoredReport => ({
  seq,
  report,
  sha256: sha256Of(report),
});

const sha256Of = (report: Report) =>
  createHash('sha256').update(JSON.stringify(report)).digest('hex');
