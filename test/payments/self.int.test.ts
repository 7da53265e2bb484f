/** Tests sales that our own wallet settles. */

import { describe, expect, test } from 'vitest';
import { payingFetch } from '../environment/payer.ts';
import { readReport } from '../support/payments/payment-environment.ts';
import { readUntilDecided } from '../support/payments/payment-fixtures.ts';
import { startRpcProxy } from '../support/payments/rpc-proxy.ts';
import { casesThatMustHold } from './cases.ts';

casesThatMustHold('self', (environment) => {
  describe.concurrent('our own wallet', () => {
    test('waits for a payer who was drained after the check, and accepts the payment when he can pay', async () => {
      const { fixtures, one, outcome } = environment();
      const { test: report, payer, header } = await fixtures.purchase();
      fixtures.at('after SettlementStarted', report.test_id, () => fixtures.drain(payer));
      for (const sent of [header, undefined, (await fixtures.sign(payer)).header])
        expect(await readReport(one, report, sent)).toMatchObject({
          status: 503,
          code: 'settlement_pending',
        });
      expect(await outcome(report.test_id, payer)).toEqual(['settling', 0]);
      await fixtures.chain.fundToken(payer.address, 50_000n);
      expect((await readUntilDecided(one, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
    });

    test('whose node sends what it is shown charges one payment, whatever it responds', async () => {
      const { fixtures, outcome } = environment();
      const node = await startRpcProxy(fixtures.chain.rpcUrl);
      const settings = { X402_RPC_URL: node.url };
      const victim = await fixtures.replica({ name: 'victim', settings, timeouts: { join: 500 } });
      const { test: report, payer, header, signed } = await fixtures.purchase({ reports: 3 });
      node.fail((method, body) => {
        // The node may also be asked about a payment that another row has left open.
        const isOurs = body.includes(signed.authorization.nonce.slice(2));
        if (method !== 'eth_estimateGas' || !isOurs) return 'pass';
        setTimeout(() => fixtures.broadcast(payer, signed).catch(() => undefined), 1_000);
        return { error: { code: 3, message: 'execution reverted' } };
      });
      const pay = payingFetch(payer.privateKey, 'eip155:8453');
      const url = `${victim.http}/v1/report?test_id=${report.test_id}`;
      const first = await readReport(victim, report, header);
      expect([200, 503]).toContain(first.status);
      // The official client, which signs again on a 402.
      const again = await pay(url, { headers: { 'X-Read-Token': report.read_token } });
      expect([200, 503]).toContain(again.status);
      expect((await readUntilDecided(victim, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
      await Promise.all([victim.kill(), node.stop()]);
    });

    test('whose node says that a contract wallet has no money could not send anything of it', async () => {
      const { fixtures, outcome } = environment();
      const node = await startRpcProxy(fixtures.chain.rpcUrl);
      const liar = await fixtures.replica({ name: 'liar', settings: { X402_RPC_URL: node.url } });
      const [report, { payer, header, nonce }] = await Promise.all([
        fixtures.readyTest(),
        fixtures.smartWallet(),
      ]);
      const heard: string[] = [];
      node.fail((_method, body) => {
        heard.push(body.toLowerCase());
        return body.includes('0x70a08231') ? { result: `0x${'0'.repeat(64)}` } : 'pass';
      });
      for (let time = 0; time < 2; time += 1)
        expect(await readReport(liar, report, header)).toMatchObject({
          status: 402,
          error: 'invalid_exact_evm_insufficient_balance',
        });
      const all = heard.join();
      expect(all).toContain(payer.address.slice(2).toLowerCase());
      expect(all).not.toContain(nonce.slice(2).toLowerCase());
      node.fail();
      expect((await readUntilDecided(liar, report, header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 1]);
      await Promise.all([liar.kill(), node.stop()]);
    });

    test('that is shown ever new drained wallets records their share, and sells to others', async () => {
      const { fixtures, one } = environment();
      const drain = async () => {
        const { test: report, payer, header } = await fixtures.purchase();
        fixtures.at('after SettlementStarted', report.test_id, () => fixtures.drain(payer));
        const url = `${one.http}/v1/report?test_id=${report.test_id}`;
        const headers = {
          'x-read-token': report.read_token,
          'payment-signature': header,
          'x-forwarded-for': '203.0.113.7',
        };
        const read = async () =>
          (await (await fetch(url, { headers })).json()) as { readonly code: string };
        let { code } = await read();
        // The node and the log of a busy machine respond late, so the same payment has to be sent again.
        while (/unavailable/.test(code)) ({ code } = await read());
        return [code, (await fixtures.payment(report.test_id)).types] as const;
      };
      const drained = await Promise.all(Array.from({ length: 30 }, drain));
      expect(drained.map(([code]) => code).toSorted()).toEqual([
        ...Array(10).fill('rate_limited'),
        ...Array(20).fill('settlement_pending'),
      ]);
      expect(drained.flatMap(([, types]) => types)).toEqual(Array(20).fill('SettlementStarted'));
      const { test: report, header } = await fixtures.purchase();
      expect((await readReport(one, report, header)).status).toBe(200);
    });

    test('that a stranger overtakes has its buyer served at once', async () => {
      const { fixtures, one, outcome } = environment();
      const purchase = await fixtures.purchase({ reports: 2 });
      const { test: report, payer, header, signed } = purchase;
      fixtures.at('after TransactionSigned', report.test_id, () =>
        fixtures.broadcast(payer, signed),
      );
      expect((await readUntilDecided(one, report, header)).status).toBe(200);
      const second = await fixtures.readyTest();
      expect((await readReport(one, second, (await fixtures.sign(payer)).header)).status).toBe(200);
      expect(await outcome(report.test_id, payer)).toEqual(['paid', 2]);
    });
  });
});
