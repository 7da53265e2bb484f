/** Tests that another service with the same payee is detected. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { examine } from '../../src/operator/doctor/doctor.ts';
import { authorize, newNonce, nowSeconds } from '../support/payments/authorization.ts';
import {
  type PaymentFixtures,
  readUntilDecided,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { walletKeyFile } from '../support/payments/wallet-key-file.ts';

let fixtures: PaymentFixtures;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
});
afterAll(() => fixtures?.stop());

const WARNING = 'transfers to X402_PAY_TO that this log does not know';

const doctor = async () => {
  const X402_WALLET_KEY_FILE = walletKeyFile(fixtures.settings.DATA_DIR ?? '');
  const findings = await examine(readConfig({ ...fixtures.settings, X402_WALLET_KEY_FILE }));
  return findings.find(({ check }) => check === 'payee');
};

test('money of another log at the same address is detected at the start and by the doctor', async () => {
  const one = await fixtures.replica({ name: 'one' });
  const { test: report, header } = await fixtures.purchase();
  expect((await readUntilDecided(one, report, header)).status).toBe(200);
  expect(await doctor()).toMatchObject({ level: 'ok' });

  // Another deployment receives a payment at the same address.
  const payer = await fixtures.newPayer(1);
  const signed = await authorize(fixtures.chain, {
    from: payer.address,
    key: payer.privateKey,
    validBefore: nowSeconds() + 600,
    nonce: newNonce(),
  });
  const { transactionHash } = await fixtures.broadcast(payer, signed);
  expect(await doctor()).toMatchObject({
    level: 'warn',
    detail: expect.stringContaining(`1 of the transfers`),
    advice: expect.stringContaining('Give each log its own X402_PAY_TO'),
  });
  const two = await fixtures.replica({ name: 'two' });
  await expect.poll(() => two.log.join('')).toContain(WARNING);
  expect(two.log.join('')).toContain(transactionHash);
  expect(one.log.join('')).not.toContain(WARNING);
  // The service warns, but sells.
  const { test: other, header: next } = await fixtures.purchase();
  expect((await readUntilDecided(two, other, next)).status).toBe(200);
});
