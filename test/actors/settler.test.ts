import { describe, expect, test } from 'vitest';
import { isPaymentPayload } from '../../src/domain/payment-payload.ts';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import type { Outcome, PaymentVerdict } from '../../src/ports/payment.ts';
import { aPayment, aSettler, receipt, refusal } from '../support/payments/settler.ts';
import { elapse } from '../support/process/elapse.ts';
import { TEST_ID } from '../support/process/instants.ts';

const CHALLENGE = ['payment-required'];
const RETRY = ['retry-after'];

describe('before money', () => {
  test('an unsigned read of an unpaid report is 402 with the challenge', async () => {
    const { read, types } = aSettler();
    expect(await refusal(read())).toMatchObject({ code: 'payment_required', headers: CHALLENGE });
    expect(types()).toEqual([]);
  });

  test.each([
    ['garbage', '%%%', 'invalid_request', 'invalid_payload'],
    ['JSON null', btoa('null'), 'invalid_request', 'invalid_payload'],
    ['version 1', aPayment({ version: 1 }), 'payment_invalid', 'invalid_x402_version'],
    [
      'another network',
      aPayment({ accepted: { network: 'eip155:1' } }),
      'payment_invalid',
      'invalid_network',
    ],
    [
      'another amount',
      aPayment({ accepted: { amount: '1' } }),
      'payment_invalid',
      'invalid_payment_requirements',
    ],
    [
      'another payee in the authorization',
      aPayment({ authorization: { to: `0x${'9'.repeat(40)}` } }),
      'payment_invalid',
      'invalid_exact_evm_recipient_mismatch',
    ],
    [
      'an authorization that has run out',
      aPayment({ authorization: { validBefore: '1000' } }),
      'payment_invalid',
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
  ])('%s is refused before anything is asked', async (_name, header, code, error) => {
    const { read, asked, types } = aSettler();
    expect(await refusal(read(header))).toEqual({ code, headers: CHALLENGE, error });
    expect([asked, types()]).toEqual([[], []]);
  });

  test('a payment that the chain would refuse is 402 and leaves nothing', async () => {
    const { read, script, types, claims } = aSettler();
    script.verify = async () => ({ ok: false, reason: 'insufficient_funds' });
    expect(await refusal(read(aPayment()))).toMatchObject({ error: 'insufficient_funds' });
    expect([types(), claims.all().size]).toEqual([[], 0]);
  });

  test.each(['ready', 'verify'] as const)(
    '%s that rejects is 502 and starts nothing',
    async (step) => {
      const { read, script, types } = aSettler();
      script[step] = async () => {
        throw new Error('down');
      };
      expect(await refusal(read(aPayment()))).toMatchObject({
        code: 'facilitator_unavailable',
        headers: RETRY,
      });
      expect(types()).toEqual([]);
    },
  );

  test('once many took their money back, a new payer has to have it a block later still', async () => {
    const { read, script, types } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'failed', reverted: true });
    for (let reverts = 0; reverts < 11; reverts += 1)
      await refusal(read(aPayment(), `${TEST_ID.slice(0, -2)}${10 + reverts}`));
    const before = types().length;

    let [block, checks] = [100, 0];
    script.head = () => ++block;
    script.verify = async () =>
      ++checks === 1 ? { ok: true } : { ok: false, reason: 'insufficient_funds' };
    expect(await refusal(read(aPayment()))).toMatchObject({ error: 'insufficient_funds' });
    expect(types()).toHaveLength(before);
  });

  test('a report that cannot be loaded is never charged', async () => {
    const { read, script, types, count } = aSettler();
    script.load = async () => {
      throw new Error('gone');
    };
    await expect(read(aPayment())).rejects.toThrow('gone');
    expect([types(), count('settle')]).toEqual([[], 0]);
  });

  test('a test that is deleted in the instant of the payment is never charged', async () => {
    const { read, script, types, count } = aSettler();
    script.isThere = async () => false;
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'test_not_found' });
    expect(types()).toEqual(['SettlementStarted', 'SettlementFailed']);
    expect(count('settle')).toBe(0);
  });

  test('a log that does not say whether the test is there stops no payment', async () => {
    const { read, script } = aSettler();
    script.isThere = async () => {
      throw new Error('away');
    };
    expect(await read(aPayment())).toMatchObject({ receipt });
  });

  test('a report that another replica deleted is unknown, not a fault', async () => {
    const { read, script } = aSettler();
    script.isThere = async () => false;
    script.load = async () => {
      throw new Error('gone');
    };
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'test_not_found' });
  });

  test('money is moving only between the start of a settlement and its end', async () => {
    const { read, script, settler } = aSettler();
    expect(await settler.isSettling(TEST_ID)).toBe(false);
    script.settle = async () => ({ kind: 'unknown', reason: 'nobody knows' });
    await refusal(read(aPayment()));
    expect(await settler.isSettling(TEST_ID)).toBe(true);
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    expect(await settler.isSettling(TEST_ID)).toBe(false);
  });

  test.each([
    ['a code', 'transaction_failed', 'transaction_failed'],
    ['others’ own words', 'POST https://node.example/key failed', undefined],
  ])('of an unknown outcome, %s: what the log names', async (_, reason, named) => {
    const { read, script, lines } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason });
    await refusal(read(aPayment()));
    const line = lines.find(({ msg }) => msg === 'settlement outcome unknown');
    expect(line?.reason).toBe(named);
    expect(JSON.stringify(lines)).not.toContain('node.example');
  });

  test('an intent that is not durable is never settled', async () => {
    const { read, payments, count } = aSettler();
    payments.failNext('unknown');
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'log_unavailable' });
    expect(count('settle')).toBe(0);
  });

  test('a log that is away is 503 and nothing is settled', async () => {
    const { read, payments, asked } = aSettler();
    payments.disconnect();
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'log_unavailable' });
    expect(asked).toEqual([]);
  });

  test('in the closing margin an unpaid report answers as if deleted', async () => {
    const { read, to, types } = aSettler();
    to(60 + 86_400 - 180);
    expect(await refusal(read())).toMatchObject({ code: 'payment_required' });
    to(60 + 86_400 - 179);
    expect(await refusal(read())).toMatchObject({ code: 'test_not_found' });
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'test_not_found' });
    expect(types()).toEqual([]);
  });
});

describe('a good payment', () => {
  test('settles once, is recorded, and opens the report with its receipt', async () => {
    const { read, types, count } = aSettler();
    const answer = await read(aPayment());
    expect(answer).toMatchObject({ receipt, report: { schema_version: '1' } });
    expect(types()).toEqual(['SettlementStarted', 'PaymentSettled']);
    expect(count('settle')).toBe(1);
  });

  test('later reads are free, whatever payment they carry', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    await read(payment);
    for (const header of [undefined, payment, aPayment(), 'garbage'])
      expect(await read(header)).toMatchObject({ receipt });
    expect([count('settle'), count('verify')]).toEqual([1, 1]);
  });

  test('does not open a second report', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    await read(payment);
    expect(await refusal(read(payment, 'otherotherot'))).toMatchObject({
      code: 'payment_invalid',
      error: 'invalid_exact_evm_nonce_already_used',
    });
    expect(count('settle')).toBe(1);
  });

  test('sent for two reports at once opens one', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    const answers = await Promise.allSettled([read(payment), read(payment, 'otherotherot')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(count('settle')).toBe(1);
  });

  test('sent twice at once settles once and answers both', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    const answers = await Promise.all([read(payment), read(payment)]);
    expect(answers).toMatchObject([{ receipt }, { receipt }]);
    expect(count('settle')).toBe(1);
  });

  test('that another replica settles while it is checked is no used one', async () => {
    const { read, replica, script, count } = aSettler();
    const payment = aPayment();
    const checks: (() => Promise<PaymentVerdict>)[] = [
      async () => {
        // Between the first replica's look at the log and its check of the payment.
        await read(payment, undefined, replica('replica-2'));
        return { ok: false, reason: 'invalid_exact_evm_nonce_already_used' };
      },
      async () => ({ ok: true }),
    ];
    script.verify = async () => (checks.shift() ?? (async () => ({ ok: true as const })))();
    expect(await read(payment)).toMatchObject({ receipt });
    expect(count('settle')).toBe(1);
  });

  test('two payments at two replicas at once: one settles, the other is never taken', async () => {
    const { read, replica, script, types } = aSettler();
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    const answers = await Promise.allSettled([
      read(aPayment()),
      read(aPayment(), undefined, replica('replica-2')),
    ]);
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(types().filter((type) => type === 'SettlementStarted')).toHaveLength(1);
  });
});

describe('a hostile payer', () => {
  const from = `0x${'7'.repeat(40)}`;
  const by = () => aPayment({ authorization: { from } });
  const ids = Array.from(
    { length: 20 },
    (_, index) => `tests${'abcdefghijklmnopqrst'[index]}aaaaaa`,
  );

  test('with one open settlement waits with the next until it is decided', async () => {
    const { read, script, count } = aSettler({ line: 20 });
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    script.settle = () => promise;
    const first = read(by());
    const others = await Promise.all(ids.map((id) => refusal(read(by(), id))));
    expect(new Set(others.map(({ code }) => code))).toEqual(new Set(['rate_limited']));
    resolve({ kind: 'settled', receipt });
    expect(await first).toMatchObject({ receipt });
    expect(count('settle')).toBe(1);
  });

  test('that pays buys twenty reports at once', async () => {
    const { read, count } = aSettler();
    expect(await Promise.all(ids.map((id) => read(by(), id)))).toHaveLength(20);
    expect(count('settle')).toBe(20);
  });

  test('whose balance does not cover all it has under way waits', async () => {
    const { read, script, count } = aSettler({ line: 20 });
    await read(by());
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    script.settle = () => promise;
    script.balance = 99_999n;
    const second = read(by(), 'secondsecond');
    await new Promise(setImmediate);
    expect(await refusal(read(by(), 'thirdthirdth'))).toMatchObject({ code: 'rate_limited' });
    expect(count('verify')).toBe(2);
    resolve({ kind: 'settled', receipt });
    await second;
  });

  test('whose transaction reverted is not settled again for a while', async () => {
    const { read, script, count } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'failed', reverted: true });
    await refusal(read(by()));
    expect(await refusal(read(by(), 'otherotherot'))).toMatchObject({ code: 'rate_limited' });
    expect(count('settle')).toBe(1);
  });
});

test('a hundred equal payments that cannot be taken are a hundred 402', async () => {
  const { read, script, count } = aSettler();
  script.verify = async () => ({ ok: false, reason: 'insufficient_funds' });
  const payment = aPayment();
  const answers = await Promise.all(Array.from({ length: 100 }, () => refusal(read(payment))));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['payment_invalid']));
  expect(count('verify')).toBe(1);
});

test('what a facilitator refuses and settles all the same opens the report', async () => {
  const { script, read, types, count } = aSettler();
  script.mode = 'facilitator';
  script.verify = async () => ({ ok: false, reason: 'no' });
  script.chain = async () => ({ state: 'settled', receipt, block: 101 });
  expect((await read(aPayment())).receipt).toEqual(receipt);
  expect(types()).toEqual(['SettlementStarted', 'PaymentSettled']);
  expect(count('settle')).toBe(0);
  // What was there before the request, anyone could have read on the chain.
  script.chain = async () => ({ state: 'settled', receipt, block: 100 });
  expect(await refusal(read(aPayment(), 'bbbbbbbbbbbb'))).toMatchObject({
    code: 'payment_invalid',
  });
});

describe('an outcome that is not known', () => {
  test('is what a facilitator says and the chain does not show', async () => {
    const { read, script, types } = aSettler();
    script.confirm = async () => undefined;
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
    expect(types()).toEqual(['SettlementStarted']);
  });

  test('is 503 when it takes too long, and the job goes on without the request', async () => {
    const { read, script, settler, count } = aSettler({ request: 20 });
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    script.settle = () => promise;
    const payment = aPayment();
    expect(await refusal(read(payment))).toMatchObject({ code: 'settlement_pending' });
    resolve({ kind: 'settled', receipt });
    await settler.idle();
    expect(await read()).toMatchObject({ receipt });
    expect(count('settle')).toBe(1);
  });

  test('is 503 settlement_pending when the log goes away after the start', async () => {
    const { read, payments, script, count } = aSettler();
    script.settle = async () => {
      payments.disconnect();
      return { kind: 'unknown', reason: 'timeout' };
    };
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
    expect(count('settle')).toBe(1);
  });

  test('whose report can no longer be loaded is served as it was loaded before', async () => {
    const { read, script } = aSettler();
    script.settle = async () => {
      script.load = async () => {
        throw new Error('gone');
      };
      return { kind: 'settled', receipt };
    };
    expect(await read(aPayment())).toMatchObject({ receipt });
  });

  test('is settled if the chain says so', async () => {
    const { read, script, payments } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    await read(aPayment());
    expect(payments.all().at(-1)?.event).toMatchObject({
      type: 'PaymentSettled',
      data: { found_by: 'reconcile', block: 7 },
    });
  });

  test('is 503 while the chain leaves it open, signed or not, and never a new 402', async () => {
    const { read, script } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
    const payment = aPayment();
    for (const header of [payment, payment, undefined, aPayment()])
      expect(await refusal(read(header))).toMatchObject({
        code: 'settlement_pending',
        headers: RETRY,
      });
  });

  test('is 503 when the settled outcome is not durable', async () => {
    const { read, payments, script } = aSettler();
    script.settle = async () => {
      payments.failNext('unknown');
      return { kind: 'settled', receipt };
    };
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    expect(await read()).toMatchObject({ receipt });
  });

  test.each([
    ['dead', 'expired'],
    ['cancelled', 'cancelled'],
  ] as const)(
    'that the chain calls %s is a failure, and a new payment may follow',
    async (state, reason) => {
      const { read, script, payments } = aSettler();
      script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
      script.chain = async () => ({ state });
      const answer = await refusal(read(aPayment()));
      expect(answer).toMatchObject({
        code: 'payment_invalid',
        headers: ['payment-required', 'payment-response'],
      });
      expect(payments.all().at(-1)?.event).toMatchObject({ data: { reason } });
      script.settle = async () => ({ kind: 'settled', receipt });
      expect(await read(aPayment())).toMatchObject({ receipt });
    },
  );

  test('is taken over by another replica only after 30 s without an event', async () => {
    const { read, script, replica, advance, count } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
    await refusal(read(aPayment()));
    const survivor = replica('replica-2');
    advance(29);
    await survivor.reconcile('abcdefgh2345');
    expect(count('resume')).toBe(0);
    advance(1);
    script.resume = async () => ({ kind: 'settled', receipt });
    await survivor.reconcile('abcdefgh2345');
    expect(await read()).toMatchObject({ receipt });
  });
});

test('a settlement is taken over after 30 s also when the clock was set back', async () => {
  const { read, script, replica, advance, count } = aSettler();
  script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
  await refusal(read(aPayment()));
  advance(-3600);
  const survivor = replica('replica-2');
  await survivor.reconcile('abcdefgh2345');
  elapse(29_000);
  await survivor.reconcile('abcdefgh2345');
  expect(count('resume')).toBe(0);
  elapse(2000);
  await survivor.reconcile('abcdefgh2345');
  expect(count('resume')).toBe(1);
});

describe('a refusal by the settlement', () => {
  test('is definitive when we settle ourselves and signed nothing', async () => {
    const { read, script, types } = aSettler();
    script.settle = async () => ({ kind: 'refused', reason: 'insufficient_funds' });
    expect(await refusal(read(aPayment()))).toMatchObject({
      code: 'payment_invalid',
      error: 'insufficient_funds',
    });
    expect(types()).toEqual(['SettlementStarted', 'SettlementFailed']);
  });

  test('proves nothing once a transaction was signed', async () => {
    const { read, script } = aSettler();
    const tx = {
      transaction: `0x${'5'.repeat(64)}`,
      raw: '0x02f8',
      wallet: `0x${'6'.repeat(40)}`,
      wallet_nonce: 1,
      gas: '90000',
      max_fee_per_gas: '1',
      max_priority_fee_per_gas: '1',
    };
    script.settle = async ({ recordSigned }) => {
      await recordSigned(tx);
      return { kind: 'refused', reason: 'reverted' };
    };
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
  });

  test('proves nothing when a facilitator says so', async () => {
    const { read, script } = aSettler();
    script.mode = 'facilitator';
    script.settle = async () => ({ kind: 'refused', reason: 'whatever' });
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
  });

  test('and a payer that broadcasts it after all gets the report for it', async () => {
    const { read, script, count } = aSettler();
    script.settle = async () => ({ kind: 'refused', reason: 'insufficient_funds' });
    const payment = aPayment();
    await refusal(read(payment));
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    expect(await read(payment)).toMatchObject({ receipt });
    expect(count('settle')).toBe(1);
  });

  test.each([
    ['after the authorization has run out', 400],
    ['in the closing margin', 60 + 86_400 - 100],
  ])('and one that broadcasts it and comes %s gets the report as well', async (_name, seconds) => {
    const { read, script, to, count } = aSettler();
    script.settle = async () => ({ kind: 'refused', reason: 'insufficient_funds' });
    const payment = aPayment();
    await refusal(read(payment));
    to(seconds);
    await refusal(read(payment));
    await refusal(read(aPayment()));
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    expect(await refusal(read(payment, 'otherotherot'))).toMatchObject({
      code: seconds === 400 ? 'payment_invalid' : 'test_not_found',
    });
    expect(await read(payment)).toMatchObject({ receipt });
    expect([count('settle'), count('verify')]).toEqual([1, 1]);
  });

  test('proves nothing of an attempt that a facilitator began', async () => {
    const { read, script, advance, types } = aSettler();
    script.mode = 'facilitator';
    script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
    await refusal(read(aPayment()));
    script.mode = 'self';
    script.resume = async () => ({ kind: 'refused', reason: 'insufficient_funds' });
    advance(31);
    expect(await refusal(read())).toMatchObject({ code: 'settlement_pending' });
    expect(types()).toEqual(['SettlementStarted']);
  });

  test('the twenty-first attempt is asked to stop', async () => {
    const { read, script } = aSettler();
    script.settle = async () => ({ kind: 'refused', reason: 'insufficient_funds' });
    for (let attempt = 1; attempt <= 20; attempt += 1) await refusal(read(aPayment()));
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'rate_limited' });
  });
});

describe('the sample', () => {
  test('is paid for by each authorization alone, and its re-read is free', async () => {
    const { settler, count } = aSettler();
    const ask = (paymentHeader?: string) =>
      settler.read({ testId: 'samplereport', row: 'sample', paymentHeader });
    const payment = aPayment();
    expect(isPaymentPayload(decodeHeader(payment))).toBe(true);
    expect(await ask(payment)).toMatchObject({ receipt });
    expect(await ask(payment)).toMatchObject({ receipt });
    expect(await refusal(ask())).toMatchObject({ code: 'payment_required' });
    expect(count('settle')).toBe(1);
    await ask(aPayment());
    expect(count('settle')).toBe(2);
  });
});
