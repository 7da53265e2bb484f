/** Tests the commands of `replay` that search the log after an incident. */

import { expect, test } from 'vitest';
import { UsageError } from '../../../src/config/command-line.ts';
import { isReportWritten, isTestEvent, type TestEvent } from '../../../src/domain/events.ts';
import { isPaymentEvent, type PaymentEvent } from '../../../src/domain/payment-events.ts';
import { runReplay } from '../../../src/operator/replay/replay.ts';
import { anEvent, aPaymentEvent } from '../../support/log/events.ts';
import { memoryClaims, memoryProjection } from '../../support/log/memory-kv.ts';
import { memoryLog } from '../../support/log/memory-log.ts';
import { instant, T0, TEST_ID } from '../../support/process/instants.ts';

const OTHER_ID = 'zyxwvutsrq23';
const TX = `0x${'5'.repeat(64)}`;
const PAYER = `0x${'2'.repeat(40)}`;

function setUp() {
  let time = T0;
  const clock = () => time;
  const source = {
    tests: memoryLog({ isEvent: isTestEvent, clock }),
    reports: memoryLog({ isEvent: isReportWritten, clock }),
    payments: memoryLog({ isEvent: isPaymentEvent, clock }),
    statusViews: memoryProjection<never>(),
    reportViews: memoryProjection<never>(),
    allClaims: memoryClaims().store,
    absentViews: async () => [],
    createViews: async () => {},
    createStreams: async () => {},
    unreadNodes: async () => [],
    lostLines: async () => [],
    repairBuckets: async () => [],
    losses: async () => [],
    acceptLoss: async () => [],
    close: async () => {},
  };
  async function append(events: readonly TestEvent[], id = TEST_ID): Promise<void> {
    for (const event of events) {
      time = Date.parse(event.at);
      await source.tests.append(id, event, (await source.tests.readRemains(id)).end);
    }
  }
  async function pay(events: readonly PaymentEvent[], id = TEST_ID): Promise<void> {
    for (const event of events) {
      time = Date.parse(event.at);
      await source.payments.append(id, event, (await source.payments.readRemains(id)).end);
    }
  }
  async function run(...args: string[]) {
    const lines: object[] = [];
    const text: string[] = [];
    const errors: string[] = [];
    const code = await runReplay(args, {
      open: async () => source,
      print: (line) => void lines.push(line),
      printUsage: (line) => void text.push(line),
      printError: (line) => void errors.push(line),
    });
    return { code, lines, text: text.join('\n'), errors: errors.join('\n') };
  }
  return { source, append, pay, run };
}

const ready = [anEvent('TestCreated'), anEvent('MailArrived', 60), anEvent('AnalysisDone', 61)];
const refused = [anEvent('TestCreated'), anEvent('MailRefused', 30)];
const paid = [
  aPaymentEvent('SettlementStarted', 70),
  aPaymentEvent('TransactionSigned', 71),
  aPaymentEvent('PaymentSettled', 72),
];

test.each<[string, readonly TestEvent[], string]>([
  ['unknown', [], 'no record of this test'],
  ['waiting', [anEvent('TestCreated')], `until ${instant(3600)}`],
  ['waiting', refused, 'spf_and_dkim_failed: SPF and DKIM both failed.'],
  ['processing', ready.slice(0, 2), 'from sender.example'],
  ['ready', ready, 'score 97'],
  ['rejected_or_not_received', [...refused, anEvent('RefusalTimeout', 930)], 'spf_and_dkim_failed'],
  ['analysis_failed', [...ready.slice(0, 2), anEvent('AnalysisFailed', 62)], 'failed: worker_lost'],
  ['deleted', [...ready, anEvent('Expired', 86_460)], instant(86_460)],
])('the reason why a test is %s is one sentence', async (state, events, part) => {
  const { append, run } = setUp();
  await append(events);
  const { code, text } = await run('why', `${TEST_ID.toUpperCase()}@tests.example`);
  expect(text).toMatch(new RegExp(`^${TEST_ID} ${state}: [^\n]+\\.$`));
  expect(text).toContain(part);
  expect(code).toBe(state === 'unknown' ? 1 : 0);
});

test('why shows how a report is paid for, and that a history is damaged', async () => {
  const { source, append, pay, run } = setUp();
  await append(ready);
  expect((await run('why', TEST_ID)).text).toContain('not paid for');
  await pay(paid.slice(0, 1));
  expect((await run('why', TEST_ID)).text).toContain('the chain decides');
  await pay(paid.slice(1));
  expect((await run('why', TEST_ID)).text).toContain(`paid in ${TX}`);
  source.tests.lose(source.tests.all()[1]?.seq ?? 0);
  expect((await run('why', TEST_ID, '--json')).lines).toMatchObject([
    { test_id: TEST_ID, state: 'frozen', why: expect.stringContaining('replay end') },
  ]);
  // The rest of the history can still be examined.
  expect((await run('states', TEST_ID)).lines).toHaveLength(5);
});

test.each([
  ['an address', `${TEST_ID}@tests.example`, [{ test_id: TEST_ID, state: 'ready' }]],
  ['a transaction', TX, [{ payment_id: TEST_ID, state: 'settled', transaction: TX }]],
  ['a payer', PAYER.toUpperCase().replace('X', 'x'), [{ payment_id: TEST_ID }]],
  [
    'a domain',
    'sender.example',
    [{ test_id: TEST_ID, type: 'MailArrived' }, { test_id: OTHER_ID }],
  ],
  ['an IP', '192.0.2.25', [{ test_id: TEST_ID, ip: '192.0.2.25' }]],
  ['what is nowhere', '192.0.2.99', []],
])('find searches by %s', async (_, wanted, expected) => {
  const { append, pay, run } = setUp();
  await append(ready);
  await append(refused, OTHER_ID);
  await pay(paid);
  const { code, lines, errors } = await run('find', wanted);
  expect(lines).toMatchObject(expected);
  expect(lines).toHaveLength(expected.length);
  expect(code).toBe(expected.length > 0 ? 0 : 1);
  expect(errors).toBe(expected.length > 0 ? '' : 'replay: nothing in the log matches');
});

test('a payment that was repaired is in the ledger once, and is found', async () => {
  const { pay, run } = setUp();
  await pay(paid.slice(0, 1));
  await pay([
    {
      ...{ v: 1, id: 'repair-1', type: 'HistoryRestored', at: instant(90), by: 'repair' },
      data: { events: paid },
    },
  ]);
  const settled = [{ payment_id: TEST_ID, attempt: 1, state: 'settled', transaction: TX }];
  const ledger = (await run('payments')).lines;
  expect(ledger).toMatchObject(settled);
  expect(ledger).toHaveLength(1);
  expect((await run('find', TX)).lines).toMatchObject(settled);
  expect((await run('why', TEST_ID)).code).toBe(1);
});

test('events shows a period, and some types, without secrets', async () => {
  const { append, pay, run } = setUp();
  await append(ready);
  await pay(paid);
  const span = ['--since', instant(60), '--until', instant(71)];
  const { lines } = await run('events', ...span);
  expect(lines.map((line) => (line as { type: string }).type)).toEqual([
    'MailArrived',
    'AnalysisDone',
    'SettlementStarted',
    'TransactionSigned',
  ]);
  expect(JSON.stringify(lines)).not.toContain(PAYER);
  expect((await run('events', '--type', 'PaymentSettled')).lines).toHaveLength(1);
  const none = await run('events', '--since', '2030-01-01');
  expect(none).toEqual({
    code: 0,
    lines: [],
    text: '',
    errors: 'replay: nothing in the log matches',
  });
  const misspelt = run('events', '--type', 'PaymentSetled');
  await expect(misspelt).rejects.toThrow(new UsageError('There is no event type PaymentSetled.'));
});

test('states names the reasons for refusals and failures', async () => {
  const { append, pay, run } = setUp();
  await append(refused);
  await pay([paid[0] as PaymentEvent, aPaymentEvent('SettlementFailed', 80)]);
  expect((await run('states', TEST_ID)).lines).toMatchObject([
    { type: 'TestCreated' },
    { data: { reasons: [{ code: 'spf_and_dkim_failed', detail: 'SPF and DKIM both failed.' }] } },
    { type: 'SettlementStarted' },
    { data: { reason: 'expired', error: 'authorization_expired' } },
  ]);
});
