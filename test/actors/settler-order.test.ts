/**
 * Tests the order of the steps in which a payment is checked and settled: each refuses before any
 * later one is taken, and what is paid for is served first.
 */

import { expect, test } from 'vitest';
import { aPayment, aSettler, receipt, refusal } from '../support/payments/settler.ts';

type World = ReturnType<typeof aSettler>;

const FROM = `0x${'7'.repeat(40)}`;
const byPayer = () => aPayment({ authorization: { from: FROM } });

/** A way to make one step refuse a payment, and how that step then answers. */
interface Obstacle {
  readonly step: string;
  /** Sends the earlier payments that make the step refuse. Everything else still works. */
  readonly prepare?: (world: World, payment: string) => Promise<unknown>;
  /** Breaks what the step needs. */
  readonly put?: (world: World) => void;
  /** The step refuses this payment, not a good one. */
  readonly payment?: string;
  readonly code: string;
  readonly says: RegExp;
  /** Calls to others until then. */
  readonly asked: readonly string[];
}

const LOOKED = ['signature', 'ready', 'ended'];
const LOADED = [...LOOKED, 'load'];
const CLAIMED = [...LOADED, 'claim', 'balance'];

const fails = async (): Promise<never> => {
  throw new Error('away');
};

/** The order that keeps money safe: a change here is a decision. */
const obstacles: readonly Obstacle[] = [
  {
    step: 'refusePending',
    async prepare({ script, read }) {
      script.settle = async () => ({ kind: 'unknown', reason: 'not_mined' });
      await refusal(read(aPayment()));
    },
    code: 'settlement_pending',
    says: /Do not sign anything again/,
    // The settlement that is not decided is looked at, and tried again.
    asked: ['chain', 'settle'],
  },
  {
    step: 'judgeHeader',
    payment: aPayment({ accepted: { amount: '50001' } }),
    code: 'payment_invalid',
    says: /accepted\.amount is "50001"/,
    asked: [],
  },
  {
    step: 'findArrived',
    async prepare({ script, read }, payment) {
      script.balance = 0n;
      await refusal(read(payment));
    },
    put({ script }) {
      script.ended = async (isClaimed) => (isClaimed ? 'spent' : undefined);
    },
    code: 'payment_invalid',
    says: /nonce_already_used/,
    asked: ['ended'],
  },
  {
    step: 'refuseObstacles',
    put: ({ to }) => to(400),
    code: 'payment_invalid',
    says: /authorization_valid_before/,
    asked: [],
  },
  {
    step: 'takeLook',
    async prepare({ script, read }) {
      script.isSignedByKey = false;
      script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
      for (let looks = 0; looks < 30; looks += 1) await refusal(read(aPayment(), 'lookedlooked'));
    },
    put({ script }) {
      script.isSignedByKey = false;
    },
    code: 'rate_limited',
    says: /too many payments that could not be accepted/,
    asked: [],
  },
  {
    step: 'checkSignature',
    put({ script }) {
      script.signature = async () => ({ ok: false, reason: 'invalid_exact_evm_signature' });
    },
    code: 'payment_invalid',
    says: /evm_signature/,
    asked: ['signature'],
  },
  {
    step: 'checkUnused',
    put({ script }) {
      script.ready = fails;
    },
    code: 'facilitator_unavailable',
    says: /moved no money/,
    asked: LOOKED,
  },
  {
    step: 'takeTurn',
    async prepare({ script, read, count }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      script.settle = () => {
        resolve();
        return new Promise(() => {});
      };
      // It is refused in the end, when its settlement has taken too long.
      read(byPayer(), 'otherotherot').catch(() => {});
      await promise;
      expect(count('settle')).toBeGreaterThan(0);
    },
    code: 'rate_limited',
    says: /Other payments of this wallet/,
    asked: LOOKED,
  },
  {
    step: 'takePlace',
    async prepare({ script, read }) {
      script.settle = async () => ({ kind: 'unknown', reason: 'simulation_failed' });
      script.chain = async () => ({ state: 'dead' });
      for (let starts = 0; starts < 20; starts += 1)
        await refusal(read(aPayment(), `drained${'abcdefghijklmnopqrst'[starts]}aaaa`));
    },
    code: 'rate_limited',
    says: /Too many payments failed|Other new payers/,
    asked: LOOKED,
  },
  {
    step: 'loadReport',
    put({ script }) {
      script.load = fails;
    },
    code: '',
    says: /away/,
    asked: LOADED,
  },
  {
    step: 'claimAuthorization',
    put({ claims }) {
      claims.claim = async (_, claim) => ({ ...claim, id: 'otherotherot' });
    },
    code: 'payment_invalid',
    says: /nonce_already_used/,
    asked: [...LOADED, 'claim'],
  },
  {
    step: 'awaitFunds',
    put({ script }) {
      script.balance = 49_999n;
    },
    code: 'payment_invalid',
    says: /insufficient_balance/,
    asked: [...CLAIMED, 'ended'],
  },
  {
    step: 'recordStart',
    put: ({ payments }) => payments.failNext('full'),
    code: 'log_unavailable',
    says: /moved no money/,
    asked: CLAIMED,
  },
  {
    step: 'settle',
    put({ script }) {
      script.settle = fails;
    },
    code: 'settlement_pending',
    says: /Do not sign anything again/,
    asked: [...CLAIMED, 'settle'],
  },
];

/** Steps in the order in which a world can be prepared: those that use up a limit come last. */
const PREPARED = ['findArrived', 'refusePending', 'takeTurn', 'takePlace', 'takeLook'];

test.each(obstacles.map((one, at) => [one.step, one, at] as const))(
  '%s refuses before any later step is taken, although all of those would refuse, too',
  async (_, { code, says, asked }, at) => {
    const world = aSettler({ line: 20 });
    const good = { ...world.script };
    const payment = byPayer();
    const put = obstacles.slice(at);
    for (const step of PREPARED) {
      await put.find((one) => one.step === step)?.prepare?.(world, payment);
      Object.assign(world.script, good);
    }
    for (const one of put) one.put?.(world);
    world.asked.length = 0;
    const sent = put.find((one) => one.payment !== undefined)?.payment ?? payment;
    const error = await world.read(sent).catch((thrown) => thrown);
    expect(error.code ?? '').toBe(code);
    expect(error.options?.detail ?? error.message).toMatch(says);
    expect(world.asked).toEqual(asked);
  },
);

test('a report that is paid for is served before any step can refuse', async () => {
  const world = aSettler({ line: 20 });
  await world.read(aPayment());
  const { load } = world.script;
  for (const { put } of obstacles) put?.(world);
  world.script.load = load;
  world.asked.length = 0;
  for (const header of [undefined, 'garbage', byPayer()])
    expect(await world.read(header)).toMatchObject({ receipt });
  expect(world.asked).toEqual(['load', 'load', 'load']);
});

/** Money arrives for a payment that was refused, and every later step would refuse it now. */
async function arrived() {
  const world = aSettler({ line: 20 });
  const good = { ...world.script };
  const payment = byPayer();
  const at = obstacles.findIndex(({ step }) => step === 'findArrived');
  await obstacles[at]?.prepare?.(world, payment);
  for (const { step, put } of obstacles.slice(at + 1)) if (step !== 'recordStart') put?.(world);
  world.script.ended = async () => 'settled';
  world.script.chain = async () => ({ state: 'settled', receipt, block: 7 });
  return { ...world, load: good.load, payment };
}

test('money that has arrived opens its report before any later step can refuse', async () => {
  const { read, script, load, payment, count } = await arrived();
  script.load = load;
  expect(await read(payment)).toMatchObject({ receipt });
  expect(count('settle')).toBe(0);
});

test('money that has arrived for a report that cannot be loaded is recorded with the report alone', async () => {
  const { read, script, load, payment, types } = await arrived();
  await expect(read(payment)).rejects.toThrow('away');
  expect(types()).toEqual([]);
  script.load = load;
  expect(await read(payment)).toMatchObject({ receipt });
});
