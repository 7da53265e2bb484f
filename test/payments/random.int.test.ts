import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentChain } from '../../src/adapters/chain/payment-chain.ts';
import { createLedger, verifyAll } from '../../src/cli/replay/payments.ts';
import { scan } from '../../src/cli/replay/scan.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { soak } from '../tools/soak/rounds.ts';

const environments: PaymentFixtures[] = [];
beforeAll(async () => {
  environments.push(await startPaymentFixtures('self'), await startPaymentFixtures('facilitator'));
});
afterAll(() => Promise.all(environments.map((fixtures) => fixtures.stop())));

/** The same rounds in every run; `npm run lab -- soak payments` goes through others. */
const SEED = 20_261_121;

test.each([0, 1])('whatever happens, the payee gets one payment a report (%i)', async (index) => {
  const fixtures = environments[index] as PaymentFixtures;
  const printed: string[] = [`seed ${SEED}`];
  const breakLog = async () => {
    await sleep(100);
    await fixtures.nats.kill();
    await fixtures.nats.start();
  };
  const done = soak({
    environment: fixtures,
    rounds: 4,
    seed: SEED,
    print: (text) => printed.push(text),
    breakLog,
  });
  const tally = await done.catch((cause: unknown) => {
    throw new Error(printed.join('\n'), { cause });
  });
  expect(tally.requests).toBeGreaterThan(0);

  const ledger = createLedger();
  const progress = () => {};
  await scan(fixtures.log.payments, { name: 'payments', progress, onEvent: ledger.add });
  const chain = paymentChain({ rpcUrl: fixtures.chain.rpcUrl, network: 'eip155:8453' });
  const verified = await verifyAll(ledger.since(), () => chain, progress);
  expect(verified.filter(({ difference }) => difference !== null)).toEqual([]);
  expect(verified.filter(({ state }) => state === 'settled')).toHaveLength(
    await fixtures.transfers(),
  );
});
