/**
 * Runs clients that carry out their plans, whatever breaks, and finds where the replicas, in the end,
 * contradict each other or what was promised.
 */

import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ChainAccount } from '../../environment/chain.ts';
import { writeReadyTest } from '../../support/payments/ready-test.ts';
import type { Prng } from '../../support/prng/prng.ts';
import type { Load } from '../fault.ts';
import { type Replica, type World, waitFor } from '../world/parts.ts';
import { type Calls, calls, type Owned, type Record, type Reply } from './calls.ts';
import type { Plan } from './plan.ts';
import { compare, isDecided, type Promised } from './promised.ts';

/** Longest time for which a request is repeated, in milliseconds. */
const PATIENCE_MS = 90_000;

/**
 * Pause between two attempts, and the longest pause between two polls of a watching client, in milliseconds.
 */
const AGAIN_MS = 150;
const WATCH_MS = 400;

/** How often someone signs again when asked to. */
const SIGNATURES = 8;

/** Number of tests per round that are polled all the time. */
const WATCHED = 6;

/**
 * Starts the clients of a round. Each does with its test what its plan says, repeats each request at any
 * replica until it has a response, as docs/http-api.md and docs/receiving.md say, and keeps what it was
 * promised.
 * @param reports how many reports their shared wallet can pay for
 */
export function startClients(world: World, record: Record, random: Prng, reports = SIGNATURES) {
  const { replicas, environment, log } = world;
  const one: Calls = calls(environment, record);
  const attempts = new EventEmitter<{ ended: [] }>();
  const known: Promised[] = [];
  const payments: string[] = [];
  const stuck: string[] = [];
  let isOver = false;
  let isSteadyStill = true;
  let busy = 0;
  let open = Promise.withResolvers<void>();
  open.resolve();

  /** Makes a request at one replica after another, until there is a result. */
  async function persist<T>(
    what: string,
    attempt: (replica: Replica) => Promise<T | undefined>,
    first = random.below(replicas.length),
    step = 1,
  ): Promise<T | undefined> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let tried = 0; performance.now() < deadline; tried++) {
      const replica = replicas[(first + tried * step) % replicas.length] as Replica;
      const result = await attempt(replica);
      attempts.emit('ended');
      if (result !== undefined) return result;
      await sleep(AGAIN_MS);
    }
    stuck.push(what);
    return undefined;
  }

  const create = ({ isHurried }: Plan) =>
    persist('create', one.create, isHurried ? replicas.length - 1 : 0, 0);
  const writeReady = async (): Promise<Owned> => {
    const { test_id: testId, read_token: token } = await writeReadyTest(log);
    return { testId, token, address: '', at: new Date(), seen: 0 };
  };

  /** Returns a response that is final: with the report, without it for good, or with its price. */
  const decided = (reply: Reply | undefined) =>
    reply && [200, 402, 404].includes(reply.status) ? reply : undefined;
  const read = (owned: Owned, payment?: string) =>
    persist(`read ${owned.testId}`, async (replica) =>
      decided(await one.read(replica, owned, payment)),
    );

  async function newPayer(reports: number): Promise<ChainAccount> {
    const privateKey = generatePrivateKey();
    const { address } = privateKeyToAccount(privateKey);
    if (reports > 0) await one.fund(address, reports);
    return { address, privateKey };
  }

  const shared = newPayer(reports);

  /** Signs what is asked for, and sends that until there is a response. If it asks again, signs again. */
  async function pay(owned: Owned, plan: Plan): Promise<Reply | undefined> {
    const { begins, isHurried, pays, times, isShared } = plan;
    const payer = await (isShared ? shared : newPayer(pays === 'without money' ? 0 : SIGNATURES));
    // No authorization is short enough for a report that ends in seconds.
    const isTooLate = begins === 'created' && isHurried;
    const isOnce = isTooLate || pays === 'without money' || pays === 'or gives up';
    let asked = await read(owned);
    for (let signed = 0; asked?.status === 402; signed++) {
      if (isOnce && signed > 0) break;
      if (signed === SIGNATURES) {
        stuck.push(`pay for ${owned.testId}`);
        break;
      }
      const payment = await one.sign(payer, asked);
      payments.push(payment);
      const sent = Array.from({ length: times }, () => read(owned, payment));
      const replies = await Promise.all(sent);
      asked = replies.find((reply) => reply?.status !== 402) ?? replies[0];
    }
    return asked;
  }

  /** Returns the report that was bought. */
  async function buy(owned: Owned, plan: Plan): Promise<string | undefined> {
    if (plan.pays === 'not') return (await read(owned))?.report;
    if (plan.pays === 'and leaves') return leave(owned);
    const another = random.pick(payments.length > 0 ? payments : [undefined]);
    if (plan.pays === 'with the payment of another' && another) await read(owned, another);
    return (await pay(owned, plan))?.report;
  }

  /** Pays once, whatever the response. The payment must be completed even without another request. */
  async function leave(owned: Owned): Promise<undefined> {
    const asked = await read(owned);
    if (asked?.status !== 402) return;
    const payment = await one.sign(await newPayer(1), asked);
    await one.read(random.pick(replicas), owned, payment);
    attempts.emit('ended');
    left.push(owned);
  }

  async function watch(owned: Owned): Promise<void> {
    while (!isOver) {
      await one.poll(random.pick(replicas), owned);
      if (random.chance(0.2)) await one.read(random.pick(replicas), owned);
      await sleep(random.integer(20, WATCH_MS));
    }
  }

  /** Carries out a plan once, or repeatedly. */
  async function live(plan: Plan, isSteady: boolean): Promise<void> {
    do {
      await open.promise;
      busy++;
      await liveOnce(plan).finally(() => busy--);
      if (isSteady) await sleep(AGAIN_MS);
    } while (isSteady && isSteadyStill);
  }

  async function liveOnce(plan: Plan): Promise<void> {
    const owned = plan.begins === 'ready' ? ready.pop() : await create(plan);
    if (!owned) return;
    const promised: Promised = {
      owned,
      plan,
      ends: plan.begins === 'ready' ? 'analysed' : undefined,
    };
    known.push(promised);
    // Reading the report would continue its payment.
    if (known.length <= WATCHED && plan.pays !== 'and leaves') watching.push(watch(owned));
    if (plan.begins === 'created') {
      const send = (refused: boolean) =>
        persist(`mail to ${owned.testId}`, (replica) => one.mail(replica, owned, refused));
      if (plan.isRefused) await send(true);
      const replies = await Promise.all(Array.from({ length: plan.mails }, () => send(false)));
      promised.ends = replies[0];
    }
    if (promised.ends === 'analysed') promised.report = await buy(owned, plan);
    if (plan.isDeleted)
      await persist(`delete ${owned.testId}`, async (replica) => {
        const status = await one.remove(replica, owned);
        return status === 204 || status === 404 ? status : undefined;
      });
  }
  const ready: Owned[] = [];
  const left: Owned[] = [];
  const watching: Promise<void>[] = [];
  const living: Promise<void>[] = [];

  return {
    stuck,
    tokens: () => known.map(({ owned }) => owned.token),
    /** Creates what must exist before anything breaks. */
    async prepare(plans: readonly Plan[]): Promise<void> {
      await shared;
      const forSale = plans.filter(({ begins }) => begins === 'ready');
      ready.push(...(await Promise.all(forSale.map(writeReady))));
    },
    begin: (plans: readonly Plan[], isSteady = false) =>
      void living.push(...plans.map((plan) => live(plan, isSteady))),
    load: {
      sold: () => known.filter(({ report }) => report).length,
      async pause() {
        open = Promise.withResolvers();
        await waitFor('what was begun has ended', async () => busy === 0);
      },
      resume: () => open.resolve(),
    } satisfies Load,
    /** Ends the steady load: no new client starts. */
    end() {
      isSteadyStill = false;
    },
    /** Resolves when this many more requests have ended, or all there were. */
    async attempts(count: number): Promise<void> {
      const all = Promise.all(living);
      for (let n = 0; n < count; n++)
        if ((await Promise.race([once(attempts, 'ended'), all.then(() => 'all')])) === 'all')
          return;
    },
    /** Resolves when every plan is completed. */
    finished: () => Promise.all(living),
    /** Asks every replica for everything, until all of them agree. Returns where they do not. */
    async reckon(): Promise<readonly string[]> {
      isOver = true;
      await Promise.all(watching);
      await Promise.all(
        left.map(async (owned) => {
          if (!(await isDecided(world, owned)))
            stuck.push(`the payment for ${owned.testId}, for which nobody asked,`);
        }),
      );
      const ask = async (replica: Replica, owned: Owned) => {
        const status = await persist('status', () => one.poll(replica, owned));
        const reply = await persist('read', () => one.read(replica, owned));
        return `${status}, ${reply?.status} ${reply?.report ?? ''}`.trim();
      };
      const unlike = known.map((promised) => compare(promised, replicas, ask));
      return (await Promise.all(unlike)).flat();
    },
  };
}

export type Clients = ReturnType<typeof startClients>;
