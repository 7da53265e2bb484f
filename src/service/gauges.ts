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
  readonly readiness: () => Readonly<Record<string, boolean>>;
}

/**
 * Repeatedly sets the metrics that describe a state instead of counting events. Returns the function that
 * stops it.
 */
export function startGauges(
  metrics: Metrics,
  { log, views, clock, mailMemoryBytes, room, readiness }: Observed,
): () => void {
  function set(): void {
    for (const [state, count] of Object.entries(views.follower.population()))
      metrics.tests.set({ state }, count);
    metrics.frozen.set({ log: 'tests' }, views.follower.frozen());
    metrics.frozen.set({ log: 'payments' }, views.payers.frozen());
    for (const [stream, messages] of log.missing())
      metrics.missingMessages.set({ stream }, messages);
    metrics.followerLag.set({ log: 'tests' }, views.follower.lag());
    metrics.followerLag.set({ log: 'payments' }, views.payers.lag());
    metrics.mailMemoryBytes.set(mailMemoryBytes());
    metrics.logRoom.set(room());
    metrics.eraseBacklog.set(views.eraseBacklog());
    for (const [check, holds] of Object.entries(readiness()))
      metrics.readiness.set({ check }, holds ? 1 : 0);
    metrics.clockOffset.set((Date.now() - clock()) / 1000);
    for (const { stream, bytes, maxBytes } of [...log.sizes(), ...log.otherSizes()]) {
      metrics.streamBytes.set({ stream }, bytes);
      metrics.streamMaxBytes.set({ stream }, maxBytes);
    }
  }
  set();
  const timer = setInterval(set, GAUGES_MS);
  return () => clearInterval(timer);
}
