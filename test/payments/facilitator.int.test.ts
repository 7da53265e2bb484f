import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../support/payments/facilitator.ts';
import { readUntilDecided } from '../support/payments/payment-fixtures.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import { casesThatMustHold } from './cases.ts';

type Change = Partial<Record<'verify' | 'settle', Behaviour>>;

const hash = `0x${'ab'.repeat(32)}`;

casesThatMustHold('facilitator', (environment) => {
  const behaviours = new Map<string, Change>();
  const behave = (payer: { readonly address: string }, change: Change) => {
    behaviours.set(payer.address, change);
    environment().fixtures.facilitator.behave({
      verify: (from) => behaviours.get(from)?.verify ?? 'up',
      settle: (from) => behaviours.get(from)?.settle ?? 'up',
    });
  };

  describe.concurrent('a facilitator', () => {
    test.each([
      ['is down', 'down'],
      ['answers nonsense', { status: 200, body: 'x' }],
      ['fails', { status: 500, body: {} }],
    ] as const)('that %s when asked starts nothing', async (_name, verify) => {
      const { fixtures, one, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      behave(payer, { verify });
      const answer = await readReport(one, report, header);
      expect([answer.status, answer.code]).toEqual([502, 'facilitator_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
      behave(payer, {});
      expect((await readReport(one, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test.each(['lost', 'pending'] as const)(
      'whose answer is %s has settled all the same',
      async (settle) => {
        const { fixtures, one, outcome } = environment();
        const { test: report, payer, header } = await fixtures.purchase();
        behave(payer, { settle });
        expect((await readUntilDecided(one, report, header)).status).toBe(200);
        expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
      },
    );

    test('that is down when it should settle leaves it open, and is asked again', async () => {
      const { fixtures, one, two, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      behave(payer, { settle: 'down' });
      for (const sent of [header, undefined, header]) {
        const answer = await readReport(one, report, sent);
        expect([answer.status, answer.code]).toEqual([503, 'settlement_pending']);
      }
      expect(await outcome(report.test_id, payer)).toEqual(['settling', 0]);
      behave(payer, {});
      expect((await readUntilDecided(one, report)).status).toBe(200);
      expect((await readReport(two, report)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test.each([
      ['names another payer', { payer: `0x${'1'.repeat(40)}`, transaction: hash }],
      ['names no transaction', { transaction: '' }],
      ['names a transaction that is not on the chain', { transaction: hash }],
      ['names another network', { network: 'eip155:1', transaction: hash }],
      ['says that it failed', { success: false, transaction: '', errorReason: 'no' }],
    ])('that lies and %s is not believed', async (_name, lie) => {
      const { fixtures, one, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      const body = { success: true, network: 'eip155:8453', payer: payer.address, ...lie };
      behave(payer, { settle: { status: 200, body } });
      const answer = await readReport(one, report, header);
      expect([answer.status, answer.code]).toEqual([503, 'settlement_pending']);
      expect(await outcome(report.test_id, payer)).toEqual(['settling', 0]);
      behave(payer, {});
      expect((await readUntilDecided(one, report)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('that never answers is given up, and the chain decides', async () => {
      const { fixtures, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      behave(payer, { settle: 'slow' });
      const hurried = await fixtures.replica({ name: 'hurried', timeouts: { settle: 1_000 } });
      expect((await readUntilDecided(hurried, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });
  });
});
