import { afterAll, beforeAll, expect, test } from 'vitest';
import { nowSeconds } from '../support/payments/authorization.ts';
import {
  type PaymentFixtures,
  readUntilDecided,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { type Fate, startRpcProxy } from '../support/payments/rpc-proxy.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import type { Fork } from '../tools/soak/service-fork.ts';

let fixtures: PaymentFixtures;
let one: Fork;
let liar: Awaited<ReturnType<typeof startRpcProxy>>;
beforeAll(async () => {
  fixtures = await startPaymentFixtures('self');
  liar = await startRpcProxy(fixtures.chain.rpcUrl);
  const settings = { X402_RPC_URL: liar.url, X402_SECOND_RPC_URL: fixtures.chain.rpcUrl };
  one = await fixtures.replica({ name: 'one', settings, timeouts: { settle: 2_000, join: 500 } });
});
afterAll(async () => {
  await fixtures?.stop();
  await liar?.stop();
});

test('two nodes that agree sell', async () => {
  const { test: report, payer, header } = await fixtures.purchase();
  expect((await readReport(one, report, header)).status).toBe(200);
  expect(await fixtures.transfers(payer)).toBe(1);
});

test('a node that invents the transfer opens nothing', async () => {
  // It keeps our transaction to itself, and shows the receipt of somebody else's with our numbers.
  const paid = await fixtures.purchase();
  expect((await readReport(one, paid.test, paid.header)).status).toBe(200);
  const { context } = await fixtures.payment(paid.test.test_id);
  const real = context.settled?.receipt.transaction ?? '';
  const model = await (
    await fetch(fixtures.chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getTransactionReceipt',
        params: [real],
      }),
    })
  ).text();
  const forged = await fixtures.purchase();
  const bare = (text: string) => text.slice(2).toLowerCase();
  const lie = (method: string, body: string): Fate => {
    if (method === 'eth_sendRawTransaction') return { result: `0x${'ab'.repeat(32)}` };
    if (method !== 'eth_getTransactionReceipt') return 'pass';
    const [hash] = JSON.parse(body).params;
    // The names of the members keep their case.
    const text = [
      [paid.payer.address, forged.payer.address],
      [paid.nonce, forged.nonce],
      [real, hash],
    ].reduce((receipt, [own, other]) => receipt.replaceAll(bare(own), bare(other)), model);
    const { result } = JSON.parse(text);
    return { result };
  };
  liar.fail(lie);
  const answer = await readReport(one, forged.test, forged.header);
  expect([answer.status, answer.code]).toEqual([503, 'settlement_pending']);
  expect(await fixtures.transfers(forged.payer)).toBe(0);
  liar.fail();
  expect((await readUntilDecided(one, forged.test, forged.header)).status).toBe(200);
  expect(await fixtures.transfers(forged.payer)).toBe(1);
});

test('a node that invents the end of an authorization has nobody pay twice', async () => {
  const { test: report, payer, header } = await fixtures.purchase();
  liar.fail((method) =>
    method === 'eth_getTransactionReceipt' || method === 'eth_sendRawTransaction' ? 'lost' : 'pass',
  );
  expect((await readReport(one, report, header)).status).toBe(503);
  const late = `0x${(nowSeconds() + 9_000).toString(16)}`;
  liar.fail((method) => {
    if (method === 'eth_getBlockByNumber')
      return { edit: (block: object) => ({ ...block, timestamp: late }) };
    if (method === 'eth_getLogs') return { result: [] };
    return method === 'eth_call' ? { result: `0x${'0'.repeat(64)}` } : 'pass';
  });
  for (const sent of [header, undefined])
    expect((await readReport(one, report, sent)).status).toBe(503);
  liar.fail();
  expect((await readUntilDecided(one, report, header)).status).toBe(200);
  expect(await fixtures.transfers(payer)).toBe(1);
});
