/**
 * Composes everything that selling reports needs, from the 402 to the durable outcome, and warns if another
 * log has the same payee.
 */

import { startReconciler } from '../actors/reconciler.ts';
import { paymentLedger } from '../actors/settler/ledger.ts';
import { createSettler } from '../actors/settler/settler.ts';
import { TIMEOUTS, type Timeouts } from '../actors/settler/timeouts.ts';
import { readAssetFault, readHeadTime } from '../adapters/chain/asset.ts';
import { readClockOffset } from '../adapters/chain/node-clock.ts';
import { sampleReport } from '../analysis/sample.ts';
import type { PaymentConfig } from '../config/config.ts';
import type { PaymentEvent } from '../domain/payment-events.ts';
import type { Claims, EventLog } from '../ports/log.ts';
import type { PaymentChain, Settlement } from '../ports/payment.ts';
import type { SharedParts } from './derived-state.ts';
import type { Log } from './log.ts';
import { checkPayee } from './payee.ts';
import { watchSelling } from './selling.ts';
import { openSettlement } from './settlement.ts';

/** The parts that a payment passes through. */
export interface PaymentParts {
  readonly settlement: Settlement;
  readonly chain: PaymentChain;
  readonly claims: Claims;
  readonly payments: EventLog<PaymentEvent>;
}

/** Settings for tests only: wrappers that make the parts fail, and shorter time limits. */
export interface PaymentOverrides {
  readonly wrapPaymentParts?: (parts: PaymentParts) => PaymentParts;
  readonly timeouts?: Partial<Timeouts>;
  /** Time between two blocks, in milliseconds. */
  readonly blockMs?: number;
}

interface Ports extends SharedParts {
  readonly overrides: PaymentOverrides;
}

/** Composes everything between the 402 response and the durable outcome of a payment. */
export async function openPayments(payment: PaymentConfig, ports: Ports) {
  const { log, derived, baseUrl, clock, newId, replica, logger, metrics, traces, overrides } =
    ports;
  const { wrapPaymentParts = (parts: PaymentParts) => parts } = overrides;
  const timeouts = { ...TIMEOUTS, ...overrides.timeouts };

  const opened = await openSettlement(payment, {
    baseUrl,
    clock,
    logger: logger.child({ actor: 'wallet' }),
    metrics,
    blockMs: overrides.blockMs,
  });
  const selling = watchSelling({
    settlement: opened.settlement,
    nodeFault: opened.nodeFault,
    assetFault: () => readAssetFault(payment, payment),
    hasRoom: () => [...log.sizes(), ...log.otherSizes()].every(hasRoom),
    clockOffset: async () => {
      const offset = await readClockOffset(payment.rpcUrl, clock);
      // A block's time never lies in the future, but the newest block may simply be old.
      return offset ?? Math.min(0, clock() / 1000 - (await readHeadTime(payment)));
    },
    logger: logger.child({ actor: 'selling' }),
    metrics,
  });
  // The first caller must already learn the true state.
  await selling.first;
  const { settlement, chain, claims, payments } = wrapPaymentParts({
    settlement: selling.settlement,
    chain: reporting(opened.chain, selling.lookAgain),
    claims: log.claims,
    payments: log.payments,
  });
  const settler = createSettler({
    ledger: paymentLedger({ payments, clock, newId, replica }),
    settlement,
    chain,
    claims,
    clock,
    replica,
    logger: logger.child({ actor: 'settler' }),
    metrics,
    traces,
    timeouts,
    terms: { settings: payment, baseUrl },
    canSell: selling.canSell,
    unresolved: derived.payers.unresolved,
    loadReport: derived.loadReport,
    isThere: derived.isThere,
    sampleReport: () => sampleReport,
  });

  return {
    settler,
    selling: selling.state,
    canSell: selling.canSell,
    balanceOf: (from: string) => chain.balance({ requirements: payment, authorization: { from } }),
    /** Completes payments that no request waits for. Call it only after the catch-up. */
    startWatch() {
      void warnOfOthers(payment, log.payments, logger.child({ actor: 'payee' }));
      const reconciler = startReconciler({
        unresolved: derived.payers.unresolved,
        reconcile: settler.reconcile,
        clock,
        random: Math.random,
        timeouts,
      });
      return async () => reconciler.stop();
    },
    /** Waits for the settlements in progress. */
    async stop() {
      await settler.idle();
      selling.stop();
      opened.stop();
    },
  };
}

/** Each log needs its own payee, because one payment would otherwise open a report in each log. */
async function warnOfOthers(
  payment: PaymentConfig,
  payments: EventLog<PaymentEvent>,
  logger: SharedParts['logger'],
): Promise<void> {
  try {
    const { unknown } = await checkPayee(payment, payments);
    if (unknown.length > 0)
      logger.warn(
        { transfers: unknown.length, transaction: unknown.at(-1)?.transaction },
        'transfers to X402_PAY_TO that this log does not know: each log needs its own address',
      );
  } catch (err) {
    logger.warn({ err }, 'the transfers to X402_PAY_TO could not be compared with the log');
  }
}

/** Returns the given chain, except that it reports each request that it could not answer. */
function reporting(chain: PaymentChain, onFailure: () => void): PaymentChain {
  const reported =
    <A extends unknown[], R>(ask: (...question: A) => Promise<R>) =>
    (...question: A): Promise<R> =>
      ask(...question).catch((error: unknown) => {
        onFailure();
        throw error;
      });
  return {
    spell: chain.spell,
    isSignedByKey: chain.isSignedByKey,
    head: reported(chain.head),
    checkSignature: reported(chain.checkSignature),
    ended: reported(chain.ended),
    confirm: reported(chain.confirm),
    outcome: reported(chain.outcome),
    balance: reported(chain.balance),
  };
}

/** The streams that a payment writes to. */
const WRITTEN = ['PAYMENTS', 'KV_payment_claims'];

/**
 * Number of bytes that must be free in each stream that a payment writes to: an upper bound of what several
 * payments write at once.
 */
const ROOM_BYTES = 64 * 1024;

const hasRoom = ({ stream, bytes, maxBytes }: ReturnType<Log['sizes']>[number]) =>
  !WRITTEN.includes(stream) || maxBytes < 0 || bytes + ROOM_BYTES < maxBytes;
