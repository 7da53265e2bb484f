import { expect, test } from 'vitest';
import { judge } from './judge.ts';

const flat = { first: 100, last: 100 };
const none = { first: 0, last: 0 };
const ms = { p50: 1, p99: 2 };
const steady = {
  ...{ begun: 10, ready: 10, ready_a_second: 1, shed: {}, faults: {} },
  ...{ mail_ms: ms, ready_ms: ms, poll_ms: ms },
  ...{
    memory_mib: flat,
    live_tests: flat,
    follower_lag: none,
    erase_backlog: none,
    loop_p99_ms: flat,
  },
};
const over = { ...steady, ready: 6, shed: { 'mail 421': 4 } };
const ended = { live_tests: 0, erase_backlog: 0, asked: 2, still_there: 0 };
const good = { steady, over, recovery_ms: 100, ended };

const missed = (outcome: typeof good) =>
  judge(outcome)
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);

test('a load that was served, shed politely and ended misses nothing', () => {
  expect(missed(good)).toEqual([]);
});

test.each([
  ['ready', { ...good, steady: { ...steady, ready: 9, shed: { 'mail 421': 1 } } }],
  ['memory', { ...good, steady: { ...steady, memory_mib: { first: 100, last: 121 } } }],
  ['memory', { ...good, steady: { ...steady, memory_mib: { first: 100, last: Number.NaN } } }],
  ['events behind', { ...good, steady: { ...steady, follower_lag: { first: 0, last: 101 } } }],
  ['to be erased', { ...good, steady: { ...steady, erase_backlog: { first: 0, last: 101 } } }],
  ['event loop', { ...good, steady: { ...steady, loop_p99_ms: { first: 100, last: 171 } } }],
  ['live tests', { ...good, steady: { ...steady, live_tests: { first: 100, last: 121 } } }],
  ['at 150 %', { ...good, over: { ...over, faults: { 'status 500': 1 } } }],
  ['as fast', { ...good, recovery_ms: 10_001 }],
  ['ended', { ...good, ended: { ...ended, still_there: 1 } }],
  ['ended', { ...good, ended: { ...ended, live_tests: 1 } }],
])('%s is missed when it should be', (what, outcome) => {
  expect(missed(outcome as typeof good)).toEqual([expect.stringContaining(what)]);
});
