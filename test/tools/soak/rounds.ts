import { setTimeout as sleep } from 'node:timers/promises';
import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { paymentRequired } from '../../../src/domain/payment-required.ts';
import { paymentTerms } from '../../../src/domain/payment-terms.ts';
import type { ChainAccount } from '../../environment/chain.ts';
import { type Prng, prng } from '../../support/prng/prng.ts';
import { type Answer, type PaymentEnvironment, readReport } from './payment-environment.ts';
import type { ReadyTest } from './ready-test.ts';
import type { Fork } from './service-fork.ts';

/** Longest time until every payment of a round is decided, in milliseconds. */
const DECIDED_MS = 60_000;

/** After this long, in milliseconds, an open payment is one whose payer has too little. */
const HELP_MS = 500;

const NAMES = ['left', 'right'] as const;

/** A clock is wrong by up to this, in milliseconds: longer than any authorization is valid. */
const WRONG_MS = 6 * 3_600_000;

/** Less patience than in production: a replica that was killed is replaced within seconds. */
const TIMEOUTS = {
  abandoned: 2_000,
  firstLook: 1_000,
  nextLook: 500,
  tick: 100,
  join: 1_000,
  settle: 5_000,
};

export interface Soak {
  readonly environment: PaymentEnvironment;
  readonly rounds: number;
  readonly seed: number;
  readonly print: (text: string) => void;
  /** Takes the log away for a moment; `undefined`: that is not done. */
  readonly breakLog?: () => Promise<unknown>;
}

/** What one round did. */
interface Tally {
  requests: number;
  kills: number;
  outages: number;
  /** Clocks that were wrong. */
  jumps: number;
}

/**
 * Rounds of clients that pay, repeat, and use each other's payments, at replicas that are killed at
 * random steps, or whose clocks are wrong. After each round: as many payments reached the payee as reports are paid for, and
 * every one of these can be read.
 *
 * @throws when that does not hold
 */
export async function soak({ environment, rounds, seed, print, breakLog }: Soak): Promise<Tally> {
  const random = prng(seed);
  const replicas = await Promise.all(
    NAMES.map((name) => environment.replica({ name, timeouts: TIMEOUTS })),
  );
  const tests: ReadyTest[] = [];
  const payments: string[] = [];
  const total: Tally = { requests: 0, kills: 0, outages: 0, jumps: 0 };
  const sign = signing(environment);

  /** A replica dies at some step of whatever it is doing then. */
  function arm(place: number): void {
    const fork = replicas[place] as Fork;
    let left = random.below(8);
    fork.onStep(() => {
      if (left > 0) {
        left -= 1;
        return undefined;
      }
      total.kills += 1;
      void fork.kill();
      return new Promise(() => {});
    });
  }

  async function client(fresh: readonly ReadyTest[], payer: ChainAccount): Promise<void> {
    const test = random.pick(random.chance(0.8) ? fresh : [...tests, ...fresh]);
    const replay = payments.length > 0 && random.chance(0.3);
    const payment = replay ? random.pick(payments) : await sign(payer);
    if (random.chance(0.9)) payments.push(payment);
    for (let times = 1 + random.below(3); times > 0; times -= 1) {
      total.requests += 1;
      const fork = replicas[random.below(replicas.length)] as Fork;
      const sent = random.chance(0.2) ? undefined : payment;
      // A replica that dies gives no answer: then the client asks again, as it should.
      await readReport(fork, test, sent).catch(() => undefined);
    }
  }

  function setClock(fork: Fork): void {
    total.jumps += 1;
    fork.setClock(random.below(2 * WRONG_MS) - WRONG_MS);
  }

  async function revive(): Promise<void> {
    for (const [place, fork] of replicas.entries()) {
      fork.onStep(undefined);
      fork.setClock(0);
      if (fork.alive()) continue;
      const name = NAMES[place] as string;
      replicas[place] = await environment.replica({ name, timeouts: TIMEOUTS });
    }
  }

  try {
    for (let round = 1; round <= rounds; round += 1) {
      const [fresh, payers] = await prepare(environment, random);
      for (const place of replicas.keys()) if (random.chance(0.4)) arm(place);
      for (const fork of replicas) if (random.chance(0.3)) setClock(fork);
      const outage = breakLog && random.chance(0.15) ? breakLog() : undefined;
      if (outage) total.outages += 1;
      await Promise.all(
        Array.from({ length: 4 + random.below(8) }, () => client(fresh, random.pick(payers))),
      );
      await outage;
      await revive();
      tests.push(...fresh);
      payments.splice(0, Math.max(0, payments.length - 30));
      const paid = await check(environment, tests, replicas);
      print(`round ${round} of ${rounds}: ${paid} of ${tests.length} reports paid for, once each`);
    }
    return total;
  } finally {
    await Promise.all(replicas.map((fork) => fork.kill()));
  }
}

async function prepare(environment: PaymentEnvironment, random: Prng) {
  const several = <T>(most: number, make: () => Promise<T>) =>
    Promise.all(Array.from({ length: 1 + random.below(most) }, make));
  return Promise.all([
    several(4, () => environment.readyTest()),
    // Some can pay for one report only, some for none.
    several(3, () => environment.newPayer(random.below(5))),
  ]);
}

/** Payments of the official client on the terms of this environment. */
function signing({ chain }: PaymentEnvironment) {
  const terms = paymentTerms(
    {
      network: 'eip155:8453',
      asset: chain.asset,
      assetName: 'USD Coin',
      assetVersion: '2',
      amount: '50000',
      payTo: chain.payTo,
    },
    Number.POSITIVE_INFINITY,
  );
  const offer = paymentRequired('http://127.0.0.1', terms);
  return async ({ privateKey }: ChainAccount) => {
    const account = privateKeyToAccount(privateKey);
    const signer = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
    return encodePaymentSignatureHeader(
      await signer.createPaymentPayload(offer as unknown as PaymentRequired),
    );
  };
}

/** The invariant. Gives how many reports are paid for. */
async function check(
  environment: PaymentEnvironment,
  tests: readonly ReadyTest[],
  replicas: readonly Fork[],
) {
  const accounts = await Promise.all(tests.map(({ test_id }) => decided(environment, test_id)));
  const paid = tests.filter((_, index) => accounts[index]?.value === 'paid');
  const receipts = accounts.flatMap(({ context }) => context.settled?.receipt.transaction ?? []);
  const transfers = await environment.transfers();

  const broken = (what: string) => new Error(`${what} ${JSON.stringify({ transfers, receipts })}`);
  if (transfers !== paid.length)
    throw broken(`${transfers} payments reached the payee; ${paid.length} reports are paid for.`);
  if (new Set(receipts).size !== receipts.length) throw broken('Two reports have one payment.');
  // The newest are enough: the older ones were read after their own round.
  for (const test of paid.slice(-12))
    for (const fork of replicas) {
      const answer: Answer = await readReport(fork, test);
      if (answer.status !== 200 || answer.testId !== test.test_id)
        throw broken(`A paid report answers ${answer.status} ${answer.code}.`);
    }
  return paid.length;
}

/** A payer who ran out of money leaves a payment open until its end; with money it is settled. */
async function decided(environment: PaymentEnvironment, id: string) {
  const begun = Date.now();
  let helped = false;
  for (;;) {
    const account = await environment.payment(id);
    if (account.value !== 'settling') return account;
    const waited = Date.now() - begun;
    if (waited > DECIDED_MS)
      throw new Error(`The payment ${id} is not decided in time: ${account.types.join(', ')}.`);
    const payer = account.context.started?.payload.authorization.from;
    if (waited > HELP_MS && payer && !helped) {
      helped = true;
      await environment.chain.fundToken(payer as `0x${string}`, 50_000n);
    }
    await sleep(50);
  }
}
