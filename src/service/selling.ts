import type { Settlement } from '../ports/payment.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** How often it is asked whether reports can be sold, in milliseconds. */
const CHECK_MS = 15_000;

/** Whether reports can be sold now; `reason` is for the operator. */
export interface Selling {
  readonly can_sell: boolean;
  readonly reason?: string;
}

interface Ports {
  readonly settlement: Settlement;
  /** Why the asset cannot be paid with now; `undefined`: it can. Rejects when the chain does not answer. */
  readonly assetFault: () => Promise<string | undefined>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'canSell'>;
}

/**
 * Watches whether reports can be sold, and keeps a settlement from blaming the buyer when they
 * cannot: a token that is paused refuses every payment alike.
 */
export function watchSelling({ settlement, assetFault, logger, metrics }: Ports) {
  let state: Selling = { can_sell: true };

  function set(next: Selling): void {
    metrics.canSell.set(next.can_sell ? 1 : 0);
    if (next.can_sell !== state.can_sell)
      logger.warn(next, next.can_sell ? 'reports can be sold again' : 'reports cannot be sold now');
    state = next;
  }

  /** @throws when nothing can be sold */
  async function checkAsset(): Promise<void> {
    const fault = await assetFault();
    if (fault === undefined) return;
    set({ can_sell: false, reason: fault });
    throw new Error(fault);
  }

  async function check(): Promise<void> {
    try {
      await checkAsset();
      await settlement.ready();
      set({ can_sell: true });
    } catch (error) {
      set({ can_sell: false, reason: error instanceof Error ? error.message : 'unknown' });
    }
  }

  const timer = setInterval(() => void check(), CHECK_MS);
  void check();
  return {
    state: () => state,
    settlement: {
      ...settlement,
      mode: settlement.mode,
      async verify(payment, withinMs) {
        const verdict = await settlement.verify(payment, withinMs);
        // A refusal may be the token's, not the buyer's.
        if (!verdict.ok) await checkAsset();
        return verdict;
      },
    } satisfies Settlement,
    stop: () => clearInterval(timer),
  };
}
