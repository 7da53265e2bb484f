/** Regularly sets the metrics about the state of the log, the tests, the memory and the clock. */

import type { Clock } from '../ports/ambient.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { DerivedState } from './derived-state.ts';
import type { Log } from './log.ts';

/** How often the gauges are set, in milliseconds. */
const GAUGES_MS = 5_000;

interface Observed {
  readonly log: Log;
  readonly derived: DerivedState;
  readonly clock: Clock;
  readonly mailMemoryBytes: () => number;
  readonly room: () => number;
  readonly readiness: () => Readonly<Record<string, boolean>>;
}

/**
 * Sets the metrics that describe a state instead of counting events, immediately and then every few seconds.
 * Returns the function that stops this.
 */
export function startGauges(
  metrics: Metrics,
  { log, derived, clock, mailMemoryBytes, room, readiness }: Observed,
): () => void {
  function set(): void {
    for (const [state, count] of Object.entries(derived.follower.population()))
      metrics.tests.set({ state }, count);
    metrics.frozen.set({ log: 'tests' }, derived.follower.frozen());
    metrics.frozen.set({ log: 'payments' }, derived.payers.frozen());
    for (const [stream, messages] of log.missing())
      metrics.missingMessages.set({ stream }, messages);
    metrics.followerLag.set({ log: 'tests' }, derived.follower.lag());
    metrics.followerLag.set({ log: 'payments' }, derived.payers.lag());
    metrics.mailMemoryBytes.set(mailMemoryBytes());
    metrics.logRoom.set(room());
    metrics.eraseBacklog.set(derived.eraseBacklog());
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
