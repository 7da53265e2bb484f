import { OPERATOR } from '../domain/envelope.ts';
import { isEnd, type ReportWritten, type TestEvent, type TestEventOf } from '../domain/events.ts';
import type { EventLog, Projection, Recorded } from '../ports/log.ts';
import type { ReportView } from '../projection/views.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { TestFollower } from './follower/follower.ts';
import { createJobQueue } from './job-queue.ts';

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
}

/**
 * Erases what a test that ended has left. The replica that recorded the end does it; at its start
 * every replica takes what others left behind. Nothing waits for it: every read checks the deadline
 * itself. Start it before the follower has caught up.
 */
export function startEraser(ports: Ports) {
  const { follower, tests, reports, reportViews, replica, logger } = ports;
  const endings = new Map<string, Ending>();
  const stopping = new AbortController();
  const work = createJobQueue({
    lanes: lanesFor,
    againMs: () => AGAIN_MS,
    onFault: (test_id, err) => logger.warn({ test_id, err }, 'messages not erased'),
  });

  follower.listen(({ recorded: { id, event }, before }) => {
    if (!isEnd(event.type)) return;
    // In the catch-up a test that was begun and is not erased: its creation goes last, if it is not what was lost.
    const mine = follower.caughtUp() ? event.by === replica : before !== undefined;
    // Deleted by their holders: before those whose time is over.
    if (mine || event.by === OPERATOR) erase(id, event.type === 'TestDeleted');
  });

  const erase = (id: string, isUrgent = false) => work.add(id, () => eraseTest(id), isUrgent);

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
    if (work.size() <= CALM) await pause(1000 / PER_SECOND);
    stopping.signal.throwIfAborted();
  }

  async function eraseTest(id: string): Promise<void> {
    const ending = endings.get(id);
    const { events: history } = await tests.readRemains(id);
    // The end stays, so that the id cannot be created again; without it the test is alive,
    // unless its end found no room.
    const left = history.filter(({ event }) => !isEnd(event.type));
    const isRecorded = left.length < history.length;
    if (!isRecorded && !(ending && left.every(({ seq }) => seq <= ending.after)))
      return void endings.delete(id);
    await paced(reportViews.erase(id));
    for (const { seq } of (await reports.readRemains(id)).events)
      await paced(reports.erase(seq, 'secure'));
    for (const { seq } of left.filter(isAboutMail)) await paced(tests.erase(seq, 'secure'));
    for (const { seq } of left.filter((one) => !isAboutMail(one)).reverse())
      await tests.erase(seq, 'plain');
    if (!isRecorded && ending) await recordEnd(id, ending);
    endings.delete(id);
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
    makeRoom(id: string, ending: Ending): void {
      endings.set(id, ending);
      erase(id);
    },
    /** Tests whose messages wait. */
    backlog: work.size,
    /** Gives up what is left: the next start finds it again. */
    async stop(): Promise<void> {
      stopping.abort();
      await work.stop();
    },
  };
}

const lanesFor = (waiting: number): number =>
  waiting > CALM
    ? Math.min(LANES.most, LANES.least + Math.floor(waiting / LANES.waitingEach))
    : Math.min(1, waiting);

const isAboutMail = ({ event }: Recorded<TestEvent>) => ABOUT_MAIL.includes(event.type);
