import type { Clock } from '../ports.ts';
import type { PaymentState } from '../projection/fold.ts';
import type { Logger } from '../telemetry.ts';

/** First look after the start, then so often, then so often once the authorization has run out. */
const FIRST_MS = 30_000;
const EVERY_MS = 15_000;
const AFTER_END_MS = 60_000;

/** How often the list of open settlements is gone through, in milliseconds. */
const TICK_MS = 1_000;

/** When a settlement should be looked at next, in milliseconds since 1970. */
export function nextLook(
  { context }: PaymentState,
  lastLook: number | undefined,
  now: number,
): number {
  if (lastLook === undefined) return Date.parse(context.startedAt ?? '') + FIRST_MS;
  const validBefore = Number(context.started?.payload.authorization.validBefore) * 1000;
  return lastLook + (now > validBefore ? AFTER_END_MS : EVERY_MS);
}

interface Ports {
  /** Payments in `settling`, by id, as this replica's follower knows them. */
  readonly unresolved: () => Iterable<readonly [string, PaymentState]>;
  readonly reconcile: (id: string) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Brings settlements to an end that no request waits for. Begin it after catch-up: everything that
 * is open then is looked at once at once.
 */
export function startReconciler({ unresolved, reconcile, clock, logger }: Ports) {
  const looked = new Map<string, number>();
  let atStart = true;

  function tick() {
    const now = clock();
    const open = new Map(unresolved());
    for (const id of looked.keys()) if (!open.has(id)) looked.delete(id);
    for (const [id, state] of open) {
      if (!atStart && nextLook(state, looked.get(id), now) > now) continue;
      looked.set(id, now);
      reconcile(id).catch((error: unknown) =>
        logger.error({ payment_id: id, err: error }, 'reconciliation broke'),
      );
    }
    atStart = false;
  }

  const timer = setInterval(tick, TICK_MS);
  tick();
  return { stop: () => clearInterval(timer) };
}
