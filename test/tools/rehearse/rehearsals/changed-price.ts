import type { Rehearse } from '../rehearsal.ts';
import { replaceEach, type Stage } from '../stage.ts';

/** In atomic units: USD 0.08 in place of 0.05. */
const PRICE = '80000';

/** While it is changed there are two prices, and each buyer pays one that was asked. */
export const changedPrice: Rehearse = () => ({
  steps: [
    [
      'Replace one replica after the other, with the new `X402_AMOUNT`.',
      async (stage) => {
        await stage.load.paidMore(3);
        await replaceEach(stage, async () => ({ env: { X402_AMOUNT: PRICE } }));
        return undefined;
      },
    ],
    [
      'See that every replica asks the new price, and that what was paid before is served without another payment.',
      async ({ load, ...stage }) => {
        await load.paidMore(6);
        const asked = await pricesOf(stage);
        if (asked.some((price) => price !== PRICE))
          throw new Error(`Asked is ${asked.join(', ')}.`);
        const prices = Map.groupBy(
          load.all.filter(({ report }) => report !== ''),
          ({ paid }) => paid,
        );
        return [...prices].map(([price, all]) => `${all.length} paid ${price}`).join(', ');
      },
    ],
  ],
});

const pricesOf = ({ replicas }: Pick<Stage, 'replicas'>) =>
  Promise.all(
    replicas.map(async ({ http }) => {
      const response = await fetch(`${http()}/v1/report?test_id=samplereport`);
      const { accepts } = (await response.json()) as { accepts: readonly { amount: string }[] };
      return accepts[0]?.amount;
    }),
  );
