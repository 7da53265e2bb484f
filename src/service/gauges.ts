import type { Clock } from '../ports/ambient.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Log } from './log.ts';
import type { Views } from './views.ts';

/** How often the gauges are set, in milliseconds. */
const GAUGES_MS = 5_000;

interface Observed {
  readonly log: Log;
  readonly views: Views;
  readonly clock: Clock;
  readonly mailMemoryBytes: () => number;
  readonly room: () => number;
}

/** Sets what is a state of the service, not a sum of what happened, again and again. Gives its stop. */
export function startGauges(
  metrics: Metrics,
  { log, views, clock, mailMemoryBytes, room }: Observed,
): () => void {
  function set(): void {
    for (const [state, count] of Object.entries(views.follower.population()))
      metrics.tests.set({ state }, count);
    metrics.testsFrozen.set(views.follower.frozen());
    metrics.followerLag.set({ log: 'tests' }, views.follower.lag());
    metrics.followerLag.set({ log: 'payments' }, views.payers.lag());
    metrics.mailMemoryBytes.set(mailMemoryBytes());
    metrics.logRoom.set(room());
    metrics.clockOffset.set((Date.now() - clock()) / 1000);
    for (const { stream, bytes, maxBytes } of log.sizes()) {
      metrics.streamBytes.set({ stream }, bytes);
      metrics.streamMaxBytes.set({ stream }, maxBytes);
    }
  }
  set();
  const timer = setInterval(set, GAUGES_MS);
  return () => clearInterval(timer);
}
