/**
 * Erases the events of each test that has ended (all except its end), its report, and the copy of the report
 * in a bucket. If the end could not be stored, for example in a full log, it erases the rest first and then
 * records the end.
 */

import { OPERATOR } from '../domain/envelope.ts';
import { isEnd, type ReportWritten, type TestEvent, type TestEventOf } from '../domain/events.ts';
import type { EventLog, Projection, Recorded } from '../ports/log.ts';
import type { ReportView } from '../projection/views.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { TestFollower } from './follower/follower.ts';
import { createJobQueue } from './job-queue.ts';

/**
 * Maximum erasures per second. Each erasure rewrites a block of up to 8 MB, unless the store is encrypted.
 */
const PER_SECOND = 20;

/**
 * If more tests than this wait to be erased, they probably ended at the same moment, and are erased as fast
 * as possible.
 */
const CALM = 32;

/**
 * Number of tests that are erased at once when many are waiting, with one more for every `waitingEach` that
 * wait. On a busy machine, the wait for each response is what limits erasing. The append of an email's event
 * never waits for more rewritten blocks than this.
 */
const LANES = { least: 8, waitingEach: 64, most: 32 } as const;

/** Delay before the erasure of a test is tried again after a failure, in milliseconds. */
const AGAIN_MS = 5000;

/** Events that contain facts about an email: they are overwritten, not only deleted. */
const ABOUT_MAIL: readonly TestEvent['type'][] = ['MailArrived', 'MailRefused', 'HistoryRestored'];

/** The end of a test whose event could not be stored in the log. */
export interface Ending {
  readonly event: TestEventOf<'Expired'>;
  /** Sequence number of the test's last event. */
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
 * Erases what a test leaves behind when it has ended. The replica that recorded the end erases it, and every
 * replica erases leftovers of other replicas when it starts. Nothing waits for the eraser, because every read
 * checks the deadline itself. Start it before the follower has caught up.
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
    // During catch-up, an ended test whose creation is known has not been erased yet: the creation event is
    // erased last, so it still exists unless that very event was lost.
    const mine = follower.caughtUp() ? event.by === replica : before !== undefined;
    // Tests that were deleted by their holders are erased before those that expired.
    if (mine || event.by === OPERATOR) erase(id, event.type === 'TestDeleted');
  });

  const erase = (id: string, isUrgent = false) => work.add(id, () => eraseTest(id), isUrgent);

  /** Waits for this many milliseconds, or until the eraser is stopped. */
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
    // The end event stays, so that the id cannot be used again. A test without an end is alive, unless the
    // log had no room for its end.
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

  /** Appends the end of the test to its emptied subject, for other replicas that still know the test. */
  async function recordEnd(id: string, { event }: Ending): Promise<void> {
    const { outcome } = await tests.append(id, event, 0);
    if (outcome !== 'appended' && outcome !== 'lost') throw new Error(`The end is ${outcome}.`);
  }

  return {
    /**
     * Erases a test past its deadline before its end is recorded. In a full log, the deletion itself makes
     * room for the end, so nothing outlives its deadline because the log is full.
     */
    makeRoom(id: string, ending: Ending): void {
      endings.set(id, ending);
      erase(id);
    },
    /** Number of tests whose messages are still to be erased. */
    backlog: work.size,
    /** Stops without finishing the remaining work, which the next start finds again. */
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
