import { readFile } from 'node:fs/promises';
import type { Place } from './history.ts';

/** How the service is, as it says itself; its memory as the system says it. */
export interface Gauges {
  readonly memoryMib: number;
  /** Events that are stored and not yet in its rows. */
  readonly followerLag: number;
  /** How late the event loop came round since the last look, for 99 of 100 rounds. */
  readonly loopMs: number;
  readonly liveTests: number;
  /** Tests that have ended, and whose messages are not erased yet. */
  readonly eraseBacklog: number;
}

export async function readGauges({
  pid,
  metrics,
}: Pick<Place, 'pid' | 'metrics'>): Promise<Gauges> {
  const [status, text] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
    fetch(`${metrics}/metrics`).then((answer) => answer.text()),
  ]);
  /** All series of that name together. */
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
      (all, [, value]) => all + Number(value),
      0,
    );
  return {
    memoryMib: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024,
    followerLag: sum('deliverability_follower_lag_events'),
    loopMs: sum('nodejs_eventloop_lag_p99_seconds') * 1000,
    liveTests: sum('deliverability_tests'),
    eraseBacklog: sum('deliverability_erase_backlog'),
  };
}
