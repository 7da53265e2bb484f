import { CommandError } from '../exit.ts';
import { formatUsd } from './limits.ts';

/**
 * What may be signed for in all. What was signed is spent, also when the service says that it was not
 * charged: a signature can be redeemed until it runs out.
 *
 * @param most atomic units
 */
export function createBudget(most: bigint): (amount: bigint) => void {
  let spent = 0n;
  return (amount) => {
    if (spent + amount > most)
      throw new CommandError(
        'payment_not_allowed',
        `Nothing was paid. The report costs ${formatUsd(amount)}, and of the ${formatUsd(most)} that the person allows (--budget) ${formatUsd(most - spent)} are left. Ask the person to start this server with a higher --budget.`,
      );
    spent += amount;
  };
}
