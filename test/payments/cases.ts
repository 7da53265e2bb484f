/** Defines the tests of a sale that must pass with our own wallet and with a facilitator. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import { payingFetch } from '../environment/payer.ts';
import { cancellation, nowSeconds } from '../support/payments/authorization.ts';
import { callToken } from '../support/payments/payment-chain.ts';
import { type Answer, readReport } from '../support/payments/payment-environment.ts';
import {
  type Mode,
  type PaymentFixtures,
  readOnceHeard,
  readUntilDecided,
  startPaymentFixtures,
  toHeader,
} from '../support/payments/payment-fixtures.ts';
import type { ReadyTest } from '../support/payments/ready-test.ts';
import type { Fork } from '../support/payments/service-fork.ts';

/** Seconds by which the chain's clock is moved ahead at the end. */
const JUMP = 60;

/** Defines the cases that must hold in both modes, on one chain, one log and two replicas. */
export function casesThatMustHold(mode: Mode, more: (environment: () => Environment) => void) {
  let fixtures: PaymentFixtures;
  let one: Fork;
  let two: Fork;
  beforeAll(async () => {
    fixtures = await startPaymentFixtures(mode);
    [one, two] = await Promise.all([
      fixtures.replica({ name: 'one', timeouts: { join: 2_000 } }),
      fixtures.replica({ name: 'two', timeouts: { join: 2_000 } }),
    ]);
  });
  afterAll(() => fixtures?.stop());

  const outcome = async (id: string, payer: Parameters<PaymentFixtures['transfers']>[0]) =>
    [(await fixtures.payment(id)).value, await fixtures.transfers(payer)] as const;
  const receiptOf = ({ headers }: Answer) => headers.get('payment-response');
  const challengeOf = ({ headers }: Answer) =>
    decodeHeader(headers.get('payment-required') ?? '') as { error?: string; accepts: unknown[] };
  const environment = () => ({ fixtures, one, two, outcome, receiptOf, challengeOf });

  describe.concurrent('a good payment', () => {
    test('is charged once: later requests are free, whatever payment they carry', async () => {
      const { test: report, payer, header } = await fixtures.purchase({ reports: 2 });
      const unpaid = await readReport(one, report);
      expect([unpaid.status, unpaid.code]).toEqual([402, 'payment_required']);
      expect(challengeOf(unpaid).accepts).toHaveLength(1);

      const paid = await readReport(one, report, header);
      expect([paid.status, paid.testId]).toEqual([200, report.test_id]);
      expect(decodeHeader(receiptOf(paid) ?? '')).toMatchObject({
        success: true,
        network: 'eip155:8453',
        payer: payer.address,
      });
      const another = (await fixtures.sign(payer)).header;
      for (const replica of [one, two])
        for (const sent of [undefined, header, another, 'garbage']) {
          const again = await readReport(replica, report, sent);
          expect([again.status, receiptOf(again)]).toEqual([200, receiptOf(paid)]);
        }
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('whose addresses are in another case is accepted, now and when it is sent again', async () => {
      const { test: report, payer, signed } = await fixtures.purchase();
      const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;
      const { from, to, nonce } = signed.authorization;
      const spelled = { from: upper(from), to: upper(to), nonce: upper(nonce) };
      const authorization = { ...signed.authorization, ...spelled } as typeof signed.authorization;
      const header = toHeader(fixtures.chain, { ...signed, authorization }, { extensions: null });
      expect((await readReport(one, report, header.replace(/=+$/, ''))).status).toBe(200);
      expect((await readReport(two, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('of the official client is accepted, and its second request is free', async () => {
      const [report, payer] = await Promise.all([fixtures.readyTest(), fixtures.newPayer(2)]);
      const pay = payingFetch(payer.privateKey, 'eip155:8453');
      const url = `${one.http}/v1/report?test_id=${report.test_id}`;
      const headers = { 'X-Read-Token': report.read_token };
      const paid = await pay(url, { headers });
      expect([paid.status, paid.headers.get('payment-response')]).toEqual([
        200,
        expect.any(String),
      ]);
      const again = await pay(url, { headers });
      expect([again.status, await again.text()]).toEqual([200, await paid.text()]);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('opens no other report, not even at the same moment or at another replica', async () => {
      const { test: report, payer, header } = await fixtures.purchase({ reports: 3 });
      const [other, third] = await Promise.all([fixtures.readyTest(), fixtures.readyTest()]);
      const answers = await Promise.all([
        readUntilDecided(one, report, header),
        readUntilDecided(one, other, header),
        readUntilDecided(two, third, header),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
      for (const { status, error } of answers)
        if (status === 402) expect(error).toBe('invalid_exact_evm_nonce_already_used');
      const late = await Promise.all(
        [report, other, third].map((test) => readReport(two, test, header)),
      );
      expect(late.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
      expect(await fixtures.transfers(payer)).toBe(1);
    });

    test.each(['one', 'two'])(
      'sent twice at once to %s replica is charged once',
      async (replicas) => {
        const { test: report, payer, header } = await fixtures.purchase({ reports: 3 });
        const second = replicas === 'one' ? one : two;
        const answers = await Promise.all(
          [one, second, second].map((replica) => readUntilDecided(replica, report, header)),
        );
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(new Set(answers.map(receiptOf)).size).toBe(1);
        expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
      },
    );

    test.each(['one', 'two'])(
      'and another at once at %s replica: one is charged',
      async (replicas) => {
        const { test: report, payer, header } = await fixtures.purchase({ reports: 3 });
        const others = await Promise.all([fixtures.sign(payer), fixtures.sign(payer)]);
        const second = replicas === 'one' ? one : two;
        const answers = await Promise.all([
          readReport(one, report, header),
          ...others.map((other) => readReport(second, report, other.header)),
        ]);
        for (const { status } of answers) expect([200, 503]).toContain(status);
        expect((await readUntilDecided(two, report)).status).toBe(200);
        expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
      },
    );
  });

  describe.concurrent('these are never charged', () => {
    test('anything malformed, unknown, not allowed or not ready', async () => {
      const { test: report, payer, header } = await fixtures.purchase();
      const [waiting, processing] = await Promise.all([
        fixtures.readyTest({ state: 'waiting' }),
        fixtures.readyTest({ state: 'processing' }),
      ]);
      const ask = (test: ReadyTest) => readReport(one, test, header);
      const answers = await Promise.all([
        ask({ ...report, test_id: 'NOT-AN-ID' }),
        ask({ ...report, read_token: '' }),
        ask({ ...report, test_id: 'abcdefgh2345' }),
        ask({ ...report, read_token: 'x'.repeat(43) }),
        ask(waiting),
        ask(processing),
      ]);
      expect(answers.map(({ status, code }) => [status, code])).toEqual([
        [400, 'invalid_request'],
        [403, 'wrong_read_token'],
        [404, 'test_not_found'],
        [403, 'wrong_read_token'],
        [409, 'report_not_ready'],
        [409, 'report_not_ready'],
      ]);
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });

    test('a HEAD, a header of version 1, a header of 20 kB', async () => {
      const { test: report, payer, header } = await fixtures.purchase();
      const url = `${one.http}/v1/report?test_id=${report.test_id}`;
      const send = async (method: string, headers: Record<string, string>) =>
        (await fetch(url, { method, headers: { 'x-read-token': report.read_token, ...headers } }))
          .status;
      // A HEAD has no body that could be paid for.
      expect(await send('HEAD', { 'payment-signature': header })).toBe(402);
      expect(await send('GET', { 'x-payment': header })).toBe(402);
      expect(await send('GET', { 'payment-signature': header.padEnd(20_000, 'A') })).toBe(431);
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });

    test('a report that cannot be served', async () => {
      const { payer, header } = await fixtures.purchase();
      const report = await fixtures.readyTest({ state: 'ready without a report' });
      const answer = await readReport(one, report, header);
      expect([answer.status, answer.code]).toEqual([503, 'test_damaged']);
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });

    test.each([
      ['garbage', '%%%'],
      ['base64url', Buffer.from('{"a":"~~~???"}').toString('base64url')],
      ['JSON null', btoa('null')],
      ['a bad address', undefined],
    ])('%s, which cannot be read as a payment', async (_name, garbage) => {
      const { test: report, payer, signed } = await fixtures.purchase();
      const authorization = { ...signed.authorization, from: '0x12' };
      const bad = btoa(
        JSON.stringify({
          x402Version: 2,
          accepted: challengeOf(await readReport(one, report)).accepts[0],
          payload: { ...signed, authorization },
        }),
      );
      const answer = await readReport(one, report, garbage ?? bad);
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
      expect(challengeOf(answer).error).toBe('invalid_payload');
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });

    test('a payment on other terms', async () => {
      const { test: report, payer, signed } = await fixtures.purchase();
      const [accepted] = challengeOf(await readReport(one, report)).accepts as [object];
      const { authorization, signature } = signed;
      const stranger = (await fixtures.newPayer(0)).address;
      const cases: readonly (readonly [string, object])[] = [
        ['invalid_payment_requirements', { accepted: { ...accepted, amount: '49999' } }],
        ['invalid_payment_requirements', { accepted: { ...accepted, payTo: stranger } }],
        ['invalid_payment_requirements', { accepted: { ...accepted, asset: stranger } }],
        ['invalid_network', { accepted: { ...accepted, network: 'eip155:84532' } }],
        ['unsupported_scheme', { accepted: { ...accepted, scheme: 'upto' } }],
        ['invalid_x402_version', { x402Version: 1 }],
        ['unsupported_payload_type', { payload: { permit2Authorization: {}, signature } }],
        [
          'invalid_exact_evm_recipient_mismatch',
          { payload: { signature, authorization: { ...authorization, to: stranger } } },
        ],
        [
          'invalid_exact_evm_payload_authorization_value_mismatch',
          { payload: { signature, authorization: { ...authorization, value: '49999' } } },
        ],
      ];
      for (const [error, change] of cases) {
        const content = { x402Version: 2, accepted, payload: signed, ...change };
        const answer = await readReport(one, report, btoa(JSON.stringify(content)));
        expect([answer.status, answer.code, answer.error], error).toEqual([
          402,
          'payment_invalid',
          error,
        ]);
        expect(challengeOf(answer).error).toBe(error);
      }
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });

    test('an authorization out of its time', async () => {
      const [report, payer] = await Promise.all([
        fixtures.readyTest({ retentionSeconds: 600 }),
        fixtures.newPayer(),
      ]);
      const times = [
        { validBefore: nowSeconds() - 1 },
        { validBefore: nowSeconds() + 10 },
        { validBefore: nowSeconds() + 4000 },
        { validBefore: nowSeconds() + 700 },
        { validAfter: nowSeconds() + 60 },
      ];
      for (const time of times) {
        const answer = await readReport(one, report, (await fixtures.sign(payer, time)).header);
        expect([answer.status, answer.error]).toEqual([
          402,
          expect.stringContaining('authorization_valid_'),
        ]);
      }
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });

    test('a signature by somebody else, or a payer without funds', async () => {
      const { test: report, payer } = await fixtures.purchase({ reports: 0 });
      const { privateKey } = await fixtures.newPayer(0);
      const [forged, poor] = await Promise.all([
        fixtures.sign(payer, { key: privateKey }),
        fixtures.sign(payer),
      ]);
      const answers = [
        await readReport(one, report, forged.header),
        await readReport(one, report, poor.header),
      ];
      expect(answers.map(({ status, error }) => [status, error])).toEqual([
        [402, 'invalid_exact_evm_signature'],
        [402, expect.stringContaining('insufficient_')],
      ]);
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });
  });

  describe.concurrent('special cases', () => {
    test('a smart wallet may sign with 100 bytes', async () => {
      const [report, wallet] = await Promise.all([fixtures.readyTest(), fixtures.smartWallet()]);
      expect((await readReport(one, report, wallet.header)).status).toBe(200);
      expect(await outcome(report.test_id, wallet.payer)).toEqual(['paid', 1]);
    });

    test('a payment that is valid from this second on waits for a block of that time', async () => {
      const { test: report, payer, header } = await fixtures.purchase({ validAfter: nowSeconds() });
      expect((await readReport(one, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('a payment cancelled during its settlement is over, and a new one is accepted', async () => {
      const { test: report, payer, header, nonce } = await fixtures.purchase();
      fixtures.at('after SettlementStarted', report.test_id, async () => {
        await fixtures.giveEther(payer);
        const args = await cancellation(fixtures.chain, nonce, payer.privateKey);
        await callToken(fixtures.chain, payer.privateKey, 'cancelAuthorization', args);
      });
      const answer = await readReport(one, report, header);
      expect([answer.status, answer.code]).toEqual([402, 'payment_invalid']);
      expect(challengeOf(answer).error).toBe('authorization_cancelled');
      expect(decodeHeader(receiptOf(answer) ?? '')).toMatchObject({
        success: false,
        transaction: '',
      });
      expect((await fixtures.payment(report.test_id)).context.failed?.reason).toBe('cancelled');
      const again = await readReport(one, report, (await fixtures.sign(payer)).header);
      expect(again.status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('a buyer who disconnects during the settlement finds it paid', async () => {
      const { test: report, payer, header } = await fixtures.purchase();
      const hangUp = new AbortController();
      fixtures.at('after SettlementStarted', report.test_id, async () => hangUp.abort());
      const answer = fetch(`${one.http}/v1/report?test_id=${report.test_id}`, {
        headers: { 'x-read-token': report.read_token, 'payment-signature': header },
        signal: hangUp.signal,
      });
      await expect(answer).rejects.toThrow('aborted');
      const state = async () => (await fixtures.payment(report.test_id)).value;
      await expect.poll(state).toBe('paid');
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('within the closing margin, nothing is begun, and what was begun is completed', async () => {
      // The last 30 s of the 1500 s are the margin, and 29 s of it are left.
      const arrivedAt = Date.now() - 1_471_000;
      const closing = () => fixtures.readyTest({ arrivedAt, retentionSeconds: 1500 });
      const payer = await fixtures.newPayer(3);
      const [unpaid, settling] = await Promise.all([closing(), closing()]);
      const [first, second] = await Promise.all([
        fixtures.sign(payer, { validBefore: nowSeconds() + 20 }),
        fixtures.sign(payer, { validBefore: nowSeconds() + 20 }),
      ]);
      for (const sent of [undefined, first.header, 'garbage']) {
        const answer = await readReport(one, unpaid, sent);
        expect([answer.status, answer.code]).toEqual([409, 'sale_closed']);
      }
      await fixtures.begin(settling, second);
      expect((await readUntilDecided(one, settling)).status).toBe(200);
      expect((await readReport(two, settling)).status).toBe(200);
      expect((await fixtures.payment(unpaid.test_id)).value).toBe('unpaid');
      expect(await outcome(settling.test_id, payer)).toEqual(['paid', 1]);
    });

    test('a refused buyer who sends the payment himself gets the report, and nobody else does', async () => {
      const { test: report, payer, header, signed } = await fixtures.purchase({ reports: 0 });
      for (const replica of [one, two])
        expect((await readReport(replica, report, header)).error).toContain('insufficient');
      await fixtures.fund(payer.address, 1);
      await fixtures.broadcast(payer, signed);
      const other = await fixtures.readyTest();
      expect((await readReport(two, other, header)).status).toBe(402);
      expect((await readReport(two, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('a payment that was on the chain before it was shown here opens nothing', async () => {
      const { test: report, payer, header, signed } = await fixtures.purchase();
      await fixtures.broadcast(payer, signed);
      const sample = { test_id: 'samplereport', read_token: '' };
      for (const [replica, test] of [
        [one, report],
        [two, report],
        [one, sample],
      ] as const)
        expect(await readReport(replica, test, header)).toMatchObject({
          status: 402,
          error: 'invalid_exact_evm_nonce_already_used',
        });
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 1]);
      expect((await fixtures.payment(report.test_id)).types).toEqual([]);
    });

    test('payments forged in a payer’s name cost him nothing', async () => {
      const { test: report, payer, header } = await fixtures.purchase();
      const { privateKey } = await fixtures.newPayer(0);
      const forged = await Promise.all(
        Array.from({ length: 50 }, () => fixtures.sign(payer, { key: privateKey })),
      );
      const others = await Promise.all(forged.map(() => fixtures.readyTest()));
      const attack = forged.map(({ header: sent }, at) =>
        readOnceHeard(at % 2 ? one : two, others[at] as ReadyTest, sent),
      );
      expect((await readReport(one, report, header)).status).toBe(200);
      for (const { status, error } of await Promise.all(attack))
        expect([status, error]).toEqual([402, 'invalid_exact_evm_signature']);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('the sample is sold to each payment once', async () => {
      const sample = { test_id: 'samplereport', read_token: '' };
      const payer = await fixtures.newPayer(2);
      const { header, signed } = await fixtures.sign(payer);
      expect((await readReport(one, sample)).status).toBe(402);
      for (const replica of [one, one, two])
        expect((await readUntilDecided(replica, sample, header)).status).toBe(200);
      expect((await readReport(one, sample)).status).toBe(402);
      // The chain shows who paid, but not who signed.
      const junk = toHeader(fixtures.chain, { ...signed, signature: `0x${'ab'.repeat(65)}` });
      expect((await readReport(two, sample, junk)).error).toBe('invalid_exact_evm_signature');
      expect(await fixtures.transfers(payer)).toBe(1);
    });
  });

  more(environment);

  describe('when the chain’s clock has passed validBefore', () => {
    test('a payment that never reached the chain is over', async () => {
      const validBefore = nowSeconds() + 40;
      const drained = await fixtures.purchase({ validBefore });
      const { test: report, payer } = drained;
      const step = mode === 'self' ? 'after TransactionSigned' : 'after SettlementStarted';
      fixtures.at(step, report.test_id, () => fixtures.drain(payer));
      const pending = await readReport(one, report, drained.header);
      expect([pending.status, pending.code]).toEqual([503, 'settlement_pending']);
      expect(pending.headers.get('retry-after')).toBe('5');
      expect((await readReport(two, report)).status).toBe(503);

      await fixtures.jump(JUMP);
      const over = await readUntilDecided(one, report);
      expect([over.status, over.code]).toEqual([402, 'payment_required']);
      expect((await fixtures.payment(report.test_id)).context.failed?.reason).toBe('expired');
      expect(await outcome(report.test_id, payer)).toEqual(['unpaid', 0]);
    });
  });
}

export interface Environment {
  readonly fixtures: PaymentFixtures;
  readonly one: Fork;
  readonly two: Fork;
  outcome(
    id: string,
    payer: Parameters<PaymentFixtures['transfers']>[0],
  ): Promise<readonly [unknown, number]>;
  receiptOf(answer: Answer): string | null;
  challengeOf(answer: Answer): { error?: string; accepts: unknown[] };
}
