import { OPERATOR } from '../domain/envelope.ts';
import { isEnd, type ReportWritten, type TestEvent, type TestEventOf } from '../domain/events.ts';
import type { EventLog, Projection, Recorded } from '../ports/log.ts';
import type { ReportView } from '../projection/report-view.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { TestFollower } from './follower/follower.ts';

/** Erasures a second: each rewrites a block of up to 8 MB on a disk that is not encrypted. */
const PER_SECOND = 20;

/** With more tests than this waiting, they have ended at one instant: they go as fast as they can. */
const CALM = 32;

/**
 * Tests erased at once then, and one more for so many that wait: what limits them on a busy machine
 * is the wait for each answer. An append of a mail waits for no more rewritten blocks than these.
 */
const LANES = { least: 8, waitingEach: 64, most: 32 } as const;

/** Until a test is tried again whose messages could not be erased, in milliseconds. */
const AGAIN_MS = 5000;

/** What says something about a mail: overwritten, not only forgotten. */
const ABOUT_MAIL: readonly TestEvent['type'][] = ['MailArrived', 'MailRefused', 'HistoryRestored'];

/** The end of a test that the log had no room for. */
export interface Ending {
  readonly event: TestEventOf<'Expired'>;
  /** Sequence of the test's last event. */
  readonly after: number;
}

interface Ports {
  readonly follower: Pick<TestFollower, 'caughtUp' | 'listen'>;
  readonly tests: Pick<EventLog<TestEvent>, 'readRemains' | 'erase' | 'append'>;
  readonly reports: Pick<EventLog<ReportWritten>, 'readRemains' | 'erase'>;
  readonly reportViews: Pick<Projection<ReportView>, 'erase'>;
  readonly replica: string;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'eraseBacklog'>;
}

/**
 * Erases what a test that ended has left. The replica that recorded the end does it; at its start
 * every replica takes what others left behind. Nothing waits for it: every read checks the deadline
 * itself. Start it before the follower has caught up.
 */
export function startEraser(ports: Ports) {
  const { follower, tests, reports, reportViews, replica, logger, metrics } = ports;
  const waiting = new Map<string, Ending | undefined>();
  /** Deleted by their holders: before those whose time is over. */
  const urgent = new Set<string>();
  const stopping = new AbortController();
  const erasing = new Set<string>();
  const lanes = new Set<Promise<void>>();

  follower.listen(({ recorded: { id, event }, before }) => {
    if (!isEnd(event.type)) return;
    // In the catch-up a test that was begun and is not erased: its creation goes last, if it is not what was lost.
    const mine = follower.caughtUp() ? event.by === replica : before !== undefined;
    const isOurs = mine || event.by === OPERATOR;
    if (isOurs && event.type === 'TestDeleted') urgent.add(id);
    if (isOurs) add(id);
  });

  function add(id: string, ending?: Ending): void {
    if (ending || !waiting.has(id)) waiting.set(id, ending);
    metrics.eraseBacklog.set(waiting.size);
    wake();
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    while (lanes.size < lanesFor(waiting.size)) {
      const one: Promise<void> = lane(lanes.size > 0).finally(() => {
        lanes.delete(one);
        wake();
      });
      lanes.add(one);
    }
  }

  /** @param helps only as long as so many wait */
  async function lane(helps: boolean): Promise<void> {
    for (;;) {
      const id = next();
      if (id === undefined || stopping.signal.aborted) return;
      if (helps && lanes.size > lanesFor(waiting.size)) return;
      urgent.delete(id);
      erasing.add(id);
      const ending = waiting.get(id);
      try {
        await eraseTest(id, ending);
        waiting.delete(id);
        metrics.eraseBacklog.set(waiting.size);
      } catch (err) {
        if (stopping.signal.aborted) return;
        logger.warn({ test_id: id, err }, 'messages not erased');
        // To the end of the queue.
        waiting.delete(id);
        waiting.set(id, ending);
        await pause(AGAIN_MS);
      } finally {
        erasing.delete(id);
      }
    }
  }

  function next(): string | undefined {
    for (const ids of [urgent, waiting.keys()])
      for (const id of ids) if (!erasing.has(id)) return id;
    return undefined;
  }

  /** Ends early when the eraser is stopped. */
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      stopping.signal.addEventListener('abort', end);
    });

  async function paced(erasure: Promise<void>): Promise<void> {
    await erasure;
    if (waiting.size <= CALM) await pause(1000 / PER_SECOND);
    stopping.signal.throwIfAborted();
  }

  async function eraseTest(id: string, ending: Ending | undefined): Promise<void> {
    const { events: history } = await tests.readRemains(id);
    // The end stays, so that the id cannot be created again; without it the test is alive,
    // unless its end found no room.
    const left = history.filter(({ event }) => !isEnd(event.type));
    const isRecorded = left.length < history.length;
    if (!isRecorded && !(ending && left.every(({ seq }) => seq <= ending.after))) return;
    await paced(reportViews.erase(id));
    for (const { seq } of (await reports.readRemains(id)).events)
      await paced(reports.erase(seq, 'secure'));
    for (const { seq } of left.filter(isAboutMail)) await paced(tests.erase(seq, 'secure'));
    for (const { seq } of left.filter((one) => !isAboutMail(one)).reverse())
      await tests.erase(seq, 'plain');
    if (!isRecorded && ending) await recordEnd(id, ending);
  }

  /** On the emptied subject; for the other replicas, which still know the test. */
  async function recordEnd(id: string, { event }: Ending): Promise<void> {
    const { outcome } = await tests.append(id, event, 0);
    if (outcome !== 'appended' && outcome !== 'lost') throw new Error(`The end is ${outcome}.`);
  }

  return {
    /**
     * Erases a test past its deadline before its end is recorded: a log without room for the end
     * gets it from what is deleted, and nothing outlives its deadline for want of room.
     */
    makeRoom: add,
    /** Tests whose messages wait. */
    backlog: () => waiting.size,
    /** Gives up what is left: the next start finds it again. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}

const lanesFor = (waiting: number): number =>
  waiting > CALM
    ? Math.min(LANES.most, LANES.least + Math.floor(waiting / LANES.waitingEach))
    : Math.min(1, waiting);

const isAboutMail = ({ event }: Recorded<TestEvent>) => ABOUT_MAIL.includes(event.type);
