/**
 * Tests the sale of a report, from the 402 challenge to the recorded settlement: refusals, hostile
 * payers, unknown outcomes, requests that wait, money that arrives late, and the sample.
 */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import type { SettlementOutcome } from '../../src/ports/payment.ts';
import { aPayment, aSettler, readyRow, receipt, refusal } from '../support/payments/settler.ts';
import { elapse } from '../support/process/elapse.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';

const CHALLENGE = ['payment-required'];
const RETRY = ['retry-after'];

afterEach(() => vi.useRealTimers());

describe('before money moves', () => {
  test('an unsigned request for an unpaid report gets 402 with the challenge', async () => {
    const { read, types } = aSettler();
    expect(await refusal(read())).toMatchObject({ code: 'payment_required', headers: CHALLENGE });
    const url = `https://api.example/v1/report?test_id=${TEST_ID}`;
    await expect(read()).rejects.toMatchObject({ options: { members: { resource: { url } } } });
    expect(types()).toEqual([]);
  });

  test.each([
    ['garbage', '%%%', 'invalid_request', 'invalid_payload'],
    ['JSON null', btoa('null'), 'invalid_request', 'invalid_payload'],
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

  test('a payment of version 1 is told what version 2 needs, and is not read', async () => {
    const { settler, script, asked } = aSettler();
    for (const row of [readyRow(), 'sample' as const])
      await expect(
        settler.read({
          testId: TEST_ID,
          row,
          ip: script.ip,
          paymentHeader: undefined,
          hasVersion1: true,
        }),
      ).rejects.toMatchObject({
        code: 'payment_invalid',
        options: {
          members: { x402Version: 2, error: 'invalid_x402_version' },
          detail: expect.stringMatching(/X-PAYMENT .* version 1.*PAYMENT-SIGNATURE/),
        },
      });
    expect(asked).toEqual([]);
  });

  test('the fault of a payment is named, with the expected value', async () => {
    const { read } = aSettler();
    for (const [header, detail] of [
      [
        aPayment({ accepted: { amount: '50001' } }),
        'accepted.amount is "50001"; expected "50000".',
      ],
      [
        aPayment({ authorization: { from: '0x12' } }),
        'payload.authorization.from is "0x12"; expected 0x and 40 hex digits.',
      ],
      ['%%%', 'PAYMENT-SIGNATURE is not standard base64: character 1 does not belong to it.'],
    ] as const)
      await expect(read(header)).rejects.toMatchObject({
        options: { detail: expect.stringContaining(detail) },
      });
  });

  test('a payment that its payer did not sign uses up nothing: no query to the chain, no claim', async () => {
    const { read, script, asked, types } = aSettler();
    script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
    expect(await refusal(read(aPayment()))).toMatchObject({
      code: 'payment_invalid',
      error: 'invalid_exact_evm_signature',
    });
    expect([asked, types()]).toEqual([['signature'], []]);
  });

  test('a payer without the money gets 402, and leaves a claim and no event', async () => {
    const { read, script, types, claims, count } = aSettler();
    script.balance = 49_999n;
    expect(await refusal(read(aPayment()))).toMatchObject({
      error: 'invalid_exact_evm_insufficient_balance',
    });
    expect([types(), claims.all().size, count('settle')]).toEqual([[], 1, 0]);
  });

  test('an authorization that was used before it was shown here opens nothing, however often', async () => {
    const { read, script, claims, types } = aSettler();
    script.ended = async () => 'settled';
    const payment = aPayment();
    for (const id of [TEST_ID, TEST_ID, 'otherotherot'])
      expect(await refusal(read(payment, id))).toMatchObject({
        code: 'payment_invalid',
        error: 'invalid_exact_evm_nonce_already_used',
      });
    expect([types(), claims.all().size]).toEqual([[], 0]);
  });

  test.each<[string, (world: ReturnType<typeof aSettler>) => Promise<unknown>, RegExp]>([
    [
      'is sent for two reports',
      async ({ read }) => {
        const payment = aPayment();
        await read(payment);
        return read(payment, 'otherotherot');
      },
      /nonce_already_used\. This authorization was sent for another report.* Sign a new one/,
    ],
    [
      'exceeds the balance',
      async ({ read, script }) => {
        script.balance = 49_999n;
        return read(aPayment());
      },
      /insufficient_balance\. The wallet payload\.authorization\.from has less .* Add funds/,
    ],
    [
      'is signed by somebody else',
      async ({ read, script }) => {
        script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
        return read(aPayment());
      },
      /evm_signature\. payload\.signature was not made by payload\.authorization\.from: sign/,
    ],
  ])('a payment that %s is told what is wrong and what to do', async (_, play, says) => {
    const detail = await play(aSettler()).catch((error) => error.options.detail);
    expect(detail).toMatch(says);
  });

  test.each(['ready', 'signature', 'ended'] as const)(
    '%s that rejects leads to 502 and starts nothing',
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

  test('a report that cannot be loaded is never charged', async () => {
    const { read, script, types, count } = aSettler();
    script.load = async () => {
      throw new Error('gone');
    };
    await expect(read(aPayment())).rejects.toThrow('gone');
    expect([types(), count('settle')]).toEqual([[], 0]);
  });

  test('a test that is deleted at the moment of the payment is never charged', async () => {
    const { read, script, types, count } = aSettler();
    script.isThere = async () => false;
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'test_not_found' });
    expect(types()).toEqual(['SettlementStarted', 'SettlementFailed']);
    expect(count('settle')).toBe(0);
  });

  test('a log that does not say whether the test exists stops no payment', async () => {
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
  ])('an unknown outcome, %s: what the log names', async (_, reason, named) => {
    const { read, script, lines } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason });
    await refusal(read(aPayment()));
    const line = lines.find(({ msg }) => msg === 'settlement outcome unknown');
    expect(line?.reason).toBe(named);
    expect(JSON.stringify(lines)).not.toContain('node.example');
  });

  test.each([
    ['unknown', 'settlement_pending'],
    ['full', 'log_unavailable'],
  ] as const)('an intent whose record is %s is never settled, and is %s', async (how, code) => {
    const { read, payments, count } = aSettler();
    payments.failNext(how);
    expect(await refusal(read(aPayment()))).toMatchObject({ code });
    expect(count('settle')).toBe(0);
  });

  test('an unavailable log leads to 503, and nothing is settled', async () => {
    const { read, payments, asked } = aSettler();
    payments.disconnect();
    await expect(read(aPayment())).rejects.toMatchObject({
      code: 'log_unavailable',
      options: { detail: expect.stringContaining('moved no money') },
    });
    expect(asked).toEqual([]);
  });

  test('within the closing margin, an unpaid report is no longer sold, and the response says when it is deleted', async () => {
    const { read, to, types } = aSettler();
    const end = 60 + 86_400;
    const instant = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();
    to(end - 30);
    expect(await refusal(read())).toMatchObject({ code: 'payment_required' });
    to(end - 29);
    for (const header of [undefined, aPayment(), 'garbage'])
      await expect(read(header)).rejects.toMatchObject({
        code: 'sale_closed',
        options: { members: { pay_before: instant(end - 30), expires_at: instant(end) } },
      });
    expect(types()).toEqual([]);
  });

  test('in the last second before the closing margin a report is still sold', async () => {
    const { read, to } = aSettler();
    const end = 60 + 86_400;
    to(end - 30);
    const validBefore = `${T0 / 1000 + end - 15}`;
    expect(await read(aPayment({ authorization: { validBefore } }))).toMatchObject({ receipt });
  });
});

describe('a good payment', () => {
  test('is shown to nobody before it is claimed, covered and durably started', async () => {
    const { read, script, asked, types } = aSettler();
    script.settle = async () => {
      asked.push(...types());
      return { kind: 'settled', receipt };
    };
    await read(aPayment());
    expect(asked).toEqual([
      ...['signature', 'ready', 'ended', 'load', 'claim', 'balance'],
      ...['settle', 'SettlementStarted', 'confirm'],
    ]);
  });

  test('settles once, is recorded, and opens the report with its receipt', async () => {
    const { read, types, count } = aSettler();
    const answer = await read(aPayment());
    expect(answer).toMatchObject({ receipt, report: { schema_version: '1' } });
    expect(types()).toEqual(['SettlementStarted', 'PaymentSettled']);
    expect(count('settle')).toBe(1);
  });

  test('makes later requests free, whatever payment they carry', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    await read(payment);
    for (const header of [undefined, payment, aPayment(), 'garbage'])
      expect(await read(header)).toMatchObject({ receipt });
    expect([count('settle'), count('signature')]).toEqual([1, 1]);
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

  test('that is sent for two reports at once opens one', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    const answers = await Promise.allSettled([read(payment), read(payment, 'otherotherot')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(count('settle')).toBe(1);
  });

  test('that is sent twice at once settles once and serves both', async () => {
    const { read, count } = aSettler();
    const payment = aPayment();
    const answers = await Promise.all([read(payment), read(payment)]);
    expect(answers).toMatchObject([{ receipt }, { receipt }]);
    expect(count('settle')).toBe(1);
  });

  test.each(['end', 'balance'])(
    'that another replica settles before its %s is checked does not count as used',
    async (look) => {
      const { read, replica, script, count } = aSettler();
      const payment = aPayment();
      script.ended = async () => {
        if (count('ended') > 1) return undefined;
        await read(payment, undefined, replica('replica-2'));
        script.balance = 0n;
        return look === 'end' ? 'settled' : undefined;
      };
      expect(await read(payment)).toMatchObject({ receipt });
      expect(count('settle')).toBe(1);
    },
  );

  test('two payments at two replicas at once: one settles, the other is never charged', async () => {
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

  test('with one open settlement waits with the next one until the first is decided', async () => {
    const { read, script, count } = aSettler({ line: 20 });
    const { promise, resolve } = Promise.withResolvers<SettlementOutcome>();
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

  test('whose balance does not cover everything in progress waits', async () => {
    const { read, script, count } = aSettler({ line: 20 });
    await read(by());
    const { promise, resolve } = Promise.withResolvers<SettlementOutcome>();
    script.settle = () => promise;
    script.balance = 99_999n;
    const second = read(by(), 'secondsecond');
    await new Promise(setImmediate);
    expect(await refusal(read(by(), 'thirdthirdth'))).toMatchObject({ code: 'rate_limited' });
    expect(count('settle')).toBe(2);
    resolve({ kind: 'settled', receipt });
    await second;
  });

  test('whose transaction reverted is not settled again for a while', async () => {
    // The clock is faked, because the seconds that a busy machine takes would shorten the wait.
    vi.useFakeTimers({ toFake: ['performance'] });
    const { read, script, count } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'failed', reverted: '0xabcd' });
    await refusal(read(by()));
    for (let again = 0; again < 20; again += 1)
      await expect(read(by(), 'otherotherot')).rejects.toMatchObject({
        code: 'rate_limited',
        options: { headers: { 'retry-after': '30' } },
      });
    expect(count('settle')).toBe(1);
    // Other payers are not affected, whatever they pay for and whichever wallet they use.
    script.settle = async () => ({ kind: 'settled', receipt });
    expect(await read(aPayment(), 'otherotherot')).toMatchObject({ receipt });
  });

  test('whose authorization a stranger sent first has paid, and need not wait', async () => {
    const { read, script, count } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'failed', reverted: '0xabcd' });
    script.chain = async () => ({ state: 'settled', receipt, block: 101 });
    expect(await read(by())).toMatchObject({ receipt });
    expect(await read(by(), 'otherotherot')).toMatchObject({ receipt });
    expect(count('settle')).toBe(2);
  });

  test('whose authorization expired unused waits before the next one is recorded', async () => {
    const { read, script } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'simulation_failed' });
    script.chain = async () => ({ state: 'dead' });
    expect(await refusal(read(by()))).toMatchObject({ error: 'authorization_expired' });
    expect(await refusal(read(by()))).toMatchObject({ code: 'rate_limited' });
  });

  test('with ever new wallets shares what is claimed and not paid only with its network', async () => {
    const { read, script, claims, types } = aSettler();
    script.balance = 0n;
    for (let claimed = 0; claimed < 70; claimed += 1) await refusal(read(aPayment()));
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'rate_limited', headers: RETRY });
    expect([claims.all().size, types()]).toEqual([60, []]);
    script.balance = 50_000n;
    // Even in that network, a payer who has the money is served, as long as starts are left.
    expect(await read(aPayment(), 'bought000001')).toMatchObject({ receipt });
    script.ip = '198.51.100.1';
    // A payment that succeeds gives back what it took.
    for (let paid = 0; paid < 70; paid += 1)
      expect(await read(aPayment(), `bought${String(100 + paid)}`)).toMatchObject({ receipt });
  });

  test('that has paid once shares what it claims and cannot pay like one that never did', async () => {
    const { read, script, claims } = aSettler();
    const from = '0x00000000000000000000000000000000000000b1';
    const next = () => read(aPayment({ authorization: { from } }), `bought${claims.all().size}`);
    expect(await next()).toMatchObject({ receipt });
    script.balance = 0n;
    for (let claimed = 0; claimed < 70; claimed += 1) await refusal(next());
    expect(await refusal(next())).toMatchObject({ code: 'rate_limited' });
    script.balance = 50_000n;
    script.ip = '198.51.100.1';
    expect(await next()).toMatchObject({ receipt });
  });

  test('with ever new wallets that are drained never writes more than its share', async () => {
    const { read, script, types, payments } = aSettler();
    const drain = () => refusal(read(aPayment(), `drained${types().length}`));
    script.settle = async () => ({ kind: 'unknown', reason: 'simulation_failed' });
    script.chain = async () => ({ state: 'dead' });
    for (let drained = 0; drained < 20; drained += 1)
      expect(await drain()).toMatchObject({ error: 'authorization_expired' });
    for (let again = 0; again < 30; again += 1)
      expect(await drain()).toMatchObject({ code: 'rate_limited', headers: RETRY });
    expect(types()).toHaveLength(2 * 20);
    const bytes = payments.all().reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
    expect(bytes / 20).toBeLessThan(2_048);
    script.ip = '198.51.100.1';
    script.settle = async () => ({ kind: 'settled', receipt });
    expect(await read(aPayment(), 'honesthonest')).toMatchObject({ receipt });
  });
});

test('a hundred equal payments that cannot be accepted get a hundred 402 responses', async () => {
  const { read, script, count } = aSettler();
  script.balance = 0n;
  const payment = aPayment();
  const answers = await Promise.all(Array.from({ length: 100 }, () => refusal(read(payment))));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['payment_invalid']));
  expect(count('claim')).toBe(1);
});

describe('an unknown outcome', () => {
  test.each([
    ['the chain does not show', async () => undefined],
    ['no node answers about', () => Promise.reject(new Error('the node is away'))],
  ])('is what a facilitator reports, and %s', async (_, confirm) => {
    const { read, script, types } = aSettler();
    script.confirm = confirm;
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
    expect(types()).toEqual(['SettlementStarted']);
  });

  test('leads to 503 if it takes too long, and the job continues without the request', async () => {
    const { read, script, settler, count } = aSettler({ request: 20 });
    const { promise, resolve } = Promise.withResolvers<SettlementOutcome>();
    script.settle = () => promise;
    const payment = aPayment();
    expect(await refusal(read(payment))).toMatchObject({ code: 'settlement_pending' });
    resolve({ kind: 'settled', receipt });
    await settler.idle();
    expect(await read()).toMatchObject({ receipt });
    expect(count('settle')).toBe(1);
  });

  test('leads to 503 settlement_pending if the log becomes unavailable after the start', async () => {
    const { read, payments, script, count } = aSettler();
    script.settle = async () => {
      payments.disconnect();
      return { kind: 'unknown', reason: 'timeout' };
    };
    expect(await refusal(read(aPayment()))).toMatchObject({ code: 'settlement_pending' });
    expect(count('settle')).toBe(1);
  });

  test('of a report that can no longer be loaded serves it as it was loaded before', async () => {
    const { read, script } = aSettler();
    script.settle = async () => {
      script.load = async () => {
        throw new Error('gone');
      };
      return { kind: 'settled', receipt };
    };
    expect(await read(aPayment())).toMatchObject({ receipt });
  });

  test('counts as settled if the chain says so', async () => {
    const { read, script, payments } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    await read(aPayment());
    expect(payments.all().at(-1)?.event).toMatchObject({
      type: 'PaymentSettled',
      data: { found_by: 'reconcile', block: 7 },
    });
  });

  test('leads to 503 while the chain leaves it open, signed or not, and never to a new 402', async () => {
    const { read, script } = aSettler();
    script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
    const payment = aPayment();
    for (const header of [payment, payment, undefined, aPayment()])
      expect(await refusal(read(header))).toMatchObject({
        code: 'settlement_pending',
        headers: RETRY,
      });
  });

  test('leads to 503 if the settled outcome is not durable', async () => {
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
    ['dead', 'expired', 'authorization_expired'],
    ['cancelled', 'cancelled', 'authorization_cancelled'],
    ['spent', 'cancelled', 'authorization_used_elsewhere'],
  ] as const)(
    'that the chain calls %s is a failure, and a new payment may follow',
    async (state, reason, error) => {
      const { read, script, payments } = aSettler();
      script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
      script.chain = async () => ({ state });
      const payment = aPayment();
      const answer = await refusal(read(payment));
      expect(answer).toMatchObject({
        code: 'payment_invalid',
        headers: ['payment-required', 'payment-response'],
      });
      expect(payments.all().at(-1)?.event).toMatchObject({ data: { reason, error } });
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
    expect(count('settle')).toBe(1);
    advance(1);
    script.settle = async () => ({ kind: 'settled', receipt });
    await survivor.reconcile('abcdefgh2345');
    expect(await read()).toMatchObject({ receipt });
  });
});

test('a settlement is taken over after 30 s even if the clock was set back', async () => {
  const { read, script, replica, advance, count } = aSettler();
  script.settle = async () => ({ kind: 'unknown', reason: 'timeout' });
  await refusal(read(aPayment()));
  advance(-3600);
  const survivor = replica('replica-2');
  await survivor.reconcile('abcdefgh2345');
  elapse(29_000);
  await survivor.reconcile('abcdefgh2345');
  expect(count('settle')).toBe(1);
  elapse(2000);
  await survivor.reconcile('abcdefgh2345');
  expect(count('settle')).toBe(2);
});

describe('a request whose settlement is not decided', () => {
  const quick = { firstPause: 1, longestPause: 2 };

  /** A settlement whose outcome nobody knows until the chain has been asked this many times. */
  function undecided(looks: number) {
    const settler = aSettler(quick);
    const { script, count } = settler;
    script.settle = async () => ({ kind: 'unknown', reason: 'not_mined' });
    script.chain = async () =>
      count('chain') > looks ? { state: 'settled', receipt, block: 7 } : { state: 'open' };
    return {
      ...settler,
      wait: (payment: string, mayWait = () => true) =>
        settler.read(payment, undefined, undefined, mayWait),
    };
  }

  test('waits for its end, and gets the report', async () => {
    const { wait, types } = undecided(6);
    expect(await wait(aPayment())).toMatchObject({ receipt });
    expect(types()).toEqual(['SettlementStarted', 'PaymentSettled']);
  });

  test('waits if it is sent again, whatever the case of its hex digits', async () => {
    const { read, wait, count } = undecided(8);
    const from = `0x${'aB'.repeat(20)}`;
    const authorization = { from, nonce: `0x${'cD'.repeat(32)}` };
    expect((await refusal(read(aPayment({ authorization })))).code).toBe('settlement_pending');
    const again = { from: from.toLowerCase(), nonce: authorization.nonce.toLowerCase() };
    expect(await wait(aPayment({ authorization: again }))).toMatchObject({ receipt });
    expect(count('settle')).toBeGreaterThan(0);
  });

  test.each([
    ['no payment', undefined],
    ['another payment', aPayment()],
    [
      'the same nonce in another authorization',
      aPayment({
        authorization: {
          from: `0x${'7'.repeat(40)}`,
          nonce: `0x${'8'.repeat(64)}`,
          validBefore: '99999999999',
        },
      }),
    ],
  ])('does not wait with %s', async (_, other) => {
    const { read, wait, count } = undecided(1_000);
    const authorization = { from: `0x${'7'.repeat(40)}`, nonce: `0x${'8'.repeat(64)}` };
    await refusal(read(aPayment({ authorization })));
    const asked = count('chain');
    expect((await refusal(wait(other as string))).code).toBe('settlement_pending');
    expect(count('chain') - asked).toBeLessThan(5);
  });

  test('gets 503 when nobody waits any more and its authorization has expired', async () => {
    const { wait, count, advance } = undecided(1_000);
    const payment = aPayment();
    expect((await refusal(wait(payment, () => count('chain') < 9))).code).toBe(
      'settlement_pending',
    );
    const mayWait = () => {
      advance(30);
      return true;
    };
    const error = await wait(payment, mayWait).catch((one: unknown) => one);
    expect(error).toMatchObject({
      code: 'settlement_pending',
      options: { detail: expect.stringMatching(/Do not sign anything again.*opens on its own/) },
    });
  });

  test('is told why its settlement failed', async () => {
    const { wait, script, count } = undecided(1_000);
    script.chain = async () => ({ state: count('chain') > 5 ? 'cancelled' : 'open' });
    expect(await refusal(wait(aPayment()))).toMatchObject({
      code: 'payment_invalid',
      error: 'authorization_cancelled',
    });
  });

  test('gets a report that existed when it began to wait, even if it has been deleted since', async () => {
    const { wait, script, read, count } = undecided(12);
    const payment = aPayment();
    await refusal(read(payment));
    const asked = count('chain');
    const load = script.load;
    script.load = async () => {
      if (count('chain') > asked + 3) throw new Error('deleted');
      return load();
    };
    expect(await wait(payment)).toMatchObject({ receipt });
  });

  test('gets its response at once if the code of its payer refuses it, with the reason', async () => {
    const { wait, script, count } = undecided(1_000);
    script.settle = async () => ({
      kind: 'unknown',
      reason: 'account_code_refuses',
      isRefusedByCode: true,
    });
    const payment = aPayment();
    for (const _ of [1, 2])
      await expect(wait(payment)).rejects.toMatchObject({
        code: 'settlement_pending',
        options: { detail: expect.stringContaining('EIP-7702') },
      });
    expect(count('chain')).toBeLessThan(10);
  });

  test('queries the chain no more often than a single one, however many wait', async () => {
    const one = undecided(12);
    const payment = aPayment();
    const answers = await Promise.all(Array.from({ length: 50 }, () => one.wait(payment)));
    expect(answers).toHaveLength(50);
    expect(one.count('chain')).toBeLessThan(20);
  });
});

describe('money that arrives after a refusal', () => {
  /** A payment that was claimed and then refused for lack of money. It was shown to nobody. */
  async function refused() {
    const settler = aSettler();
    const payment = aPayment();
    settler.script.balance = 0n;
    await refusal(settler.read(payment));
    return { ...settler, payment };
  }

  test.each([
    ['at once', 130],
    ['after the authorization has run out', 400],
    ['in the closing margin', 60 + 86_400 - 10],
  ])('opens the report that it was claimed for, and no other: %s', async (_name, seconds) => {
    const { read, script, to, count, payment } = await refused();
    to(seconds);
    await refusal(read(payment));
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    script.ended = async () => 'settled';
    expect((await refusal(read(payment, 'otherotherot'))).code).toMatch(
      /payment_invalid|sale_closed/,
    );
    expect(await read(payment)).toMatchObject({ receipt });
    expect(count('settle')).toBe(0);
  });

  test.each(['first', 'second'])(
    'opens it at another replica, even if it arrives before the %s check',
    async (look) => {
      const { read, replica, script, count, payment } = await refused();
      script.chain = async () => ({ state: 'settled', receipt, block: 7 });
      const asked = count('ended');
      script.ended = async () =>
        look === 'first' || count('ended') > asked + 1 ? 'settled' : undefined;
      expect(await read(payment, undefined, replica('replica-2'))).toMatchObject({ receipt });
      expect(count('settle')).toBe(0);
    },
  );

  test('opens it for the payer who signed', async () => {
    const { read, script, payment } = await refused();
    script.chain = async () => ({ state: 'settled', receipt, block: 7 });
    script.ended = async () => 'settled';
    script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
    const { authorization } = (decodeHeader(payment) as { payload: { authorization: object } })
      .payload;
    expect(await refusal(read(aPayment({ authorization })))).toMatchObject({
      error: 'invalid_exact_evm_signature',
    });
    // The wallet need not confirm its signature again, because the claim was made when it did.
    expect(await read(payment)).toMatchObject({ receipt });
  });

  test('does not open it if it ended otherwise', async () => {
    const { read, script, types, payment } = await refused();
    script.ended = async () => 'spent';
    expect(await refusal(read(payment))).toMatchObject({
      error: 'invalid_exact_evm_nonce_already_used',
    });
    expect(types()).toEqual([]);
  });
});

test('the twenty-first attempt is asked to stop', async () => {
  const { read, script, count } = aSettler();
  script.settle = async () => ({ kind: 'unknown', reason: 'x' });
  script.chain = async () => ({ state: 'cancelled' });
  for (let attempt = 1; attempt <= 20; attempt += 1) await refusal(read(aPayment()));
  expect(count('settle')).toBe(20);
  // The refusal must come from this limit, because a payer without a sale would by now have reached another
  // one.
  const detail = expect.stringContaining('Too many settlements for this report have failed');
  await expect(read(aPayment())).rejects.toMatchObject({
    code: 'rate_limited',
    options: { detail },
  });
});

describe('the sample', () => {
  test('is refused to garbage without a look at the log', async () => {
    const { settler, script, payments } = aSettler();
    payments.disconnect();
    const ask = (paymentHeader: string) =>
      settler.read({ testId: 'samplereport', row: 'sample', ip: script.ip, paymentHeader });
    expect(await refusal(ask('%%%'))).toMatchObject({ code: 'invalid_request' });
    expect(await refusal(ask(aPayment()))).toMatchObject({ code: 'log_unavailable' });
  });

  test('makes the payer who signed wait, but not a stranger with the same authorization', async () => {
    const { settler, script, count } = aSettler({ firstPause: 1, longestPause: 2 });
    const ask = (paymentHeader: string, mayWait = () => true) =>
      settler.read({
        testId: 'samplereport',
        row: 'sample',
        ip: script.ip,
        paymentHeader,
        mayWait,
      });
    script.settle = async () => ({ kind: 'unknown', reason: 'not_mined' });
    const authorization = { from: `0x${'7'.repeat(40)}`, nonce: `0x${'8'.repeat(64)}` };
    const payment = aPayment({ authorization });
    await refusal(ask(payment, () => false));
    expect((await refusal(ask(aPayment({ authorization })))).code).toBe('settlement_pending');
    const asked = count('chain');
    script.chain = async () =>
      count('chain') > asked + 4 ? { state: 'settled', receipt, block: 7 } : { state: 'open' };
    expect(await ask(payment)).toMatchObject({ receipt });
  });

  test('is paid for by each authorization separately, and reading it again is free', async () => {
    const { settler, script, count } = aSettler();
    const ask = (paymentHeader?: string) =>
      settler.read({ testId: 'samplereport', row: 'sample', ip: script.ip, paymentHeader });
    const payment = aPayment();
    expect(await ask(payment)).toMatchObject({ receipt });
    expect(await ask(payment)).toMatchObject({ receipt });
    expect(await refusal(ask())).toMatchObject({ code: 'payment_required' });
    expect(count('settle')).toBe(1);
    await ask(aPayment());
    expect(count('settle')).toBe(2);
  });

  test('is not opened by an authorization from the chain with a signature of one’s own', async () => {
    const { settler, script } = aSettler();
    const ask = (paymentHeader: string) =>
      settler.read({ testId: 'samplereport', row: 'sample', ip: script.ip, paymentHeader });
    const payment = aPayment();
    await ask(payment);
    const { authorization } = (decodeHeader(payment) as { payload: { authorization: object } })
      .payload;
    const junk = aPayment({ authorization });
    script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
    expect(await refusal(ask(junk))).toMatchObject({ code: 'payment_invalid' });
    expect(await ask(payment)).toMatchObject({ receipt });
  });
});
