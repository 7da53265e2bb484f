import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Mode,
  type PaymentFixtures,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { startLiar } from '../tools/soak/lies/liar.ts';
import { liesFor } from '../tools/soak/lies/lies.ts';

/** The same in every run; `npm run lab -- soak lies` tells all of them. */
const SEED = 20_261_122;

describe.each<Mode>(['self', 'facilitator'])('in mode %s', (mode) => {
  let fixtures: PaymentFixtures;
  let liar: Awaited<ReturnType<typeof startLiar>>;
  beforeAll(async () => {
    fixtures = await startPaymentFixtures(mode);
    liar = await startLiar(fixtures, SEED);
  });
  afterAll(() => fixtures?.stop());

  test.each(liesFor(mode, { seed: SEED, count: 5 }))(
    '$name: no second transfer, and no report without one',
    async (lie) => {
      expect((await liar.tell(lie)).broken).toEqual([]);
      expect(await liar.late()).toEqual([]);
    },
  );
});
