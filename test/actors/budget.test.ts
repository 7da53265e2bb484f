import { expect, test } from 'vitest';
import { openBudget, type Turn } from '../../src/actors/settler/budget.ts';

const PAYER = { payer: '0xa', code: undefined, isSample: false };

/** A budget by a clock that is moved by hand. */
function aBudget() {
  let now = 0;
  const budget = openBudget(() => now);
  const turn = async (entering: ReturnType<typeof budget.enterPayer>) => (await entering) as Turn;
  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ...budget, turn, advance };
}

test('a payer has one open settlement while it has paid for none', async () => {
  const { enterPayer, turn } = aBudget();
  const first = await turn(enterPayer('0xa', 0));
  expect(await enterPayer('0xa', 0)).toBe('busy');
  expect(await enterPayer('0xb', 0)).toHaveProperty('leave');
  first.leave();
  expect(await enterPayer('0xa', 0)).toHaveProperty('leave');
});

test('who waits in line goes on when a place comes free, in order', async () => {
  const { enterPayer, turn } = aBudget();
  const order: number[] = [];
  const first = await turn(enterPayer('0xa', 0));
  const waiting = [1, 2, 3].map(async (place) => {
    const mine = await turn(enterPayer('0xa', 60_000));
    order.push(place);
    mine.leave();
  });
  first.leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
});

test('each payment that settles gives one place more, up to 64; a revert takes them', async () => {
  const { enterPayer, note } = aBudget();
  for (let paid = 0; paid < 100; paid += 1) note('0xa', false, 'paid');
  const places = await Promise.all(Array.from({ length: 65 }, () => enterPayer('0xa', 0)));
  expect(places.filter((place) => place === 'busy')).toHaveLength(1);
  note('0xa', false, 'reverted');
  expect(await enterPayer('0xa', 0)).toBe('busy');
});

test('what is open at other replicas counts', async () => {
  const { enterPayer } = aBudget();
  expect(await enterPayer('0xa', 0, () => 1)).toBe('busy');
});

test('after a revert a payer waits 30 s, twice as long after each more', async () => {
  const { enterPayer, note, turn, advance } = aBudget();
  for (const wait of [30_000, 60_000, 120_000]) {
    note('0xa', false, 'reverted');
    advance(wait - 1);
    expect(await enterPayer('0xa', 0)).toBe('blocked');
    advance(1);
    (await turn(enterPayer('0xa', 0))).leave();
  }
});

test('the third revert of wallets of one code blocks all that never paid', async () => {
  const { enterShared, note, turn } = aBudget();
  const wallet = (payer: string) => ({ payer, code: '0xc0de', isSample: false });
  for (const payer of ['0x1', '0x2', '0x3']) {
    (await turn(enterShared(wallet(payer), 0))).leave();
    note(payer, false, 'reverted');
  }
  expect(await enterShared(wallet('0x4'), 0)).toBe('blocked');
  expect(await enterShared({ ...wallet('0x5'), code: '0xother' }, 0)).toHaveProperty('leave');
  expect(await enterShared(PAYER, 0)).toHaveProperty('leave');
});

test('wallets of many codes that all revert are blocked together; plain accounts go on', async () => {
  const { enterShared, note, turn } = aBudget();
  for (let code = 0; code < 7; code += 1) {
    const payer = `0x${code}`;
    (await turn(enterShared({ payer, code: `0xc${code}`, isSample: false }, 0))).leave();
    note(payer, false, 'reverted');
  }
  const fresh = { payer: '0xff', code: '0xfresh', isSample: false };
  expect(await enterShared(fresh, 0)).toBe('blocked');
  expect(await enterShared(PAYER, 0)).toHaveProperty('leave');
});

test('a code that pays ten times for each revert is not blocked', async () => {
  const { enterShared, note, turn } = aBudget();
  const traits = { payer: '0x1', code: '0xc0de', isSample: false };
  (await turn(enterShared(traits, 0))).leave();
  for (let paid = 0; paid < 30; paid += 1) note('0x1', false, 'paid');
  for (const _ of [1, 2, 3]) note('0x1', false, 'reverted');
  expect(await enterShared({ ...traits, payer: '0x2' }, 0)).toHaveProperty('leave');
});

test('a payer that has always paid needs no place among its like', async () => {
  const { enterShared, note, turn } = aBudget();
  const held = await turn(enterShared({ payer: '0x1', code: '0xc0de', isSample: false }, 0));
  expect(await enterShared({ payer: '0x2', code: '0xc0de', isSample: false }, 0)).toBe('busy');
  note('0x2', false, 'paid');
  expect(await enterShared({ payer: '0x2', code: '0xc0de', isSample: false }, 0)).toHaveProperty(
    'leave',
  );
  held.leave();
});

test('the sample is settled only while it earns', async () => {
  const { enterShared, note, turn } = aBudget();
  for (const payer of ['0x1', '0x2', '0x3']) {
    (await turn(enterShared({ ...PAYER, payer, isSample: true }, 0))).leave();
    note(payer, true, 'reverted');
  }
  expect(await enterShared({ ...PAYER, isSample: true }, 0)).toBe('blocked');
  expect(await enterShared(PAYER, 0)).toHaveProperty('leave');
});

test('reverts are forgotten after an hour', async () => {
  const { enterShared, note, turn, advance } = aBudget();
  const traits = { payer: '0x1', code: '0xc0de', isSample: false };
  (await turn(enterShared(traits, 0))).leave();
  for (let reverts = 0; reverts < 9; reverts += 1) note('0x1', false, 'reverted');
  expect(await enterShared(traits, 0)).toBe('blocked');
  advance(3_600_001);
  expect(await enterShared(traits, 0)).toHaveProperty('leave');
});

test('a plain account that never paid is watched once too many took their money back', () => {
  const { isWary, note } = aBudget();
  for (let reverts = 0; reverts < 5; reverts += 1) note(`0x${reverts}`, false, 'reverted');
  expect(isWary(PAYER)).toBe(false);
  note('0xb0', false, 'reverted');
  expect(isWary(PAYER)).toBe(true);
  expect(isWary({ ...PAYER, code: '0xc0de' })).toBe(false);
  note(PAYER.payer, false, 'paid');
  expect(isWary(PAYER)).toBe(false);
});
