import type { Settlement } from '../ports/payment.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** How often it is asked whether reports can be sold, in milliseconds; and when they cannot. */
const CHECK_MS = 15_000;
const CHECK_AGAIN_MS = 3_000;

/** How far off our clock may be, in seconds: what was signed for two minutes looks expired, or too long. */
const MAX_OFF_SECONDS = 30;

/** Whether reports can be sold now; `reason` is for the operator. */
export interface Selling {
  readonly can_sell: boolean;
  readonly reason?: string;
}

interface Ports {
  readonly settlement: Settlement;
  /** Why the asset cannot be paid with now; `undefined`: it can. Rejects when the chain does not answer. */
  readonly assetFault: () => Promise<string | undefined>;
  /** Whether the log has room for a payment. */
  readonly hasRoom: () => boolean;
  /** Our clock less the node's, in seconds; `null`: not known. */
  readonly clockOffset: () => Promise<number | null>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'canSell'>;
}

/**
 * Watches whether reports can be sold, and keeps a settlement from blaming the buyer when they
 * cannot: a token that is paused refuses every payment alike.
 */
export function watchSelling(ports: Ports) {
  const { settlement, assetFault, hasRoom, clockOffset, logger, metrics } = ports;
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
      if (!hasRoom()) throw new Error('The log has no room for payments.');
      await checkAsset();
      await settlement.ready(null);
      await checkClock();
      set({ can_sell: true });
    } catch (error) {
      set({ can_sell: false, reason: error instanceof Error ? error.message : 'unknown' });
    }
    if (!stopped) timer = setTimeout(check, state.can_sell ? CHECK_MS : CHECK_AGAIN_MS);
  }

  /** @throws when our clock is wrong */
  async function checkClock(): Promise<void> {
    const off = Math.round((await clockOffset()) ?? 0);
    if (Math.abs(off) <= MAX_OFF_SECONDS) return;
    const where = off > 0 ? 'ahead of' : 'behind';
    throw new Error(`The clock is ${Math.abs(off)} s ${where} the chain's node.`);
  }

  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  void check();
  return {
    state: () => state,
    settlement: {
      ...settlement,
      mode: settlement.mode,
      async ready(unproven) {
        // As long as it is said that nothing can be sold, somebody has to see that it can.
        if (!state.can_sell) await checkAsset();
        await settlement.ready(unproven);
      },
      async settle(...job) {
        const outcome = await settlement.settle(...job);
        // It may be the token's fault: then nobody else is to begin.
        if (outcome.kind === 'unknown') await checkAsset().catch(() => undefined);
        return outcome;
      },
    } satisfies Settlement,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
