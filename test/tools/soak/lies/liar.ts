import { setTimeout as sleep } from 'node:timers/promises';
import { payingFetch } from '../../../environment/payer.ts';
import { send } from '../../../support/payments/payment-chain.ts';
import type { PaymentFixtures } from '../../../support/payments/payment-fixtures.ts';
import { prng } from '../../../support/prng/prng.ts';
import type { Fork } from '../service-fork.ts';
import type { FacilitatorLie } from './facilitator-lies.ts';
import type { LieContext, NodeLie } from './node-lies.ts';

/** Less patient than in production, or each lie would take a minute. */
const TIMEOUTS = {
  request: 6_000,
  join: 500,
  line: 2_000,
  settle: 2_500,
  abandoned: 1_000,
  firstLook: 500,
  nextLook: 500,
  tick: 100,
};

/** Requests of one buyer while it is lied to; each signs again when it is answered 402. */
const ASKED = 3;

/** From the end of the lie to the report, in milliseconds: longer than a payer is blocked after a revert. */
const PAID_MS = 60_000;

export interface Told {
  readonly statuses: readonly number[];
  /** What must never be; empty if all is well. */
  readonly broken: readonly string[];
}

/** A replica, an official client, and a node or a facilitator that lies to them. */
export async function startLiar(fixtures: PaymentFixtures, seed: number) {
  const second = { X402_SECOND_RPC_URL: fixtures.chain.rpcUrl };
  const replicas = new Map<boolean, Fork>();
  const replicaFor = async ({ isConsistent = false }: Partial<NodeLie>) => {
    const found = replicas.get(isConsistent);
    if (found) return found;
    const settings = isConsistent ? second : {};
    const name = isConsistent ? 'two-nodes' : 'one-node';
    const replica = await fixtures.replica({ name, settings, timeouts: TIMEOUTS });
    replicas.set(isConsistent, replica);
    return replica;
  };
  const buyers: {
    readonly name: string;
    readonly payer: Awaited<ReturnType<typeof newBuyer>>['payer'];
  }[] = [];
  const newBuyer = async () => {
    const [test, payer] = await Promise.all([fixtures.readyTest(), fixtures.newPayer(20)]);
    return { test, payer, pay: payingFetch(payer.privateKey, 'eip155:8453') };
  };
  const random = prng(seed);
  const thief = await fixtures.newPayer(0);
  await fixtures.giveEther(thief);
  let paidBefore = '';

  async function buy(replica: Fork, { test, payer, pay }: Awaited<ReturnType<typeof newBuyer>>) {
    const answer = await pay(`${replica.http}/v1/report?test_id=${test.test_id}`, {
      headers: { 'x-read-token': test.read_token },
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    const transfers = await fixtures.transfers(payer);
    const broken = [
      ...(transfers > 1 ? [`${transfers} transfers for one report`] : []),
      ...(answer?.status === 200 && transfers === 0 ? ['a report without a transfer'] : []),
    ];
    return { status: answer?.status ?? 0, broken };
  }

  function begin(lie: NodeLie | FacilitatorLie, payer: string, context: LieContext): void {
    if ('lie' in lie) {
      const rule = lie.lie(context);
      fixtures.proxy.fail((method, body) => rule(method, JSON.parse(body).params ?? []) ?? 'pass');
      return;
    }
    fixtures.facilitator.behave({ settle: 'up', ...lie.tell(payer, context) });
  }

  function end(): void {
    fixtures.proxy.fail();
    fixtures.facilitator.behave({ settle: 'up' });
  }

  return {
    /** One buyer while the lie is told, and until the report is paid for once it is not. */
    async tell(lie: NodeLie | FacilitatorLie): Promise<Told> {
      const replica = await replicaFor('lie' in lie ? lie : {});
      if (paidBefore === '') {
        const before = await newBuyer();
        await buy(replica, before);
        const { context } = await fixtures.payment(before.test.test_id);
        paidBefore = context.settled?.receipt.transaction ?? '';
      }
      const buyer = await newBuyer();
      buyers.push({ name: lie.name, payer: buyer.payer });
      const head = await fixtures.headNumber();
      const statuses: number[] = [];
      const broken: string[] = [];
      const ask = async () => {
        const asked = await buy(replica, buyer);
        statuses.push(asked.status);
        broken.push(...asked.broken);
        return asked.status;
      };
      begin(lie, buyer.payer.address, {
        paidBefore,
        head,
        random: () => random.below(1_000) / 1_000,
        send: (call) => void send(fixtures.chain, thief.privateKey, call).catch(() => undefined),
      });
      for (let times = 0; times < ASKED; times += 1) await ask();
      end();
      const until = Date.now() + PAID_MS;
      while ((await ask()) !== 200 && Date.now() < until) await sleep(200);
      if (statuses.at(-1) !== 200) broken.push(`the last answer is ${statuses.at(-1)}`);
      return { statuses, broken };
    },

    /** Buyers whose payment moved more than once, or not at all, after all. */
    async late(): Promise<readonly string[]> {
      const counts = await Promise.all(buyers.map(({ payer }) => fixtures.transfers(payer)));
      return buyers.flatMap(({ name }, index) =>
        counts[index] === 1 ? [] : [`${name}: ${counts[index]} transfers at the end`],
      );
    },

    stop: () => Promise.all([...replicas.values()].map((replica) => replica.kill())),
  };
}
