import type { ChainOutcome, PaymentChain } from '../../ports/payment.ts';
import { MOST_BLOCKS } from './log-range.ts';
import { ContradictionError } from './rpc.ts';

/**
 * Combines two nodes of different operators, which must agree before anything is decided. A node that lies or
 * follows another fork can then neither open a report nor make a buyer pay twice.
 */
export const agreeingChain = (first: PaymentChain, second: PaymentChain): PaymentChain => ({
  ...first,
  // A search that begins at a wrong head never finds the payment.
  async head() {
    const heads = await Promise.all([first.head(), second.head()]);
    const lowest = Math.min(...heads);
    if (Math.max(...heads) - lowest > MOST_BLOCKS) throw new ContradictionError();
    return lowest;
  },
  ended: (...question) =>
    agreed(first.ended(...question), second.ended(...question), (state) => state),
  outcome: (...question) =>
    agreed(first.outcome(...question), second.outcome(...question), evidenceOf),
  async confirm(payment, transaction) {
    const [one, other] = await Promise.all([
      first.confirm(payment, transaction),
      second.confirm(payment, transaction),
    ]);
    return one === other ? one : undefined;
  },
});

async function agreed<T>(first: Promise<T>, second: Promise<T>, evidence: (answer: T) => unknown) {
  const [one, other] = await Promise.all([first, second]);
  if (evidence(one) !== evidence(other)) throw new ContradictionError();
  return one;
}

const evidenceOf = (outcome: ChainOutcome) =>
  outcome.state === 'settled' ? outcome.receipt.transaction.toLowerCase() : outcome.state;
