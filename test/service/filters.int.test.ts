/** Tests the service with spam filters: their results appear in the report and change nothing else. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/domain/report/report.ts';
import { isReport } from '../../src/domain/report/report.ts';
import {
  answerAsRspamd,
  answerAsSpamd,
  type Behaviour,
  type FakeFilter,
  rspamdAnswer,
  spamdReport,
  startFilter,
} from '../support/filters/fake-filter.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';

const rows = [' 2.4 RDNS_NONE  x', ' 0.1 MISSING_MID  x', '-100 USER_IN_WELCOMELIST  x'];
const inOrder = {
  spamd: answerAsSpamd(spamdReport(rows, 'False ; -97.5 / 5.0')),
  rspamd: answerAsRspamd(rspamdAnswer({ MISSING_MID: 2.5, '<b>x</b>': 1 })),
};

let now: { spamd: Behaviour; rspamd: Behaviour } = inOrder;
let filters: { spamd: FakeFilter; rspamd: FakeFilter };
let stack: Stack;
beforeAll(async () => {
  filters = {
    spamd: await startFilter((...about) => now.spamd(...about)),
    rspamd: await startFilter((...about) => now.rspamd(...about)),
  };
  stack = await startStack({
    SPAMD_ADDRESS: `127.0.0.1:${filters.spamd.port}`,
    RSPAMD_URL: `http://127.0.0.1:${filters.rspamd.port}`,
  });
});
afterAll(async () => {
  await stack?.stop();
  await filters?.spamd.stop();
  await filters?.rspamd.stop();
});

async function testOne() {
  const created = await stack.create();
  const begun = performance.now();
  expect(await stack.send(created.address)).toMatch(/^250/);
  const milliseconds = performance.now() - begun;
  const report = (await (await stack.pay(created)).json()) as Report;
  expect(isReport(report)).toBe(true);
  return { created, report, milliseconds };
}

const gauges = async () => {
  const text = await (await fetch(`${stack.metrics()}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^deliverability_filter_answers\{filter="(\w+)"\} (\S+)$/gm)].map(
      ([, name, value]) => [name, value],
    ),
  );
};

/**
 * Returns the parts of a report that filters must not change, without those that depend on the time of day.
 */
const judged = ({ score, grade, top_fixes, score_breakdown, findings }: Report) => ({
  ...{ score, grade, top_fixes, score_breakdown },
  states: findings.map(({ id, severity, state, points }) => ({ id, severity, state, points })),
});

/** The report of the first test. */
let inOrderReport: Report;
let first: CreatedTest;

test('the opinions of the filters are in the report, and nobody learns whose test it is', async () => {
  expect(await gauges()).toEqual({ spamassassin: 'Nan', rspamd: 'Nan' });
  const { created, report } = await testOne();
  inOrderReport = report;
  first = created;
  expect(report.filters).toMatchObject([
    {
      ...{ name: 'spamassassin', run_by: 'operator', status: 'checked', version: '4.0.1' },
      ...{ score: -97.5, threshold: 5, action: 'no_action' },
      rules: [
        { name: 'RDNS_NONE', points: 2.4, finding: 'rdns_ptr', compared: 'contradicts' },
        { name: 'MISSING_MID', points: 0.1, finding: 'message_id', compared: 'contradicts' },
      ],
      left_out: { rules: 1, points: -100 },
    },
    {
      ...{ name: 'rspamd', run_by: 'operator', status: 'checked', version: '3.4' },
      rules: [{ name: 'MISSING_MID', points: 2.5 }],
      left_out: { rules: 1, points: 1 },
    },
  ]);
  const { filters: _, ...others } = report;
  expect(JSON.stringify(others)).not.toMatch(/spamassassin|rspamd/i);
  const [asked = ''] = filters.rspamd.requests;
  expect(asked).toContain('\r\nRcpt: recipient@in.example.net\r\n');
  expect(asked.split('\r\n\r\n')[0]).not.toContain(created.test_id);
  expect(await gauges()).toEqual({ spamassassin: '1', rspamd: '1' });
});

const half = spamdReport([' 1.0 MISSING_MID x']).slice(0, -10);

test.each<readonly [string, { spamd: Behaviour; rspamd: Behaviour }, string, string]>([
  [
    'killed in the middle',
    {
      spamd: (socket) => void socket.on('end', () => socket.write(half, () => socket.destroy())),
      rspamd: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    },
    ...(['broke_off', 'broke_off'] as const),
  ],
  [
    'with 5 MB and with wrong JSON',
    { spamd: answerAsSpamd('x'.repeat(5_000_000)), rspamd: answerAsRspamd('{"score":') },
    ...(['answer_too_large', 'unreadable_answer'] as const),
  ],
  [
    'that never answer',
    { spamd: () => {}, rspamd: () => {} },
    ...(['no_answer_in_time', 'no_answer_in_time'] as const),
  ],
])('with filters %s, the report comes in time and says so', async (_, behaviour, first, second) => {
  now = behaviour;
  const { report, milliseconds } = await testOne();
  now = inOrder;
  expect(report.filters).toEqual([
    { name: 'spamassassin', run_by: 'operator', status: 'not_checked', reason: first },
    { name: 'rspamd', run_by: 'operator', status: 'not_checked', reason: second },
  ]);
  expect(judged(report)).toEqual(judged(inOrderReport));
  // The filters have 3 s, and the rest is for a busy machine.
  expect(milliseconds).toBeLessThan(15_000);
  expect(await gauges()).toEqual({ spamassassin: '0', rspamd: '0' });
});

test('after a restart, the report from the log is the same', async () => {
  await stack.kill();
  const again = (await (await stack.read(first)).json()) as Report;
  expect(again).toEqual(inOrderReport);
});
