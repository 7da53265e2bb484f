import type { ReportWritten, TestEvent } from '../domain/events.ts';
import type { EventLog, Projection, Recorded } from '../ports.ts';
import type { ReportView } from '../projection/report-view.ts';
import type { Logger, Metrics } from '../telemetry.ts';
import type { TestFollower } from './follower.ts';

/** Erasures a second: each rewrites a block of up to 8 MB on the server's disk. */
const PER_SECOND = 20;

/** Until a test is tried again whose messages could not be erased, in milliseconds. */
const AGAIN_MS = 5000;

/** What says something about a mail: overwritten, not only forgotten. */
const ABOUT_MAIL: readonly TestEvent['type'][] = ['MailArrived', 'MailRefused'];

interface Ports {
  readonly follower: Pick<TestFollower, 'caughtUp' | 'listen'>;
  readonly tests: Pick<EventLog<TestEvent>, 'read' | 'erase'>;
  readonly reports: Pick<EventLog<ReportWritten>, 'read' | 'erase'>;
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
  const waiting = new Set<string>();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  follower.listen(({ recorded: { id, event }, before }) => {
    if (event.type !== 'Expired') return;
    // In the catch-up a test that was begun and is not erased: its creation goes last.
    const mine = follower.caughtUp() ? event.by === replica : before !== undefined;
    if (mine) add(id);
  });

  function add(id: string): void {
    waiting.add(id);
    metrics.eraseBacklog.set(waiting.size);
    wake();
  }

  function wake(): void {
    if (stopping.signal.aborted || waiting.size === 0) return;
    running ??= run().finally(() => {
      running = undefined;
      wake();
    });
  }

  async function run(): Promise<void> {
    for (const id of waiting) {
      if (stopping.signal.aborted) return;
      try {
        await eraseTest(id);
        waiting.delete(id);
        metrics.eraseBacklog.set(waiting.size);
      } catch (err) {
        if (stopping.signal.aborted) return;
        logger.warn({ test_id: id, err }, 'messages not erased');
        // To the end of the queue.
        waiting.delete(id);
        waiting.add(id);
        await pause(AGAIN_MS);
      }
    }
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
    await pause(1000 / PER_SECOND);
    stopping.signal.throwIfAborted();
  }

  async function eraseTest(id: string): Promise<void> {
    const history = await tests.read(id);
    // `Expired` stays, so that the id cannot be created again; without it the test is alive.
    const left = history.filter(({ event }) => event.type !== 'Expired');
    if (left.length === history.length) return;
    await paced(reportViews.erase(id));
    for (const { seq } of await reports.read(id)) await paced(reports.erase(seq, 'secure'));
    for (const { seq } of left.filter(isAboutMail)) await paced(tests.erase(seq, 'secure'));
    for (const { seq } of left.filter((one) => !isAboutMail(one)).reverse())
      await tests.erase(seq, 'plain');
  }

  return {
    /** Tests whose messages wait. */
    backlog: () => waiting.size,
    /** Gives up what is left: the next start finds it again. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

const isAboutMail = ({ event }: Recorded<TestEvent>) => ABOUT_MAIL.includes(event.type);
