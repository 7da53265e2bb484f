import type { ReportWritten } from '../domain/events.ts';
import type { StatusView } from '../domain/status-view.ts';
import type { Clock } from '../ports/ambient.ts';
import type { EventLog, Projection } from '../ports/log.ts';
import { expiry } from '../projection/deadlines.ts';
import { type ReportView, toReportView } from '../projection/report-view.ts';
import { toStatusView } from '../projection/status-view.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Change, TestFollower } from './follower/follower.ts';

/** Views written at once. */
const LANES = 16;

/** Until a view is tried again that could not be written, in milliseconds. */
const AGAIN_MS = 500;

/** Between two lines of the log about views that cannot be written, in milliseconds. */
const REPORT_MS = 60_000;

/** The other replicas look whether a report was copied after this and twice as much more. */
const COPY_AFTER_MS = 1000;

interface Ports {
  readonly follower: Pick<TestFollower, 'ready' | 'rows' | 'row' | 'listen' | 'isDamaged'>;
  readonly reports: Pick<EventLog<ReportWritten>, 'readAt'>;
  readonly statusViews: Projection<StatusView>;
  readonly reportViews: Projection<ReportView>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly replica: string;
  readonly logger: Logger;
}

/**
 * Keeps the views in the buckets equal to the rows. Every replica does: the sequence in each value
 * decides, so that writing twice, late or after a restart changes nothing.
 */
export function startProjector(ports: Ports) {
  const { follower, reports, statusViews, reportViews, clock, random, replica, logger } = ports;
  const work = queue(ports.logger);
  const delays = new Set<NodeJS.Timeout>();

  async function projectStatus(id: string): Promise<void> {
    // What the bucket knows of a damaged test may be what repairs it.
    if (follower.isDamaged(id)) return;
    const row = follower.row(id);
    if (row) await statusViews.put(id, toStatusView(row));
    if (!follower.row(id) && !follower.isDamaged(id)) await statusViews.erase(id);
  }

  async function copyReport(id: string): Promise<void> {
    const row = follower.row(id);
    const seq = row?.context.reportSeq;
    if (!row || !seq || clock() >= expiry(row)) return;
    // Put once and never again: the retention counts from the put.
    if (await reportViews.get(id)) return;
    const written = await reports.readAt(seq);
    if (!written) {
      logger.warn({ test_id: id, seq }, 'the report of a test is gone');
      return;
    }
    await reportViews.put(id, toReportView(seq, written.event));
    // The test may have ended meanwhile, and its copy been erased before this one was there.
    if (!follower.row(id) && !follower.isDamaged(id)) await reportViews.erase(id);
  }

  const status = (id: string) => work.add(`status ${id}`, () => projectStatus(id));
  const copy = (id: string) => work.add(`report ${id}`, () => copyReport(id));

  function copyLater(id: string): void {
    const delay = setTimeout(
      () => {
        delays.delete(delay);
        copy(id);
      },
      COPY_AFTER_MS * (1 + 2 * random()),
    );
    delays.add(delay);
  }

  function onChange({ recorded: { id, event }, row }: Change): void {
    status(id);
    if (event.type !== 'AnalysisDone' || row?.status !== 'ready') return;
    if (event.by === replica) copy(id);
    else copyLater(id);
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
    for (const [id, { status: state }] of follower.rows()) {
      status(id);
      if (state === 'ready') copyLater(id);
    }
  });

  return {
    ready,
    /** Resolves when every view is as new as the rows; delayed copies aside. */
    idle: () => work.idle(),
    async stop(): Promise<void> {
      for (const delay of delays) clearTimeout(delay);
      await work.stop();
    },
  };
}

/** Jobs by key, some at once, each until it succeeds; a key that waits is not added again. */
function queue(logger: Logger) {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Map<string, Promise<void>>();
  const retries = new Set<NodeJS.Timeout>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  /** One fault may keep a million views waiting: it is one line, again after a while. */
  function reportFault(key: string, err: unknown): void {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    const [view, test_id] = key.split(' ');
    logger.warn(
      { view, test_id, waiting: retries.size + 1, err },
      'view not written; it is tried again. If its bucket is gone: replay rebuild',
    );
  }

  function pump(): void {
    for (const [key, job] of waiting) {
      if (stopped || running.size >= LANES) return;
      if (running.has(key)) continue;
      waiting.delete(key);
      const done = run(key, job).finally(() => {
        running.delete(key);
        pump();
      });
      running.set(key, done);
    }
  }

  async function run(key: string, job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (err) {
      reportFault(key, err);
      const retry = setTimeout(() => {
        retries.delete(retry);
        add(key, job);
      }, AGAIN_MS);
      retries.add(retry);
    }
  }

  function add(key: string, job: () => Promise<void>): void {
    if (!waiting.has(key)) waiting.set(key, job);
    pump();
  }

  return {
    add,
    async idle(): Promise<void> {
      while (running.size > 0 || (waiting.size > 0 && !stopped))
        await Promise.all(running.values());
    },
    async stop(): Promise<void> {
      stopped = true;
      for (const retry of retries) clearTimeout(retry);
      await Promise.all(running.values());
    },
  };
}
