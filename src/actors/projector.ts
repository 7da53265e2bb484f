import type { ReportWritten } from '../domain/events.ts';
import { setNewest } from '../domain/set-newest.ts';
import type { StatusView } from '../domain/status-view.ts';
import { type ReportJson, toStoredView } from '../domain/stored-report.ts';
import type { Clock } from '../ports/ambient.ts';
import type { EventLog, Projection } from '../ports/log.ts';
import { expiry } from '../projection/deadlines.ts';
import { type ReportView, toReportView } from '../projection/report-view.ts';
import type { Row } from '../projection/row.ts';
import { toStatusView } from '../projection/status-view.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Change, TestFollower } from './follower/follower.ts';
import type { Roster } from './roster.ts';
import { viewQueue } from './view-queue.ts';

/** Lines of new tests are written together after so many milliseconds. */
const NEW_MS = 200;

/** A batch costs as much as some 25 lines by themselves. */
const BATCH = { least: 64, most: 512 } as const;

/** Delays end together, so many milliseconds apart: a timer of its own length costs more than what it starts. */
const TOGETHER_MS = 50;

/** Lines without a test that are held against the log at once, at the start. */
const CHECKED_AT_ONCE = 16;

/** How many of the statuses that others write are checked. */
const SAMPLE = 1 / 16;

/** Until a replica looks whether another wrote what it should; up to three times as long. */
const CHECK_AFTER_MS = 1000;

/** Reports kept until their analysis has ended: one that was lost is read from the log. */
const MAX_OFFERED = 100;

interface Ports {
  readonly follower: Pick<
    TestFollower,
    'ready' | 'rows' | 'row' | 'listen' | 'isDamaged' | 'expectUpTo'
  >;
  readonly roster: Roster;
  readonly reports: Pick<EventLog<ReportWritten>, 'readAt'>;
  readonly statusViews: Projection<StatusView>;
  readonly reportViews: Projection<ReportView>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Until a view that usually needs no write of its own is looked at, in milliseconds. */
  readonly checkAfterMs?: number;
  readonly replica: string;
  readonly logger: Logger;
}

/**
 * Keeps the views in the buckets equal to the rows. Every replica does: the sequence in each value
 * decides, so that writing twice, late or after a restart changes nothing.
 */
export function startProjector(ports: Ports) {
  const { follower, roster, reports, statusViews, reportViews, clock, random, replica, logger } =
    ports;
  const { checkAfterMs = CHECK_AFTER_MS } = ports;
  const work = viewQueue(ports.logger);
  const delays = new Set<NodeJS.Timeout>();
  const offered = new Map<string, { readonly seq: number; readonly report: ReportJson }>();

  async function projectStatus(id: string): Promise<void> {
    // What the bucket knows of a damaged test may be what repairs it.
    if (follower.isDamaged(id)) return;
    const row = follower.row(id);
    if (row) await statusViews.put(id, toStatusView(row));
    if (!follower.row(id) && !follower.isDamaged(id)) await statusViews.erase(id);
  }

  /** @param isAbsent a look at the whole bucket has shown that it is not there */
  async function copyReport(id: string, isAbsent: boolean): Promise<void> {
    const row = follower.row(id);
    const seq = row?.context.reportSeq;
    if (!row || !seq || clock() >= expiry(row)) return;
    const own = offered.get(id);
    offered.delete(id);
    // Put once and never again: the retention counts from the put. Its author need not look.
    if (own?.seq !== seq && !isAbsent && (await reportViews.get(id))) return;
    if (own?.seq === seq) await reportViews.put(id, { seq, json: toStoredView(seq, own.report) });
    else {
      const written = (await reports.readAt(seq))?.event;
      if (!written) {
        logger.warn({ test_id: id, seq }, 'the report of a test is gone');
        return;
      }
      await reportViews.put(id, toReportView(seq, written));
    }
    // The test may have ended meanwhile, and its copy been erased before this one was there.
    if (!follower.row(id) && !follower.isDamaged(id)) await reportViews.erase(id);
  }

  const status = (id: string) => work.add(`status ${id}`, () => projectStatus(id));
  /** A test without a line was never projected, or has ended: its end may be what cannot be read. */
  const statusWithoutLine = (id: string, { seq }: Row) =>
    work.add(`status ${id}`, async () => {
      await follower.expectUpTo(id, seq);
      await projectStatus(id);
    });
  const copy = (id: string, isAbsent = false) =>
    work.add(`report ${id}`, () => copyReport(id, isAbsent));

  function after(milliseconds: number, work: () => unknown): void {
    const delay = setTimeout(() => {
      delays.delete(delay);
      work();
    }, milliseconds);
    delays.add(delay);
  }

  const later = (check: () => unknown) =>
    after(Math.ceil((checkAfterMs * (1 + 2 * random())) / TOGETHER_MS) * TOGETHER_MS, check);

  /** New tests, with the sequence of their creation: a line of its own would cost each as much as its event. */
  const created = new Map<string, number>();

  async function writeNew(): Promise<void> {
    const rows = [...created].map(([id, seq]) => ({ id, seq, row: follower.row(id) }));
    created.clear();
    // What has gone on since is written by itself.
    const unchanged = rows.filter(({ seq, row }) => row?.seq === seq);
    for (let first = 0; first < unchanged.length; first += BATCH.most) {
      const some = unchanged.slice(first, first + BATCH.most);
      const lines = some.map(({ id, row }) => [id, toStatusView(row as Row)] as const);
      const isMany = lines.length >= BATCH.least;
      const isWritten = isMany && (await statusViews.putNew(new Map(lines)).catch(() => false));
      for (const { id, seq } of some) if (!isWritten || follower.row(id)?.seq !== seq) status(id);
    }
  }

  function addNew(id: string, seq: number): void {
    if (created.size === 0) after(NEW_MS, () => work.add('new', writeNew));
    created.set(id, seq);
  }

  /** The author of an event writes the views. One of the others looks later, as it may have died. */
  function onChange({ recorded: { id, seq, event }, row }: Change): void {
    const isMine = event.by === replica;
    if (!isMine && roster.rank(id, event.by) > 0) return;
    // Most analyses have ended by then: one line for both events.
    if (isMine && event.type === 'TestCreated') addNew(id, seq);
    else if (isMine && event.type === 'MailArrived')
      later(() => follower.row(id)?.seq === seq && status(id));
    else if (isMine) status(id);
    else if (random() < SAMPLE) later(() => status(id));
    if (event.type !== 'AnalysisDone' || row?.status !== 'ready') return;
    if (isMine) copy(id);
    else later(() => copy(id));
  }

  let begun = false;
  const endedBefore = new Set<string>();
  follower.listen((change) => {
    if (begun) onChange(change);
    // Ended while no replica was there, or just before one died: its line may have stayed.
    else if (change.before && !change.row) endedBefore.add(change.recorded.id);
  });
  const ready = follower.ready.then(() => {
    begun = true;
    for (const id of endedBefore) status(id);
    endedBefore.clear();
    const { promise, resolve } = Promise.withResolvers<void>();
    work.add('all', () => compareAll().finally(resolve));
    return promise;
  });

  /** At the start: each bucket is read as a whole, and only what differs is written. */
  async function compareAll(): Promise<void> {
    const lines = new Map<string, StatusView>();
    await statusViews.scan((id, line) => lines.set(id, line));
    const copied = new Set(await reportViews.keys());
    for (const [id, row] of follower.rows()) {
      const line = lines.get(id);
      lines.delete(id);
      if (!line) statusWithoutLine(id, row);
      else if (line.seq < row.seq) status(id);
      else if (line.seq > row.seq) await follower.expectUpTo(id, line.seq);
      if (row.status === 'ready' && !copied.has(id)) later(() => copy(id, true));
    }
    // A copy of a report goes with its test: one without a line either shows a test whose messages were lost.
    for (const id of copied)
      if (!follower.row(id) && !lines.has(id)) await follower.expectUpTo(id, 1);
    const left = lines.entries();
    const lane = async () => {
      for (const [id, line] of left) await checkWithoutRow(id, line);
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, lane));
  }

  /** A line without a test: it has ended, or its messages were lost. */
  async function checkWithoutRow(id: string, { seq, expires_at }: StatusView): Promise<void> {
    if (clock() < Date.parse(expires_at)) await follower.expectUpTo(id, seq);
    status(id);
  }

  return {
    /** Resolves once the buckets were compared: until then a test whose messages were lost looks as if it had never been. */
    ready,
    /** The report that an `AnalysisDone` of this replica is about to name, so that it need not be read. */
    offerReport(id: string, seq: number, report: ReportJson): void {
      setNewest(offered, id, { seq, report }, MAX_OFFERED);
    },
    /** Resolves when every view is as new as the rows; delayed copies aside. */
    async idle(): Promise<void> {
      await writeNew();
      await work.idle();
    },
    async stop(): Promise<void> {
      for (const delay of delays) clearTimeout(delay);
      await work.stop();
    },
  };
}
