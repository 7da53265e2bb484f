import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../environment/environment.ts';
import { type Bought, type Buyer, buyer } from './buyer.ts';
import type { Replica } from './replica.ts';
import { newTally } from './retry.ts';

/** Buyers at once. */
const BUYERS = 4;

/** Between two tests of one buyer, in milliseconds. */
const PAUSE_MS = 250;

/** Every third test is created and polled only, every third is not paid for. */
const KINDS = ['paid', 'mailed', 'created'] as const;

/** Buyers that create, send, poll, pay and read all the time, at every replica in turn. */
export function startLoad(environment: Environment, replicas: readonly Replica[]) {
  const tally = newTally();
  const all: Bought[] = [];
  let turn = 0;
  let going = true;
  let open = Promise.withResolvers<void>();
  open.resolve();
  let busy = 0;
  const next = (): Replica => replicas[turn++ % replicas.length] as Replica;
  const calls: Buyer = buyer(environment, next, tally);

  async function buyOne(kind: (typeof KINDS)[number]): Promise<void> {
    const bought = await calls.create();
    if (!bought) return;
    all.push(bought);
    await calls.status(bought);
    if (kind === 'created') return;
    await calls.mail(bought);
    await calls.status(bought);
    if (kind === 'paid' && bought.analysed) await calls.pay(bought);
  }

  async function run(): Promise<void> {
    for (let count = 0; going; count++) {
      await open.promise;
      busy++;
      await buyOne(KINDS[count % KINDS.length] ?? 'paid').finally(() => busy--);
      await sleep(PAUSE_MS);
    }
  }
  const running = Promise.all(Array.from({ length: BUYERS }, run));

  return {
    tally,
    /** Everything that was acknowledged. */
    all: all as readonly Bought[],
    calls,
    /** Resolves once so many more have been paid for. */
    async paidMore(count: number): Promise<void> {
      const paid = () => all.filter((one) => one.report !== '').length;
      const goal = paid() + count;
      while (paid() < goal && tally.lost.length === 0) await sleep(100);
    },
    /** Nothing new is begun; resolves when what was begun has ended. */
    async pause(): Promise<void> {
      open = Promise.withResolvers();
      while (busy > 0) await sleep(50);
    },
    resume: () => open.resolve(),
    async stop(): Promise<void> {
      going = false;
      open.resolve();
      await running;
    },
  };
}

export type Load = ReturnType<typeof startLoad>;

/** Compares what was acknowledged with what every replica answers now, and with the money. */
export async function reckon(
  { all, calls, tally }: Load,
  { chain }: Environment,
  replicas: readonly Replica[],
): Promise<void> {
  for (const bought of all)
    for (const replica of replicas) {
      const status = await calls.status(bought, replica);
      const wanted = bought.analysed ? 'ready' : 'waiting';
      if (status && status !== wanted)
        tally.lost.push(`${bought.id} is ${status} at ${replica.id}, not ${wanted}`);
      if (bought.report !== '') await calls.readAgain(bought, replica);
    }
  const income = await chain.usdcBalance(chain.payTo);
  const paid = all.reduce((sum, bought) => sum + bought.paid, 0n);
  if (income !== paid) tally.lost.push(`${income} was received, ${paid} was paid for reports`);
}
