import { createShares, type Shares } from '../../domain/fairness/shares.ts';
import type { Transaction } from './ports.ts';

/** A sender's retry may meet a copy that hangs; more than that is no sender. */
const MAX_PER_TEST = 2;

/** The transactions of each test between the accepted recipient and the verdict. */
export function createOpenTransactions() {
  const byTest = new Map<string, Shares>();
  return {
    /** One of the others may give way; false: they are further. */
    open(transaction: Transaction): boolean {
      const shares = byTest.get(transaction.testId) ?? createShares(MAX_PER_TEST);
      byTest.set(transaction.testId, shares);
      return shares.claim(transaction);
    },
    close(transaction: Transaction) {
      const shares = byTest.get(transaction.testId);
      shares?.release(transaction);
      if (shares?.held() === 0) byTest.delete(transaction.testId);
    },
  };
}
