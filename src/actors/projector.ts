/**
 * Keeps the buckets `status` and `reports` equal to the state of the tests: writes the status and a copy of
 * the report, removes the status of tests that have ended, and adds missing entries at the start. Reports
 * tests whose bucket entry knows more than the log.
 */

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

/**
 * Time until a replica checks whether another replica wrote its entry, in milliseconds. The actual time is up
 * to three times as long.
 */
const CHECK_AFTER_MS = 1000;

/** Number of entries written at once, and the time until a failed one is tried again, in milliseconds. */
const LANES = 16;
const AGAIN_MS = 500;

/**
 * Number of reports that are kept until their analysis has ended. A report that was dropped is read from the
 * log.
 */
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
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Delay of the checks that usually find nothing to write, in milliseconds. Default: 1 s. */
  readonly checkAfterMs?: number;
  readonly replica: string;
  readonly logger: Logger;
}

/**
 * Keeps the entries in the buckets equal to the rows. Every replica does this. The sequence number in each
 * value decides, so writing an entry twice, late or after a restart changes nothing.
 */
export function startProjector(ports: Ports) {
  const { follower, reports, statusViews, reportViews, clock, random, replica, logger } = ports;
  const { checkAfterMs = CHECK_AFTER_MS } = ports;
  const work = createJobQueue({
    lanes: () => LANES,
    againMs: () => AGAIN_MS,
    /** A single fault can delay a million entries, so it is logged once, and again only after a while. */
    onFault: seldom((key: string, err: unknown) => {
      const [view, test_id] = key.split(' ');
      logger.warn(
        { view, test_id, waiting: work.size(), err },
        'bucket not written; trying again. If it is gone, restart a replica, which creates and fills it',
      );
    }),
  });
  const delays = new Set<NodeJS.Timeout>();
  const offered = new Map<string, { readonly seq: number; readonly report: ReportJson }>();

  async function projectStatus(id: string): Promise<void> {
    // The bucket may contain what is needed to repair a damaged test.
    if (follower.isDamaged(id)) return;
    const row = follower.row(id);
    if (row) await statusViews.put(id, toStatusView(row));
    if (!follower.row(id) && !follower.isDamaged(id)) await statusViews.erase(id);
  }

  /** @param isAbsent whether a read of the whole bucket has shown that the copy is missing */
  async function copyReport(id: string, isAbsent: boolean): Promise<void> {
    const row = follower.row(id);
    const seq = row?.context.reportSeq;
    if (!row || !seq || clock() >= expiry(row)) return;
    const own = offered.get(id);
    offered.delete(id);
    // A report is put into the bucket only once, because its retention counts from the put. The replica that
    // wrote the report does not have to check for a copy.
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
    // The test may have ended in the meantime, and its copy may have been erased before this one was written.
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

  /**
   * The replica that appended an event writes the entries. The other replicas check later whether the report
   * was written, because that replica may have died.
   */
  function onChange({ recorded: { id, seq, event }, row }: Change): void {
    const isMine = event.by === replica;
    // Most analyses have ended by the time of this check, so one write covers both the arrival and the
    // result. The check writes the entry only if nothing has followed the arrival.
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
   * Runs at the start: reads each bucket in full, and writes only what differs. If messages at the end of a
   * history were lost, the log itself shows no gap. Only a bucket entry that knows more than the log reveals
   * it.
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

  /**
   * A test without an entry either was never projected or has ended. If it ended, the event that ended it may
   * be the one that cannot be read.
   */
  const projectUnseen = (id: string, seq: number) =>
    work.add(`status ${id}`, async () => {
      await follower.expectUpTo(id, seq);
      await projectStatus(id);
    });

  return {
    /**
     * Resolves once the buckets have been compared. Until then, a test whose messages were lost looks as if
     * it had never existed.
     */
    ready,
    /**
     * Accepts the report that an `AnalysisDone` of this replica is about to name, so that it does not have to
     * be read back.
     */
    offerReport(id: string, seq: number, report: ReportJson): void {
      setNewest(offered, id, { seq, report }, MAX_OFFERED);
    },
    /** Resolves when every entry is as new as its row, except for delayed copies. */
    idle: work.idle,
    async stop(): Promise<void> {
      for (const delay of delays) clearTimeout(delay);
      await work.stop();
    },
  };
}
