import { describe, expect, test } from 'vitest';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import { nowSeconds } from '../support/payments/authorization.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import { casesThatMustHold } from './cases.ts';

casesThatMustHold('self', (environment) => {
  describe.concurrent('our own wallet', () => {
    test('refuses a payer who was drained after the check, and serves it if it pays after all', async () => {
      const { fixtures, one, outcome, challengeOf, receiptOf } = environment();
      const { test: report, payer, header, signed } = await fixtures.purchase();
      fixtures.at('claimed', report.test_id, () => fixtures.drain(payer));
      const refused = await readReport(one, report, header);
      expect([refused.status, refused.code]).toEqual([402, 'payment_invalid']);
      expect(challengeOf(refused).error).toBe(refused.error);
      expect(decodeHeader(receiptOf(refused) ?? '')).toMatchObject({
        success: false,
        transaction: '',
        errorReason: refused.error,
      });
      expect((await fixtures.payment(report.test_id)).types).toEqual([
        'SettlementStarted',
        'SettlementFailed',
      ]);
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);

      await fixtures.chain.fundToken(payer.address, 50_000n);
      await fixtures.broadcast(payer, signed);
      const other = await fixtures.readyTest();
      expect((await readReport(one, other, header)).status).toBe(402);
      expect((await readReport(one, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('serves money that arrived, though its authorization is out of time by now', async () => {
      const { fixtures, one, outcome } = environment();
      const validBefore = nowSeconds() + 22;
      const { test: report, payer, header, signed } = await fixtures.purchase({ validBefore });
      fixtures.at('claimed', report.test_id, () => fixtures.drain(payer));
      expect((await readReport(one, report, header)).status).toBe(402);
      await fixtures.chain.fundToken(payer.address, 50_000n);
      // Too little time is left from here on.
      await expect.poll(nowSeconds).toBeGreaterThan(validBefore - 20);
      const late = await readReport(one, report, header);
      expect([late.status, late.error]).toEqual([402, expect.stringContaining('valid_before')]);

      await fixtures.broadcast(payer, signed);
      expect((await readReport(one, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });
  });
});
