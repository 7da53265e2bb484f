import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { isPaymentPayload } from '../../../src/domain/payment-payload.ts';
import { judgePayment, judgeTimes } from '../../../src/domain/payment-terms.ts';
import { decodeHeader } from '../../../src/domain/x402-headers.ts';
import { jobOf, SOON_MS, termsOf } from '../../support/payments/payment-chain.ts';
import { useSelfSettlement } from '../../support/payments/self-settlement.ts';

const { chain, settlement, transfers } = useSelfSettlement();

test('what the official client signs for our terms is taken and settled', async () => {
  const requirements = termsOf(chain());
  const offer = {
    x402Version: 2,
    resource: { url: 'https://example.org' },
    accepts: [requirements],
  };
  const payer = privateKeyToAccount(chain().payer.privateKey);
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(payer));
  const made = await client.createPaymentPayload(offer as PaymentRequired);

  const payload = decodeHeader(encodePaymentSignatureHeader(made));
  if (!isPaymentPayload(payload)) throw new Error('not a payment to us');
  const judged = judgePayment(payload, requirements);
  if (!judged.ok) throw new Error(judged.error);

  expect(judgeTimes(judged.authorization, Date.now(), Date.now() + 3_600_000)).toBeUndefined();
  const payment = { requirements, ...judged };
  expect(await settlement().verify(payment, SOON_MS)).toEqual({ ok: true });
  expect(await settlement().settle(jobOf(payment), SOON_MS)).toMatchObject({ kind: 'settled' });
  expect(await transfers()).toBe(1);
});
