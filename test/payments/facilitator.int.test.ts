/** Tests sales that a facilitator settles. */

import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../support/payments/facilitator.ts';
import { readReport } from '../support/payments/payment-environment.ts';
import { readUntilDecided } from '../support/payments/payment-fixtures.ts';
import { casesThatMustHold } from './cases.ts';

interface Change {
  readonly settle?: Behaviour;
}

const refusal = { success: false, isValid: false, errorReason: 'no', invalidReason: 'no' };

casesThatMustHold('facilitator', (environment) => {
  const behaviours = new Map<string, Change>();
  const behave = (payer: { readonly address: string }, change: Change) => {
    behaviours.set(payer.address, change);
    environment().fixtures.facilitator.behave({
      settle: (from) => behaviours.get(from)?.settle ?? 'up',
    });
  };

  describe.concurrent('a facilitator', () => {
    test('that is unavailable leads to 502 before anything is shown to it', async () => {
      const { fixtures, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      const late = await fixtures.replica({
        name: 'late',
        settings: { X402_FACILITATOR_URL: 'http://127.0.0.1:9' },
      });
      const { status, code, headers } = await readReport(late, report, header);
      expect([status, code, headers.get('retry-after')]).toEqual([
        502,
        'facilitator_unavailable',
        '5',
      ]);
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
      await late.kill();
    });

    test.each([
      ['loses its answer and has settled', 'lost'],
      ['says that it is pending and has settled', 'pending'],
      ['says invalid and settles later', { status: 200, body: refusal, doneAfterMs: 1_500 }],
      ['fails and has settled', { status: 500, body: {}, doneAfterMs: 0 }],
      ['refuses by a 4xx and has settled', { status: 400, body: refusal, doneAfterMs: 0 }],
    ] as const)(
      'that %s never leads to a 402, and its payment opens the report',
      async (_name, settle) => {
        const { fixtures, one, outcome } = environment();
        const { test: report, payer, header } = await fixtures.purchase({ reports: 3 });
        behave(payer, { settle });
        const statuses = new Set<number>();
        for (const sent of [header, undefined, (await fixtures.sign(payer)).header])
          statuses.add((await readReport(one, report, sent)).status);
        expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
        expect((await readUntilDecided(one, report, header)).status).toBe(200);
        expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
      },
    );

    test('that is down when it should settle leaves the settlement open, and is asked again', async () => {
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

    test('that never responds is given up, and the chain decides', async () => {
      const { fixtures, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      behave(payer, { settle: 'slow' });
      const hurried = await fixtures.replica({ name: 'hurried', timeouts: { settle: 1_000 } });
      expect((await readUntilDecided(hurried, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });
  });
});
