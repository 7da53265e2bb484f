/** Tests how spam filters are asked for an opinion: turns, time limits and answers. */

import { expect, test } from 'vitest';
import { FilterFault } from '../../src/domain/filter-fault.ts';
import { createAskFilters } from '../../src/inspection/filters.ts';
import type { FilterAnswer, FilteredMail, SpamFilter } from '../../src/ports/filters.ts';

const mail: Omit<FilteredMail, 'hostname'> = {
  bytes: Buffer.from('x'),
  ip: '192.0.2.25',
  helo: 'mail.sender.example',
  from: 'a@sender.example',
  recipient: 'recipient@in.example.net',
  mailDomain: 'in.example.net',
  receivedAt: '2026-11-20T10:01:00.000Z',
};
const noName = Promise.resolve(null);

const answer: FilterAnswer = {
  ...{ version: '4.0.1', score: 1.5, threshold: 5, action: 'no_action' },
  rules: [],
};

const filterOf = (
  ask: SpamFilter['ask'],
  name: SpamFilter['name'] = 'spamassassin',
): SpamFilter => ({
  name,
  ask,
});

function askersOf(ask: SpamFilter['ask'], filterMs = 5000) {
  const ended: [string, boolean][] = [];
  const askAll = createAskFilters({
    filters: [filterOf(ask)],
    runBy: 'operator',
    onEnd: (name, isAnswered) => ended.push([name, isAnswered]),
    filterMs,
  });
  return { ended, askOne: async (more = {}) => (await askAll({ ...mail, ...more }, noName))[0] };
}

test('rules about the recipient are left out and counted, and so is a name that cannot be shown', async () => {
  const rules = [
    { name: 'MISSING_MID', points: 0.5 },
    { name: 'BAYES_99', points: 3.5 },
    { name: 'DATE_IN_PAST_96_XX', points: 2 },
    { name: 'USER_IN_WELCOMELIST', points: -100 },
    { name: '<img src=x onerror=alert(1)>', points: 1 },
    { name: 'lower_case', points: 1 },
    { name: 'X'.repeat(65), points: 1 },
    { name: 'OWN_RULE', points: 2.5 },
  ];
  const { askOne } = askersOf(async () => ({ ...answer, rules }));
  expect(await askOne()).toMatchObject({
    status: 'checked',
    rules: [
      { name: 'OWN_RULE', points: 2.5 },
      { name: 'MISSING_MID', points: 0.5, known: { finding: 'message_id', says: 'fault' } },
    ],
    leftOut: { rules: 6, points: 3.5 - 100 + 2 + 3 },
  });
});

test('a slow reverse name does not count against a filter', async () => {
  const ended: boolean[] = [];
  const askAll = createAskFilters({
    filters: [filterOf(async () => answer)],
    runBy: 'operator',
    onEnd: (_, isAnswered) => ended.push(isAnswered),
    filterMs: 20,
  });
  const late = new Promise<null>((resolve) => setTimeout(resolve, 200, null));
  expect(await askAll(mail, late)).toMatchObject([{ status: 'checked' }]);
  expect(ended).toEqual([true]);
});

test('whatever a sender wrote, a protocol line remains one line', async () => {
  const told: FilteredMail[] = [];
  const { askOne } = askersOf(async (one) => {
    told.push(one);
    return answer;
  });
  await askOne({ from: 'a\r\nRcpt: ü@x.example', helo: 'x\ny' });
  expect(told).toMatchObject([{ from: 'a??Rcpt:??@x.example', helo: 'x?y', hostname: null }]);
});

test.each([
  [new FilterFault('broke_off'), 'broke_off'],
  [new RangeError('too large'), 'answer_too_large'],
  [Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'unreachable'],
  [
    Object.assign(new AggregateError([{ code: 'ECONNREFUSED' }]), { code: 'ECONNREFUSED' }),
    'unreachable',
  ],
  [Object.assign(new Error(), { code: 'ENOENT' }), 'unreachable'],
  [Object.assign(new Error(), { code: 'ECONNRESET' }), 'broke_off'],
  [new TypeError('a defect'), 'broke_off'],
])('%s leaves the email unchecked, with a reason', async (error, reason) => {
  const { askOne, ended } = askersOf(async () => {
    throw error;
  });
  expect(await askOne()).toEqual({
    ...{ name: 'spamassassin', runBy: 'operator', status: 'not_checked', reason },
  });
  expect(ended).toEqual([['spamassassin', false]]);
});

test('an invalid version is not shown', async () => {
  const { askOne } = askersOf(async () => ({ ...answer, version: '9'.repeat(99) }));
  expect(await askOne()).toMatchObject({ status: 'checked', version: null });
});

test.each([
  [512 * 1024, 'checked', undefined],
  [512 * 1024 + 1, 'not_checked', 'email_too_large'],
])('an email of %i bytes is %s', async (size, status, reason) => {
  const { askOne } = askersOf(async () => answer);
  const found = await askOne({ bytes: new Uint8Array(size) });
  expect(found).toMatchObject({ status, ...(reason && { reason }) });
});

test('a filter that never responds, and ignores the signal, delays nobody', async () => {
  const { askOne } = askersOf(() => new Promise(() => {}), 30);
  expect(await askOne()).toMatchObject({ status: 'not_checked', reason: 'no_answer_in_time' });
});

test('a silent filter is asked about one email at a time until it responds again', async () => {
  let asked = 0;
  let isSilent = true;
  const { askOne } = askersOf((_, signal) => {
    asked += 1;
    if (!isSilent) return Promise.resolve(answer);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error())));
  }, 100);
  await askOne();
  const found = await Promise.all([askOne(), askOne(), askOne()]);
  expect(found.map((one) => one && 'reason' in one && one.reason)).toEqual([
    ...['no_answer_in_time', 'busy', 'busy'],
  ]);
  expect(asked).toBe(2);
  isSilent = false;
  await askOne();
  const again = await Promise.all([askOne(), askOne(), askOne()]);
  expect(again.map((one) => one?.status)).toEqual(['checked', 'checked', 'checked']);
});

test('an email that gets no turn in time finds the filter busy, which says nothing about the filter', async () => {
  const { askOne, ended } = askersOf(() => new Promise(() => {}), 200);
  const found = await Promise.all(Array.from({ length: 5 }, () => askOne()));
  expect(found.map((one) => one && 'reason' in one && one.reason)).toEqual([
    ...Array.from({ length: 4 }, () => 'no_answer_in_time'),
    'busy',
  ]);
  expect(ended).toHaveLength(4);
});

test('at most four emails are at a filter at once, and networks take turns', async () => {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  let inside = 0;
  let most = 0;
  const { askOne } = askersOf(async ({ ip }) => {
    order.push(String(ip));
    inside += 1;
    most = Math.max(most, inside);
    await new Promise<void>((resolve) => ends.push(resolve));
    inside -= 1;
    return answer;
  });
  const flood = Array.from({ length: 8 }, (_, i) => askOne({ ip: `192.0.2.${i + 1}` }));
  const other = askOne({ ip: '198.51.100.7' });
  for (let i = 0; i < 9; i += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()?.();
  }
  await Promise.all([...flood, other]);
  expect(most).toBe(4);
  expect(order.indexOf('198.51.100.7')).toBeLessThanOrEqual(5);
});
