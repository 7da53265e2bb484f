/**
 * Follows the clock of the server that stores the log, with a monotonic clock between two requests, and
 * notices when it was set.
 */

import type { Clock } from '../../ports/ambient.ts';
import type { LogConnection } from './connection.ts';
import { reachAtStart } from './outage.ts';

/** Pause between two requests, in milliseconds. */
const EVERY_MS = 5000;

/** Number of requests at the start, one after another, because the fastest response is the most accurate. */
const FIRST_REQUESTS = 5;

/** How far a monotonic clock may drift per second, in seconds: far more than quartz does. */
const DRIFT = 0.0002;

/** The log's time as this replica knows it. */
export interface LogClock {
  readonly now: Clock;
  stop(): void;
}

interface Options {
  readonly stream: string;
  /** Called when the log's clock was set, with the approximate difference in milliseconds. */
  readonly onSet: (milliseconds: number) => void;
}

/**
 * Opens the clock of the server that stores the log. All replicas share it, so that a deadline that one of
 * them considers overdue is overdue for the others, whatever time its own machine shows. Between two
 * requests, a monotonic clock continues from the last response, even without a connection.
 *
 * @throws if the stream does not respond
 */
export async function openLogClock(
  { jsm }: Pick<LogConnection, 'jsm'>,
  { stream, onSet }: Options,
): Promise<LogClock> {
  const offset = estimateOffset();

  async function ask(): Promise<void> {
    const asked = performance.now();
    // nats-server has sent `ts` since 2.10, but the client's types do not know it.
    const { ts = '' }: { readonly ts?: string } = await jsm.streams.info(stream);
    const answer = Date.parse(ts);
    if (Number.isNaN(answer)) throw new Error('The nats-server does not report its time.');
    const jump = offset.note({ asked, answered: performance.now(), answer });
    if (jump !== 0) onSet(jump);
  }

  for (let request = 0; request < FIRST_REQUESTS; request++) await reachAtStart(stream, ask);
  // Without a response, the last one remains valid.
  const timer = setInterval(() => void ask().catch(() => undefined), EVERY_MS);
  return {
    now: () => Math.floor(performance.now() + offset.milliseconds()),
    stop: () => clearInterval(timer),
  };
}

/** A request and its response: when they were sent and received, by a monotonic clock. */
interface Exchange {
  readonly asked: number;
  readonly answered: number;
  /** The time of the other clock at some moment in between, in whole milliseconds. */
  readonly answer: number;
}

/**
 * Estimates how far another clock is ahead of our monotonic one. Each exchange bounds the difference from
 * both sides, and the range that all exchanges allow is kept. If one contradicts the others, the clock was
 * set.
 */
export function estimateOffset() {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let since = 0;
  const milliseconds = () => (low + high) / 2;

  return {
    milliseconds,
    /** Returns by how much the clock was set, or 0 if it was not. */
    note({ asked, answered, answer }: Exchange): number {
      const spread = (answered - since) * DRIFT;
      const [least, most] = [answer - answered, answer + 1 - asked];
      const fits = least <= high + spread && low - spread <= most;
      const before = milliseconds();
      low = fits ? Math.max(least, low - spread) : least;
      high = fits ? Math.min(most, high + spread) : most;
      since = answered;
      return fits ? 0 : Math.round(milliseconds() - before);
    },
  };
}
