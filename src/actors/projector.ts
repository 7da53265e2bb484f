import type { ReportWritten } from '../domain/events.ts';
import { setNewest } from '../domain/set-newest.ts';
import type { StatusView } from '../domain/status-view.ts';
import { type ReportJson, toStoredView } from '../domain/stored-report.ts';
import type { Clock } from '../ports/ambient.ts';
import type { EventLog, Projection } from '../ports/log.ts';
import { expiry } from '../projection/deadlines.ts';
import { type ReportView, toReportView, toStatusView } from '../projection/views.ts';
import type { Logger } from '../telemetry/logger.ts';
import { seldom } from '../telemetry/seldom.ts';
import type { Change, TestFollower } from './follower/follower.ts';
import { createJobQueue } from './job-queue.ts';

/** Until a replica looks whether another wrote what it should; up to three times as long. */
const CHECK_AFTER_MS = 1000;

/** Views written at once; and until one is tried again that could not be written, in milliseconds. */
const LANES = 16;
const AGAIN_MS = 500;

/** Reports kept until their analysis has ended: one that was lost is read from the log. */
const MAX_OFFERED = 100;

interface Ports {
  readonly follower: Pick<
    TestFollower,
    'ready' | 'rows' | 'row' | 'listen' | 'isDamaged' | 'expectUpTo'
  >;
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
  const { follower, reports, statusViews, reportViews, clock, random, replica, logger } = ports;
  const { checkAfterMs = CHECK_AFTER_MS } = ports;
  const work = createJobQueue({
    lanes: () => LANES,
    againMs: () => AGAIN_MS,
    /** One fault may keep a million views waiting: it is one line, again after a while. */
    onFault: seldom((key: string, err: unknown) => {
      const [view, test_id] = key.split(' ');
      logger.warn(
        { view, test_id, waiting: work.size(), err },
        'view not written; it is tried again. If its bucket is gone: start a replica again, which makes and fills it',
      );
    }),
  });
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
    if (own?.seq !== seq && !isAbsent && (await reportViews.has(id))) return;
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
  const copy = (id: string, isAbsent = false) =>
    work.add(`report ${id}`, () => copyReport(id, isAbsent));

  function later(check: () => unknown): void {
    const delay = setTimeout(
      () => {
        delays.delete(delay);
        check();
      },
      checkAfterMs * (1 + 2 * random()),
    );
    delays.add(delay);
  }

  /** The author of an event writes the views. The others look later for the report, as it may have died. */
  function onChange({ recorded: { id, seq, event }, row }: Change): void {
    const isMine = event.by === replica;
    // Most analyses have ended by then: one line for both events.
    if (isMine && event.type === 'MailArrived')
      later(() => follower.row(id)?.seq === seq && status(id));
    else if (isMine) status(id);
    if (event.type !== 'AnalysisDone' || row?.status !== 'ready') return;
    if (isMine) copy(id);
    else later(() => copy(id));
  }

  let begun = false;
  follower.listen((change) => {
    if (begun) onChange(change);
  });
  const ready = follower.ready.then(() => {
    begun = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    work.add('all', () => compareAll().finally(resolve));
    return promise;
  });

  /**
   * At the start: each bucket is read as a whole, and only what differs is written. Messages that were lost at
   * the end of a history leave no hole in it: alone a line or a copy that knows more than the log shows it.
   */
  async function compareAll(): Promise<void> {
    const lines = new Map<string, StatusView>();
    await statusViews.scan((id, line) => lines.set(id, line));
    const copied = new Set(await reportViews.keys());
    for (const [id, { seq, status: where }] of follower.rows()) {
      const line = lines.get(id);
      if (!line) projectUnseen(id, seq);
      else if (line.seq < seq) status(id);
      if (where === 'ready' && !copied.has(id)) later(() => copy(id, true));
    }
    for (const [id, { seq, expires_at }] of lines) {
      const row = follower.row(id);
      const isDue = row !== undefined || clock() < Date.parse(expires_at);
      if (isDue && seq > (row?.seq ?? 0)) await follower.expectUpTo(id, seq);
      if (!row) status(id);
    }
    for (const id of copied)
      if (!follower.row(id) && !lines.has(id)) await follower.expectUpTo(id, 1);
  }

  /** A test without a line was never projected, or has ended: its end may be what cannot be read. */
  const projectUnseen = (id: string, seq: number) =>
    work.add(`status ${id}`, async () => {
      await follower.expectUpTo(id, seq);
      await projectStatus(id);
    });

  return {
    /** Resolves once the buckets were compared: until then a test whose messages were lost looks as if it had never been. */
    ready,
    /** The report that an `AnalysisDone` of this replica is about to name, so that it need not be read. */
    offerReport(id: string, seq: number, report: ReportJson): void {
      setNewest(offered, id, { seq, report }, MAX_OFFERED);
    },
    /** Resolves when every view is as new as the rows; delayed copies aside. */
    idle: work.idle,
    async stop(): Promise<void> {
      for (const delay of delays) clearTimeout(delay);
      await work.stop();
    },
  };
}
