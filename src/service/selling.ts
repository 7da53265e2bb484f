/**
 * Checks regularly, and after failures, whether reports can be sold: the room in the log, the nodes, the
 * asset, the wallet or facilitator, and the clock.
 */

import type { NodeFault } from '../domain/node-needs.ts';
import type { Settlement } from '../ports/payment.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics, SellingNeed } from '../telemetry/metrics.ts';

/**
 * How often to check whether reports can be sold if nobody asks, in milliseconds. Each check queries the
 * nodes about ten times, and many plans allow a limited number of queries per day.
 */
const CHECK_MS = 60_000;

/** Age from which the last check is too old for someone who may buy now, in milliseconds. */
const STALE_MS = 10_000;

/**
 * First pause before the next check while reports cannot be sold, in milliseconds. It doubles with each check
 * that finds them so.
 */
const CHECK_AGAIN_MS = 3_000;

/** Time after the start, in milliseconds, after which nothing is sold if the state is still unknown. */
const FIRST_MS = 5_000;

/**
 * Largest error of our clock at which reports are sold, in seconds. Beyond that, a payment signed for two
 * minutes looks expired, or valid for too long.
 */
const MAX_OFF_SECONDS = 30;

/** Says whether reports can be sold now. `reason` is for the operator. */
export interface Selling {
  readonly can_sell: boolean;
  readonly reason?: string;
}

/** A requirement that is not met, as a label of the gauge and in words. */
interface Fault {
  readonly need: SellingNeed;
  readonly reason: string;
}

interface Ports {
  readonly settlement: Settlement;
  /** Returns what the nodes lack to sell now, or `undefined` if they lack nothing. */
  readonly nodeFault: () => Promise<NodeFault | undefined>;
  /**
   * Returns why nobody can pay with the asset now, or `undefined` if people can. Rejects if the chain does
   * not respond.
   */
  readonly assetFault: () => Promise<string | undefined>;
  /** Returns whether the log has room for a payment. */
  readonly hasRoom: () => boolean;
  /** Returns our clock minus the node's, in seconds, or `null` if unknown. */
  readonly clockOffset: () => Promise<number | null>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'canSell' | 'sellingNeeds'>;
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown');

/**
 * Watches whether reports can be sold, so that nobody is asked to sign a payment that could not be settled
 * and judged. It also prevents the buyer from being blamed for a failed settlement when nothing can be sold,
 * since a paused token refuses every payment alike. Payments that were already signed continue in any case.
 */
export function watchSelling(ports: Ports) {
  const { settlement, nodeFault, assetFault, hasRoom, clockOffset, logger, metrics } = ports;
  let state: Selling = { can_sell: true };
  let missing: SellingNeed | undefined;

  function set(fault: Fault | undefined): void {
    const next: Selling = fault ? { can_sell: false, reason: fault.reason } : { can_sell: true };
    metrics.canSell.set(next.can_sell ? 1 : 0);
    if (missing) metrics.sellingNeeds.set({ need: missing }, 1);
    if (fault) metrics.sellingNeeds.set({ need: fault.need }, 0);
    missing = fault?.need;
    if (next.can_sell !== state.can_sell)
      logger.warn(
        next,
        next.can_sell ? 'reports can be sold again' : 'reports cannot be sold at the moment',
      );
    state = next;
  }

  /**
   * Checks whether anyone can pay with the asset. If nobody can, records that nothing can be sold.
   * @throws if nobody can pay with the asset, or the chain does not respond
   */
  async function checkAsset(): Promise<void> {
    const reason = await assetFault();
    if (reason === undefined) return;
    set({ need: 'asset', reason });
    throw new Error(reason);
  }

  /** Returns a fault if nobody's payment can be settled. */
  async function settlementFault(): Promise<Fault | undefined> {
    const reason = await settlement.ready(null).then(() => undefined, wordsOf);
    return reason === undefined ? undefined : { need: 'settlement', reason };
  }

  /** Returns the first of several faults, because the later checks depend on the earlier ones. */
  async function findFault(): Promise<Fault | undefined> {
    if (!hasRoom()) return { need: 'room', reason: 'The log has no room for payments.' };
    const node = await nodeFault();
    if (node) return node;
    const asset = await assetFault();
    if (asset !== undefined) return { need: 'asset', reason: asset };
    const unready = await settlementFault();
    if (unready) return unready;
    const off = Math.round((await clockOffset()) ?? 0);
    if (Math.abs(off) <= MAX_OFF_SECONDS) return undefined;
    const where = off > 0 ? 'ahead of' : 'behind';
    const reason = `The clock is ${Math.abs(off)} s ${where} the clock of the chain's node.`;
    return { need: 'clock', reason };
  }

  let checkedAt = Number.NEGATIVE_INFINITY;
  let pause = CHECK_AGAIN_MS;
  let running: Promise<void> | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    clearTimeout(timer);
    set(await findFault().catch((error) => ({ need: 'answer', reason: wordsOf(error) }) as const));
    checkedAt = performance.now();
    if (!stopped) timer = setTimeout(look, state.can_sell ? CHECK_MS : pause);
    pause = state.can_sell ? CHECK_AGAIN_MS : Math.min(2 * pause, CHECK_MS);
  }
  const look = (): Promise<void> => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };

  function lookIfOlder(milliseconds: number): void {
    if (!stopped && performance.now() - checkedAt > milliseconds) void look();
  }

  const { promise: first, resolve } = Promise.withResolvers<void>();
  const unknown = setTimeout(() => {
    set({ need: 'answer', reason: 'The nodes of the chain have not answered yet.' });
    resolve();
  }, FIRST_MS);
  void look().finally(() => {
    clearTimeout(unknown);
    resolve();
  });
  return {
    /** Returns the result of the last check. */
    state: () => state,
    /**
     * Returns whether reports can be sold, according to the last check. If that check is too old for someone
     * who may buy now, a new one begins for the requests that follow.
     */
    canSell(): boolean {
      lookIfOlder(state.can_sell ? STALE_MS : CHECK_AGAIN_MS);
      return state.can_sell;
    },
    /** Resolves when the state is first known, or when nothing is sold because it remains unknown. */
    first,
    /**
     * Checks now instead of at the next interval, because a failure has occurred that may affect others too.
     */
    lookAgain: () => lookIfOlder(CHECK_AGAIN_MS),
    settlement: {
      ...settlement,
      mode: settlement.mode,
      async ready(unproven) {
        // As long as we say that nothing can be sold, we have to check for ourselves whether that has
        // changed.
        if (!state.can_sell) await checkAsset();
        await settlement.ready(unproven);
      },
      async settle(...job) {
        const outcome = await settlement.settle(...job);
        // The token, the wallet or the facilitator may be the cause. In that case, nobody else should be asked
        // to sign.
        if (outcome.kind === 'unknown')
          await checkAsset()
            .then(settlementFault)
            .then((fault) => fault && set(fault))
            .catch(() => undefined);
        return outcome;
      },
    } satisfies Settlement,
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(unknown);
    },
  };
}
