/**
 * Describes what is bought, a test's report or the sample, in the form that the settler expects: until when
 * it is sold, whether it still exists, and how it is loaded.
 */

import { createHash } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';
import { SAMPLE_ID, toBase32 } from '../../domain/ids.ts';
import { claimKey, type PaymentSettings, paymentTerms } from '../../domain/payment-terms.ts';
import type { Report } from '../../domain/report/report.ts';
import type { Authorization } from '../../domain/x402.ts';
import type { Clock } from '../../ports/ambient.ts';
import { expiry, payBefore } from '../../projection/deadlines.ts';
import type { Row } from '../../projection/row.ts';

/** The thing that is sold: a test's report until its deletion, or the sample report forever. */
export interface Purchase {
  readonly id: string;
  /** The client's address. */
  readonly ip: string;
  /** True if the client sent a payment of x402 version 1. */
  readonly hasVersion1: boolean;
  /** When the report is deleted, in milliseconds since 1970; null if it never is. */
  readonly deadline: number | null;
  readonly payBefore: number;
  /**
   * Returns whether the test or sample still exists, as the log's leader knows it. If that cannot be found
   * out, it counts as existing.
   */
  readonly isThere: () => Promise<boolean>;
  /** Loads the report once, so that a report that existed before the money moved is served after it. */
  readonly load: () => Promise<Report>;
}

export interface PurchasePorts {
  readonly clock: Clock;
  /** @throws ServiceError `log_unavailable`, or `test_not_found` if the report does not exist */
  readonly loadReport: (testId: string, reportSeq: number) => Promise<Report>;
  /** Returns whether the leader knows the test. @throws ServiceError `log_unavailable`, `test_damaged` */
  readonly isThere: (testId: string) => Promise<boolean>;
  readonly sampleReport: () => Report;
}

export function testPurchase(
  ports: PurchasePorts,
  testId: string,
  row: Row,
): Omit<Purchase, 'ip' | 'hasVersion1'> {
  const { clock, loadReport } = ports;
  const deadline = expiry(row);
  const isThere = () => ports.isThere(testId).catch(() => true);
  const load = async () => {
    try {
      return await loadReport(testId, row.context.reportSeq ?? 0);
    } catch (cause) {
      if (!(await isThere())) throw new ServiceError('test_not_found');
      // If a report is missing before the test expires, that is our fault, not a deleted test.
      const deleted = cause instanceof ServiceError && cause.code === 'test_not_found';
      throw deleted && clock() < deadline ? new ServiceError('internal_error', { cause }) : cause;
    }
  };
  return { id: testId, deadline, payBefore: payBefore(row), isThere, load: once(load) };
}

/** Seconds until the report is deleted; `Infinity` for the sample. */
export const secondsLeft = ({ deadline }: Pick<Purchase, 'deadline'>, now: number): number =>
  deadline === null ? Number.POSITIVE_INFINITY : (deadline - now) / 1000;

/**
 * A payment for the sample is tied to its authorization: sending the same payment again is a free re-read.
 */
export function samplePurchase(
  { sampleReport }: PurchasePorts,
  settings: PaymentSettings,
  authorization: Authorization | undefined,
): Omit<Purchase, 'ip' | 'hasVersion1'> {
  const purchase = {
    deadline: null,
    payBefore: Number.POSITIVE_INFINITY,
    isThere: async () => true,
    load: async () => sampleReport(),
  };
  if (!authorization) return { id: SAMPLE_ID, ...purchase };
  const terms = paymentTerms(settings, Number.POSITIVE_INFINITY);
  const hash = createHash('sha256').update(claimKey(terms, authorization)).digest();
  return { id: `${SAMPLE_ID}-${toBase32(hash).slice(0, 26)}`, ...purchase };
}

/** Calls `load` once and keeps its result. A failure is not kept. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
