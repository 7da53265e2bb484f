import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf } from '../support/payments/payment-chain.ts';
import {
  type Mode,
  type Money,
  readUntilDecided,
  startMoney,
} from '../support/payments/payment-fixtures.ts';
import { type Fate, startRpcProxy } from '../support/payments/rpc-proxy.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import type { Fork } from '../tools/soak/service-fork.ts';

type Sale = Awaited<ReturnType<Money['sale']>>;

const worlds = new Map<Mode, { readonly money: Money; readonly one: Fork }>();
beforeAll(async () => {
  await Promise.all(
    (['self', 'facilitator'] as const).map(async (mode) => {
      const money = await startMoney(mode);
      // Less patient than in production, or a test would wait 20 s for what is broken on purpose.
      const one = await money.replica({ name: 'one', paces: { settle: 4_000, join: 1_000 } });
      worlds.set(mode, { money, one });
    }),
  );
});
afterAll(() => Promise.all([...worlds.values()].map(({ money }) => money.stop())));

function worldOf(mode: Mode) {
  const world = worlds.get(mode);
  if (!world) throw new Error('The world is not there.');
  return world;
}

async function expectPaidOnce(money: Money, at: Fork, { test: report, payer, header }: Sale) {
  const answer = await readUntilDecided(at, report, header);
  expect([answer.status, answer.testId]).toEqual([200, report.test_id]);
  expect((await money.payment(report.test_id)).value).toBe('paid');
  expect(await money.transfers(payer)).toBe(1);
}

async function expectUntouched(money: Money, { test: report, payer }: Sale) {
  expect((await money.payment(report.test_id)).value).toBe('unpaid');
  expect(await money.transfers(payer)).toBe(0);
}

const modes: readonly Mode[] = ['self', 'facilitator'];

describe.each(modes)('in mode %s, a nats-server', (mode) => {
  test('that is away before the start is 503, and nothing is begun', async () => {
    const { money, one } = worldOf(mode);
    const sale = await money.sale();
    money.at('verified', sale.payer.address, () => money.nats.kill());
    const answer = await readReport(one, sale.test, sale.header);
    await money.nats.start();
    expect([answer.status, answer.code]).toEqual([503, 'log_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    await expectUntouched(money, sale);
    await expectPaidOnce(money, one, sale);
  });

  test('that is restarted before the start costs nothing but time', async () => {
    const { money, one } = worldOf(mode);
    const sale = await money.sale();
    money.at('verified', sale.payer.address, async () => {
      await money.nats.kill();
      await money.nats.start();
    });
    const answer = await readReport(one, sale.test, sale.header);
    expect([200, 503]).toContain(answer.status);
    await expectPaidOnce(money, one, sale);
  });

  test('that is restarted while the money moves costs nothing but time', async () => {
    const { money, one } = worldOf(mode);
    const sale = await money.sale();
    const restart = async () => {
      await money.nats.kill();
      await sleep(300);
      await money.nats.start();
    };
    if (mode === 'self') money.onBroadcast(sale.nonce, { meanwhile: restart });
    else money.facilitator.behave({ settle: { meanwhile: restart } });
    const answer = await readReport(one, sale.test, sale.header);
    money.facilitator.behave({ settle: 'up' });
    expect([200, 503]).toContain(answer.status);
    await expectPaidOnce(money, one, sale);
  });
});

describe('our own wallet', () => {
  test('sends nothing that is not durable', async () => {
    const { money, one } = worldOf('self');
    const sale = await money.sale();
    money.at('before TransactionSigned', sale.test.test_id, () => money.nats.kill());
    const answering = readReport(one, sale.test, sale.header);
    await sleep(1_500);
    expect(money.proxy.calls.at(-1)).not.toBe('eth_sendRawTransaction');
    expect(await money.transfers(sale.payer)).toBe(0);
    await money.nats.start();
    expect([200, 503]).toContain((await answering).status);
    await expectPaidOnce(money, one, sale);
  });

  test('waits for a block that does not come, also when it was killed meanwhile', async () => {
    const { money } = worldOf('self');
    const victim = await money.replica({ name: 'victim' });
    const sale = await money.sale();
    const admin = adminOf(money.chain);
    await admin.setAutomine(false);
    const dead = new Promise<void>((resolve) => {
      const meanwhile = () => victim.kill().then(resolve);
      money.onBroadcast(sale.nonce, { meanwhile });
    });
    await Promise.all([readReport(victim, sale.test, sale.header).catch(() => undefined), dead]);
    const restarted = await money.replica({ name: 'victim', paces: { settle: 500, join: 500 } });
    expect((await readReport(restarted, sale.test)).status).toBe(503);
    expect(await money.transfers(sale.payer)).toBe(0);
    await admin.setAutomine(true);
    await admin.mine({ blocks: 1 });
    await expectPaidOnce(money, restarted, sale);
    const { types } = await money.payment(sale.test.test_id);
    expect(types).toEqual(['SettlementStarted', 'TransactionSigned', 'PaymentSettled']);
    await restarted.kill();
  });

  test('that is empty starts nothing', async () => {
    const { money } = worldOf('self');
    const wallet = generatePrivateKey();
    const poor = await money.replica({ name: 'poor', wallet });
    await money.chain.fundEther(privateKeyToAccount(wallet).address, 0n);
    const sale = await money.sale();
    const answer = await readReport(poor, sale.test, sale.header);
    expect([answer.status, answer.code]).toEqual([502, 'facilitator_unavailable']);
    await expectUntouched(money, sale);
    await poor.kill();
  });

  test('whose key two replicas share pays for each report once', async () => {
    const { money } = worldOf('self');
    const wallet = generatePrivateKey();
    const replicas = await Promise.all(
      ['left', 'right'].map((name) => money.replica({ name, wallet })),
    );
    const sales = await Promise.all(Array.from({ length: 8 }, () => money.sale()));
    await Promise.all(
      sales.map((sale, index) => expectPaidOnce(money, replicas[index % 2] as Fork, sale)),
    );
    await Promise.all(replicas.map((replica) => replica.kill()));
  });
});

describe.each(modes)('in mode %s, the chain’s RPC', (mode) => {
  /** A replica that alone reads the chain through this proxy. */
  async function aside() {
    const { money } = worldOf(mode);
    const proxy = await startRpcProxy(money.chain.rpcUrl);
    const replica = await money.replica({
      name: 'aside',
      settings: { X402_RPC_URL: proxy.url },
      paces: { settle: 1_500, join: 500 },
    });
    const cut = (method: string): Fate => (method === 'eth_sendRawTransaction' ? 'pass' : 'cut');
    return { money, proxy, replica, cut, end: () => Promise.all([replica.kill(), proxy.stop()]) };
  }

  test('that is down when asked starts nothing; down after the broadcast it loses nothing', async () => {
    const { money, proxy, replica, cut, end } = await aside();
    const sale = await money.sale();
    proxy.fail(() => 'cut');
    const early = await readReport(replica, sale.test, sale.header);
    expect([early.status, early.code]).toEqual([502, 'facilitator_unavailable']);
    await expectUntouched(money, sale);
    proxy.fail();

    const settled = async () => proxy.fail(cut);
    if (mode === 'facilitator') {
      // The answer is lost as well: only the chain could tell.
      money.facilitator.behave({ settle: 'lost' });
      money.at('after SettlementStarted', sale.test.test_id, settled);
    } else money.at('after TransactionSigned', sale.test.test_id, settled);
    for (const sent of [sale.header, undefined]) {
      const answer = await readReport(replica, sale.test, sent);
      expect([answer.status, answer.code]).toEqual([503, 'settlement_pending']);
    }
    expect(await money.transfers(sale.payer)).toBe(1);
    proxy.fail();
    money.facilitator.behave({ settle: 'up' });
    await expectPaidOnce(money, replica, sale);
    await end();
  });
});
