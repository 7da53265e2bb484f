import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf } from '../support/payments/payment-chain.ts';
import {
  type Mode,
  type PaymentFixtures,
  readUntilDecided,
  startPaymentFixtures,
} from '../support/payments/payment-fixtures.ts';
import { type Fate, startRpcProxy } from '../support/payments/rpc-proxy.ts';
import { readReport } from '../tools/soak/payment-environment.ts';
import type { Fork } from '../tools/soak/service-fork.ts';

type Purchase = Awaited<ReturnType<PaymentFixtures['purchase']>>;

const environments = new Map<Mode, { readonly fixtures: PaymentFixtures; readonly one: Fork }>();
beforeAll(async () => {
  await Promise.all(
    (['self', 'facilitator'] as const).map(async (mode) => {
      const fixtures = await startPaymentFixtures(mode);
      // Less patient than in production, or a test would wait 20 s for what is broken on purpose.
      const one = await fixtures.replica({ name: 'one', timeouts: { settle: 4_000, join: 1_000 } });
      environments.set(mode, { fixtures, one });
    }),
  );
});
afterAll(() => Promise.all([...environments.values()].map(({ fixtures }) => fixtures.stop())));

function environmentOf(mode: Mode) {
  const environment = environments.get(mode);
  if (!environment) throw new Error('The environment is not there.');
  return environment;
}

async function expectPaidOnce(
  fixtures: PaymentFixtures,
  at: Fork,
  { test: report, payer, header }: Purchase,
) {
  const answer = await readUntilDecided(at, report, header);
  expect([answer.status, answer.testId]).toEqual([200, report.test_id]);
  expect((await fixtures.payment(report.test_id)).value).toBe('paid');
  expect(await fixtures.transfers(payer)).toBe(1);
}

async function expectUntouched(fixtures: PaymentFixtures, { test: report, payer }: Purchase) {
  expect((await fixtures.payment(report.test_id)).value).toBe('unpaid');
  expect(await fixtures.transfers(payer)).toBe(0);
}

const modes: readonly Mode[] = ['self', 'facilitator'];

describe.each(modes)('in mode %s, a nats-server', (mode) => {
  test('that is away before the start is 503, and nothing is begun', async () => {
    const { fixtures, one } = environmentOf(mode);
    const purchase = await fixtures.purchase();
    fixtures.at('signed', purchase.payer.address, () => fixtures.nats.kill());
    const answer = await readReport(one, purchase.test, purchase.header);
    await fixtures.nats.start();
    expect([answer.status, answer.code]).toEqual([503, 'log_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    await expectUntouched(fixtures, purchase);
    await expectPaidOnce(fixtures, one, purchase);
  });

  test('that is restarted before the start costs nothing but time', async () => {
    const { fixtures, one } = environmentOf(mode);
    const purchase = await fixtures.purchase();
    fixtures.at('claimed', purchase.test.test_id, async () => {
      await fixtures.nats.kill();
      await fixtures.nats.start();
    });
    const answer = await readReport(one, purchase.test, purchase.header);
    expect([200, 503]).toContain(answer.status);
    await expectPaidOnce(fixtures, one, purchase);
  });

  test('that is restarted while the money moves costs nothing but time', async () => {
    const { fixtures, one } = environmentOf(mode);
    const purchase = await fixtures.purchase();
    const restart = async () => {
      await fixtures.nats.kill();
      await sleep(300);
      await fixtures.nats.start();
    };
    if (mode === 'self') fixtures.onBroadcast(purchase.nonce, { meanwhile: restart });
    else fixtures.facilitator.behave({ settle: { meanwhile: restart } });
    const answer = await readReport(one, purchase.test, purchase.header);
    fixtures.facilitator.behave({ settle: 'up' });
    expect([200, 503]).toContain(answer.status);
    await expectPaidOnce(fixtures, one, purchase);
  });
});

describe('our own wallet', () => {
  test('sends nothing that is not durable', async () => {
    const { fixtures, one } = environmentOf('self');
    const purchase = await fixtures.purchase();
    fixtures.at('before TransactionSigned', purchase.test.test_id, () => fixtures.nats.kill());
    const answering = readReport(one, purchase.test, purchase.header);
    await sleep(1_500);
    expect(fixtures.proxy.calls.at(-1)).not.toBe('eth_sendRawTransaction');
    expect(await fixtures.transfers(purchase.payer)).toBe(0);
    await fixtures.nats.start();
    expect([200, 503]).toContain((await answering).status);
    await expectPaidOnce(fixtures, one, purchase);
  });

  test('waits for a block that does not come, also when it was killed meanwhile', async () => {
    const { fixtures } = environmentOf('self');
    const victim = await fixtures.replica({ name: 'victim' });
    const purchase = await fixtures.purchase();
    const admin = adminOf(fixtures.chain);
    await admin.setAutomine(false);
    const dead = new Promise<void>((resolve) => {
      const meanwhile = () => victim.kill().then(resolve);
      fixtures.onBroadcast(purchase.nonce, { meanwhile });
    });
    await Promise.all([
      readReport(victim, purchase.test, purchase.header).catch(() => undefined),
      dead,
    ]);
    const restarted = await fixtures.replica({
      name: 'victim',
      timeouts: { settle: 500, join: 500 },
    });
    expect((await readReport(restarted, purchase.test)).status).toBe(503);
    expect(await fixtures.transfers(purchase.payer)).toBe(0);
    await admin.setAutomine(true);
    await admin.mine({ blocks: 1 });
    await expectPaidOnce(fixtures, restarted, purchase);
    const { types } = await fixtures.payment(purchase.test.test_id);
    expect(types).toEqual(['SettlementStarted', 'TransactionSigned', 'PaymentSettled']);
    await restarted.kill();
  });

  test('that is empty starts nothing', async () => {
    const { fixtures } = environmentOf('self');
    const wallet = generatePrivateKey();
    const poor = await fixtures.replica({ name: 'poor', wallet });
    await fixtures.chain.fundEther(privateKeyToAccount(wallet).address, 0n);
    const purchase = await fixtures.purchase();
    const answer = await readReport(poor, purchase.test, purchase.header);
    expect([answer.status, answer.code]).toEqual([502, 'facilitator_unavailable']);
    await expectUntouched(fixtures, purchase);
    await poor.kill();
  });

  test('whose key two replicas share pays for each report once', async () => {
    const { fixtures } = environmentOf('self');
    const wallet = generatePrivateKey();
    const replicas = await Promise.all(
      ['left', 'right'].map((name) => fixtures.replica({ name, wallet })),
    );
    const purchases = await Promise.all(Array.from({ length: 8 }, () => fixtures.purchase()));
    await Promise.all(
      purchases.map((purchase, index) =>
        expectPaidOnce(fixtures, replicas[index % 2] as Fork, purchase),
      ),
    );
    await Promise.all(replicas.map((replica) => replica.kill()));
  });
});

describe.each(modes)('in mode %s, the chain’s RPC', (mode) => {
  /** A replica that alone reads the chain through this proxy. */
  async function aside() {
    const { fixtures } = environmentOf(mode);
    const proxy = await startRpcProxy(fixtures.chain.rpcUrl);
    const replica = await fixtures.replica({
      name: 'aside',
      settings: { X402_RPC_URL: proxy.url },
      timeouts: { settle: 1_500, join: 500 },
    });
    const cut = (method: string): Fate => (method === 'eth_sendRawTransaction' ? 'pass' : 'cut');
    return {
      fixtures,
      proxy,
      replica,
      cut,
      end: () => Promise.all([replica.kill(), proxy.stop()]),
    };
  }

  test('that is down when asked starts nothing; down after the broadcast it loses nothing', async () => {
    const { fixtures, proxy, replica, cut, end } = await aside();
    const purchase = await fixtures.purchase();
    proxy.fail(() => 'cut');
    const early = await readReport(replica, purchase.test, purchase.header);
    expect([early.status, early.code]).toEqual([502, 'facilitator_unavailable']);
    await expectUntouched(fixtures, purchase);
    proxy.fail();

    const settled = async () => proxy.fail(cut);
    if (mode === 'facilitator') {
      // The answer is lost as well: only the chain knows.
      fixtures.facilitator.behave({ settle: 'lost' });
      fixtures.at('after SettlementStarted', purchase.test.test_id, settled);
    } else fixtures.at('after TransactionSigned', purchase.test.test_id, settled);
    for (const sent of [purchase.header, undefined]) {
      const answer = await readReport(replica, purchase.test, sent);
      expect([answer.status, answer.code]).toEqual([503, 'settlement_pending']);
    }
    expect(await fixtures.transfers(purchase.payer)).toBe(1);
    proxy.fail();
    fixtures.facilitator.behave({ settle: 'up' });
    await expectPaidOnce(fixtures, replica, purchase);
    await end();
  });
});
