import { setTimeout as delay } from 'node:timers/promises';
import { scan } from '../../../../src/cli/replay/scan.ts';
import type { ChainAccount } from '../../../environment/chain.ts';
import { authorize } from '../../../support/payments/authorization.ts';
import { adminOf } from '../../../support/payments/payment-chain.ts';
import { toHeader } from '../../../support/payments/payment-fixtures.ts';
import { type PaymentEnvironment, readReport } from '../payment-environment.ts';
import type { Fork } from '../service-fork.ts';
import { type Attack, attackers } from './attackers.ts';

/** Base's. */
const BLOCK_SECONDS = 2;

/** Honest purchases a second, each of a payer that never paid before. */
const HONEST_A_SECOND = 2;

/** Transactions of ours that one hostile payer wastes. All of them together are bounded by the hour's gas. */
const WASTED_A_PAYER = 1;

/** What a refused request may leave in the log, in bytes. */
const BYTES_A_REFUSED = 2_048;

/** Of a message beside its event, in bytes, rounded up: subject and headers. */
const OVERHEAD = 300;

export interface HostileOptions {
  readonly environment: PaymentEnvironment;
  readonly seconds: number;
  /** Hostile requests a minute. */
  readonly rate: number;
  readonly print: (text: string) => void;
}

/** One figure of a run, and whether it is within its limit. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly holds: boolean;
}

/**
 * Honest buyers alone, then with hostile payers beside them: what the hostile ones cost us in
 * transactions and in the log, and the honest ones in time.
 */
export async function faceHostilePayers(options: HostileOptions): Promise<readonly Figure[]> {
  const fork = await options.environment.replica({ name: 'one' });
  try {
    return await measure(options, fork);
  } finally {
    await fork.kill();
  }
}

async function measure({ environment, seconds, rate, print }: HostileOptions, fork: Fork) {
  const honest = await prepareHonest(environment, fork, 2 * seconds * HONEST_A_SECOND);
  let victims = 0;
  const { attacks, payers } = attackers(environment, fork, {
    victim: () => (honest.at(-1 - (victims++ % honest.length)) as Honest).payer,
    made: () => makePayment(environment, fork),
  });
  const kinds = Object.entries(attacks);
  const count = Math.ceil((rate * seconds) / 60);
  const hostile: { readonly kind: string; readonly attack: Attack }[] = [];
  for (let index = 0; index < count; index += 1) {
    const [kind, prepare] = kinds[index % kinds.length] as (typeof kinds)[number];
    hostile.push({ kind, attack: await prepare() });
  }
  print(`${hostile.length} hostile requests and ${honest.length} honest ones are ready`);
  const admin = adminOf(environment.chain);
  await admin.setAutomine(false);
  await admin.setIntervalMining({ interval: BLOCK_SECONDS });

  const buy = async (index: number) => (await honest[index]?.buy()) ?? 0;
  const alone = await paced(seconds, HONEST_A_SECOND, buy);
  const statuses = new Map<string, number>();
  let refused = 0;
  const [beside] = await Promise.all([
    paced(seconds, HONEST_A_SECOND, (index) => buy(index + seconds * HONEST_A_SECOND)),
    paced(seconds, rate / 60, async (index) => {
      const { kind, attack } = hostile[index] ?? {};
      if (!kind || !attack) return;
      const status = await attack().catch(() => 0);
      if (status !== 200) refused += 1;
      statuses.set(`${kind}: ${status}`, (statuses.get(`${kind}: ${status}`) ?? 0) + 1);
    }),
  ]);
  for (const [answer, times] of [...statuses].sort()) print(`  ${answer} × ${times}`);
  const left = await leftBehind(environment, payers);
  return judge({ alone, beside, hostile: hostile.length, refused, ...left });
}

/** What these payers left in the log, in bytes, and the transactions that we signed for each and that paid nothing. */
async function leftBehind({ log }: PaymentEnvironment, payers: ReadonlySet<string>) {
  const payerOf = new Map<string, string>();
  const wasted = new Map<string, number>();
  const count = (payer: string, by: number) => wasted.set(payer, (wasted.get(payer) ?? 0) + by);
  let grown = 0;
  await scan(log.payments, {
    name: 'payments',
    progress: () => {},
    onEvent({ id, event }) {
      if (event.type === 'SettlementStarted')
        payerOf.set(id, event.data.payload.authorization.from.toLowerCase());
      const payer = payerOf.get(id) ?? '';
      if (!payers.has(payer)) return;
      grown += JSON.stringify(event).length + OVERHEAD;
      if (event.type === 'TransactionSigned' && !event.data.replaces) count(payer, 1);
      if (event.type === 'PaymentSettled') count(payer, -1);
    },
  });
  return { grown, wasted: [...wasted.values()] };
}

/** A buyer, and everything but the request; it gives the milliseconds to the report, `Infinity` without one. */
interface Honest {
  readonly payer: ChainAccount;
  readonly buy: () => Promise<number>;
}

/** A sale that is on the chain: anyone may copy it from there. */
async function makePayment({ chain, ...environment }: PaymentEnvironment, fork: Fork) {
  const [payer, test] = await Promise.all([environment.newPayer(2), environment.readyTest()]);
  const { address: from, privateKey: key } = payer;
  const header = toHeader(chain, await authorize(chain, { from, key }));
  await readReport(fork, test, header);
  return { header };
}

async function prepareHonest(environment: PaymentEnvironment, fork: Fork, count: number) {
  const buyers: Honest[] = [];
  for (let index = 0; index < count; index += 1) {
    const [payer, test] = await Promise.all([environment.newPayer(1), environment.readyTest()]);
    const buy = async () => {
      const { address: from, privateKey: key } = payer;
      const header = toHeader(environment.chain, await authorize(environment.chain, { from, key }));
      const begun = performance.now();
      for (;;) {
        const { status } = await readReport(fork, test, header);
        const taken = performance.now() - begun;
        if (status === 200) return taken;
        if ((status < 500 && status !== 429) || taken > 60_000) return Number.POSITIVE_INFINITY;
        await delay(500);
      }
    };
    buyers.push({ payer, buy });
  }
  return buyers;
}

/** Calls so many a second for so long, however long each takes. */
async function paced<T>(seconds: number, aSecond: number, call: (index: number) => Promise<T>) {
  const calls: Promise<T>[] = [];
  const begun = performance.now();
  for (let index = 0; index < seconds * aSecond; index += 1) {
    await delay(Math.max(0, begun + (index * 1000) / aSecond - performance.now()));
    calls.push(call(index));
  }
  return Promise.all(calls);
}

interface Measured {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  readonly hostile: number;
  readonly refused: number;
  readonly grown: number;
  readonly wasted: readonly number[];
}

function judge({ alone, beside, hostile, refused, grown, wasted }: Measured): readonly Figure[] {
  const [calm, attacked] = [p99(alone), p99(beside)];
  const bytes = grown / Math.max(1, refused);
  const most = Math.max(0, ...wasted);
  const format = (ms: number) => `${Math.round(ms)} ms`;
  return [
    {
      name: 'transactions of ours that paid nothing',
      value: `${wasted.reduce((sum, one) => sum + one, 0)} for ${hostile} hostile requests, ${most} a payer at most`,
      holds: most <= WASTED_A_PAYER,
    },
    {
      name: 'growth of PAYMENTS',
      value: `${Math.round(bytes)} bytes a refused request`,
      holds: bytes <= BYTES_A_REFUSED,
    },
    {
      name: 'p99 of honest buyers',
      value: `${format(attacked)} with the attack, ${format(calm)} without`,
      holds: attacked <= 2 * calm,
    },
  ];
}

const p99 = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0;
