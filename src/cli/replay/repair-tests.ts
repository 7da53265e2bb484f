import { createHash, randomUUID } from 'node:crypto';
import {
  isEnd,
  type OriginalTestEvent,
  type ReportWritten,
  type TestEvent,
  type TestEventOf,
} from '../../domain/events.ts';
import type { Report } from '../../domain/report/report.ts';
import type { StatusView } from '../../domain/status-view.ts';
import type { Appended, EventLog, Recorded } from '../../ports/log.ts';
import { expiry } from '../../projection/deadlines.ts';
import { fold } from '../../projection/fold.ts';
import { originalEvents } from '../../projection/original-events.ts';
import { toReportView } from '../../projection/report-view.ts';
import { REPAIR, restoreTest, type StoredReport } from '../../projection/restore-test.ts';
import { toRow } from '../../projection/row.ts';
import { toStatusView } from '../../projection/status-view.ts';
import { eachAtOnce, patiently } from './concurrently.ts';
import { type DamagedHistory, findDamagedTests, toDamaged } from './damage.ts';
import { findLostOnNodes, findReportsLostOnNodes, type LostOnNodes } from './node-losses.ts';
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
  const onNodes = {
    tests: await findLostOnNodes(source.tests),
    reports: await findReportsLostOnNodes(source),
  };
  const found = [
    ...damaged,
    ...toDamaged('tests', onNodes.tests),
    ...(await findLostReports(source, tests, options)).map(lost),
    ...toDamaged('reports', onNodes.reports),
  ];
  const repairs: Repair[] = [];
  for (const [id, one] of new Map(found.toReversed().map((one) => [idOf(one.subject), one]))) {
    const known = {
      line: lines.get(id),
      test: onNodes.tests.get(id),
      report: onNodes.reports.get(id),
    };
    // A leader may be elected meanwhile.
    const why = await patiently(() => repairTest(source, id, known, options));
    repairs.push({ ...one, repaired: why === undefined, ...(why !== undefined && { why }) });
    progress('repaired', repairs.length, () => found.length);
  }
  return repairs;
}

/** What is known of a test besides what the log shows at its leader. */
interface Known {
  readonly line: StatusView | undefined;
  readonly test: LostOnNodes<TestEvent> | undefined;
  readonly report: LostOnNodes<ReportWritten> | undefined;
}

const idOf = (subject: string) => subject.slice(subject.indexOf('.') + 1);
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

const NOWHERE = 'nothing else holds it';

/** What this release does not know may be what the test has ended with, or was paid by. */
export const NEWER = 'a newer release has written a part of it: repair with that one';

/** Gives why not; `undefined`: it is repaired, or there is nothing to repair any more. */
async function repairTest(
  source: Source,
  id: string,
  known: Known,
  { now, dryRun }: RepairOptions,
): Promise<string | undefined> {
  const { tests, statusViews, reportViews } = source;
  const { events: left, end, damage } = await tests.readRemains(id);
  const united = known.test?.united ?? left;
  const events = united.map(({ event }) => event);
  const lastRead = united.at(-1)?.seq ?? 0;
  const last = Math.max(end, lastRead);
  const ended = events.findLast(({ type }) => isEnd(type));
  if (ended) return known.test && store({ ...ended, id: randomUUID() });
  const line = known.line && known.line.seq >= last ? known.line : undefined;
  const report = await findReport(source, id, events, { lost: known.report?.lost ?? [], dryRun });
  // A report without any event of its test: those were lost, the end it may have had among them.
  const isWhole =
    united.length > 0 && (known.test?.isWhole ?? !damage) && !(line && line.seq > last);
  if (!isWhole && damage?.problem === 'newer') return NEWER;
  if (!isWhole && (end === 0 || lastRead < last) && !line)
    return `${NOWHERE}: its last event, which may be its deletion`;
  const restored =
    (isWhole && withReport(originalEvents(events), report)) ||
    restoreTest(events, { line, report, newId: randomUUID });
  if ('missing' in restored) return `${NOWHERE}: ${restored.missing}`;
  const at = new Date(now()).toISOString();
  const envelope = { v: 1, id: randomUUID(), type: 'HistoryRestored', at, by: REPAIR } as const;
  return store({ ...envelope, data: { events: [...restored.events] } }, async (seq) => {
    const row = toRow(fold(restored.events), seq);
    if (!row) return;
    // Where the stream was cut, the line is of a place that is yet to come.
    if (known.line && known.line.seq > seq) await statusViews.erase(id);
    await statusViews.put(id, toStatusView(row));
    if (report && row.status === 'ready') await copyReport();
  });

  async function store(
    event: TestEvent,
    then = async (_seq: number): Promise<void> => {},
  ): Promise<string | undefined> {
    if (dryRun) return 'it can be repaired: this was a dry run';
    const appended = await appendAfter(tests, id, event, [end, last]);
    if (appended.outcome !== 'appended')
      return `its repair could not be stored: ${appended.outcome}`;
    await then(appended.seq);
    return undefined;
  }

  async function copyReport(): Promise<void> {
    const copied = await reportViews.get(id);
    if (copied?.seq === report?.seq || !report) return;
    if (copied) await reportViews.erase(id);
    await reportViews.put(id, { seq: report.seq, report: report.report });
  }
}

/** A history of which nothing is missing, with the place of its report as it is now. */
function withReport(
  events: readonly OriginalTestEvent[],
  report: StoredReport | undefined,
): { readonly events: readonly OriginalTestEvent[] } | undefined {
  if (!report) return fold(events).value === 'ready' ? undefined : { events };
  return {
    events: events.map((one) =>
      one.type === 'AnalysisDone' && one.data.report_sha256 === report.sha256
        ? { ...one, data: { ...one.data, report_seq: report.seq } }
        : one,
    ),
  };
}

/** The report that the test names, or the newest: from its stream, else from its copy. */
async function findReport(
  { reports, reportViews }: Source,
  id: string,
  events: readonly TestEvent[],
  { lost, dryRun }: { readonly lost: readonly Recorded<ReportWritten>[]; readonly dryRun: boolean },
): Promise<StoredReport | undefined> {
  const wanted = originalEvents(events).findLast(({ type }) => type === 'AnalysisDone') as
    | TestEventOf<'AnalysisDone'>
    | undefined;
  const fits = (report: Report) => !wanted || wanted.data.report_sha256 === sha256Of(report);
  const { events: written, end } = await reports.readRemains(id);
  const stored = written.findLast(({ event }) => fits(event.data.report));
  if (stored && !lost.some(({ seq }) => seq === stored.seq)) {
    const { report, created } = stored.event.data;
    return { ...toStored(stored.seq, report), created };
  }
  const data = lost.find(({ event }) => fits(event.data.report))?.event.data ?? (await copied());
  if (!data) return undefined;
  const { report } = data;
  if (dryRun) return toStored(Number.MAX_SAFE_INTEGER, report);
  const event: ReportWritten = {
    ...{ v: 1, id: randomUUID(), type: 'ReportWritten', by: REPAIR },
    at: report.analyzed_at ?? report.received_at,
    data,
  };
  const appended = await appendAfter(reports, id, event, [end, lost.at(-1)?.seq ?? end]);
  if (appended.outcome !== 'appended') return undefined;
  const { created } = data;
  return {
    ...toStored(appended.seq, toReportView(appended.seq, event).report),
    ...(created && { created }),
  };

  async function copied(): Promise<ReportWritten['data'] | undefined> {
    const copy = await reportViews.get(id);
    return copy && fits(copy.report) ? { report: copy.report } : undefined;
  }
}

/** A leader that has lost a subject's last message may expect the one before it, or that one. */
export async function appendAfter<E>(
  log: Pick<EventLog<E>, 'append'>,
  id: string,
  event: E,
  [end, last]: readonly [number, number],
): Promise<Appended> {
  const appended = await log.append(id, event, end);
  return appended.outcome === 'lost' && last !== end ? log.append(id, event, last) : appended;
}

const toStored = (seq: number, report: Report): StoredReport => ({
  seq,
  report,
  sha256: sha256Of(report),
});

const sha256Of = (report: Report) =>
  createHash('sha256').update(JSON.stringify(report)).digest('hex');
