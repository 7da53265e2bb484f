import type { Transaction } from './ports.ts';

/** A sender's retry may meet a copy that hangs; more than that is no sender. */
const MAX_PER_TEST = 2;

/**
 * The transactions of each test between the accepted recipient and the verdict. A newcomer makes the
 * oldest one without data give way, so that holding them open shuts nobody out.
 */
export function createOpenTransactions() {
  const byTest = new Map<string, Set<Transaction>>();

  function close(transaction: Transaction) {
    const open = byTest.get(transaction.testId);
    if (open?.delete(transaction) && open.size === 0) byTest.delete(transaction.testId);
  }

  return {
    /** Evicts one to make the new one fit; false: all of them receive data. */
    admits(testId: string): boolean {
      const open = byTest.get(testId);
      if (!open || open.size < MAX_PER_TEST) return true;
      // A set keeps the order in which they came.
      const oldest = [...open].find(({ hasData }) => !hasData);
      if (!oldest) return false;
      oldest.reservation?.release();
      oldest.reservation = null;
      close(oldest);
      return true;
    },
    add(transaction: Transaction) {
      const open = byTest.get(transaction.testId) ?? new Set();
      byTest.set(transaction.testId, open.add(transaction));
    },
    close,
  };
}
