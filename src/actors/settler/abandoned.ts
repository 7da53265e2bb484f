import type { Clock } from '../../ports/ambient.ts';
import type { Account } from './ledger.ts';
import type { Timeouts } from './timeouts.ts';

/**
 * Whether a settlement is left alone: nothing was recorded for so long. By the instant of its last
 * event, since the replica that wrote it may have died long before we look; and by how long we have seen
 * it stand still, since a clock that was set back would put that instant into the future.
 */
export function watchAbandoned(clock: Clock, { abandoned }: Pick<Timeouts, 'abandoned'>) {
  const seen = new Map<string, { readonly seq: number; readonly since: number }>();
  return {
    isAbandoned({ id, seq, state }: Account): boolean {
      const now = performance.now();
      const last = seen.get(id);
      const since = last?.seq === seq ? last.since : now;
      seen.set(id, { seq, since });
      return now - since >= abandoned || clock() - Date.parse(state.context.at ?? '') >= abandoned;
    },
    /** It is decided. */
    forget: (id: string) => void seen.delete(id),
  };
}
