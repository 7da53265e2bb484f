import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type ChainReader, repairPayments } from '../../../src/cli/replay/repair-payments.ts';
import { repairTests } from '../../../src/cli/replay/repair-tests.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import {
  isReportWritten,
  isTestEvent,
  type OriginalTestEvent,
  type TestEvent,
} from '../../../src/domain/events.ts';
import {
  isPaymentEvent,
  type OriginalPaymentEvent,
  type PaymentEvent,
} from '../../../src/domain/payment-events.ts';
import type { StatusView } from '../../../src/domain/status-view.ts';
import type { EventLog } from '../../../src/ports/log.ts';
import { fold, foldPayment } from '../../../src/projection/fold.ts';
import type { ReportView } from '../../../src/projection/report-view.ts';
import { toRow } from '../../../src/projection/row.ts';
import { toStatusView } from '../../../src/projection/status-view.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../support/log/events.ts';
import { memoryClaims, memoryProjection } from '../../support/log/memory-kv.ts';
import { memoryLog } from '../../support/log/memory-log.ts';
import { T0, TEST_ID } from '../../support/process/instants.ts';

const written = aReportWritten();
const { data: beginning, at: createdAt } = anEvent('TestCreated');
const report = { ...written, data: { ...written.data, created: { at: createdAt, ...beginning } } };
const sha256 = createHash('sha256').update(JSON.stringify(report.data.report)).digest('hex');
const started = aPaymentEvent('SettlementStarted', 70);
const { claim } = started.data;
const paid: readonly OriginalPaymentEvent[] = [
  started,
  aPaymentEvent('TransactionSigned', 71),
  aPaymentEvent('PaymentSettled', 72),
];

const options = { now: () => T0 + 100_000, progress: () => {}, dryRun: false };

/** A chain on which the fixture's payment has arrived. */
const chain: ChainReader = {
  outcome: () => async () => ({
    state: 'settled',
    receipt: { success: true, transaction: `0x${'5'.repeat(64)}`, network: 'eip155:8453' },
    block: 101,
  }),
  find: async (_, { from }) => ({
    ...{ from, to: `0x${'4'.repeat(40)}`, value: '50000' },
    ...{ transaction: `0x${'5'.repeat(64)}`, block: 101, time: T0 / 1000 + 72 },
  }),
  isPrice: ({ value }) => value === '50000',
};

function newSource() {
  return {
    tests: memoryLog({ isEvent: isTestEvent, clock: () => T0 }),
    reports: memoryLog({ isEvent: isReportWritten, clock: () => T0 }),
    payments: memoryLog({ isEvent: isPaymentEvent, clock: () => T0 }),
    statusViews: memoryProjection<StatusView>(),
    reportViews: memoryProjection<ReportView>(),
    allClaims: memoryClaims().store,
    absentViews: async () => [],
    createViews: async () => {},
  };
}

async function append<E>(log: EventLog<E>, events: readonly E[], id = TEST_ID): Promise<number> {
  let seq = 0;
  for (const event of events) {
    const appended = await log.append(id, event, seq);
    if (appended.outcome !== 'appended') throw new Error(appended.outcome);
    seq = appended.seq;
  }
  return seq;
}

/** A test that is ready and paid for, and its views. */
async function filled(before: readonly OriginalTestEvent[] = []) {
  const source = newSource();
  const report_seq = await append(source.reports, [report]);
  const events: OriginalTestEvent[] = [
    anEvent('TestCreated'),
    ...before,
    anEvent('MailArrived', 60),
    anEvent('AnalysisDone', 61, { report_seq, report_sha256: sha256 }),
  ];
  await project(source, events, await append<TestEvent>(source.tests, events));
  await source.reportViews.put(TEST_ID, { seq: report_seq, report: report.data.report });
  await append<PaymentEvent>(source.payments, paid);
  const owner = { id: TEST_ID, at: started.at, by: 'replica-1', from_block: 100 };
  await source.allClaims.add(claim, owner);
  return source;
}

type Source = ReturnType<typeof newSource>;

async function project(source: Source, events: readonly OriginalTestEvent[], seq: number) {
  const row = toRow(fold(events), seq);
  if (row) await source.statusViews.put(TEST_ID, toStatusView(row));
}

/** What a buyer is answered: status, report and receipt; `frozen` where a history is not whole. */
async function answersOf({ tests, reports, payments }: Source) {
  const [ofTest, ofPayment] = [
    await tests.readRemains(TEST_ID),
    await payments.readRemains(TEST_ID),
  ];
  if (ofTest.damage || ofPayment.damage) return 'frozen';
  const row = toRow(fold(ofTest.events.map(({ event }) => event)), 1);
  if (!row) return 'unknown';
  const { seq: _, ...status } = toStatusView(row);
  const written = await reports.readAt(row.context.reportSeq ?? 0);
  if (!written) return 'frozen';
  const { value, context } = foldPayment(ofPayment.events.map(({ event }) => event));
  // Whatever a replica is asked then, the chain decides first.
  if (value === 'settling') return 'open';
  const { settled } = context;
  const { payer: _payer, ...receipt } = settled?.receipt ?? {};
  return { status, report: written.event.data.report, receipt };
}

async function repairAll(source: Source) {
  return [
    ...(await repairTests(source, options)),
    ...(await repairPayments(source, { ...options, chain })),
  ];
}

const LOGS = ['tests', 'reports', 'payments'] as const;
const places = LOGS.flatMap((log) => [0, 1, 2].map((n) => [log, n] as const)).filter(
  ([log, n]) => log !== 'reports' || n === 0,
);

/** What no second copy exists of, and what leaves a settlement as if it had no outcome yet. */
const LEFT: Readonly<Record<string, 'frozen' | 'open'>> = {
  'payments 2 lost': 'open',
};

test.each(places.flatMap(([log, n]) => [[log, n, 'lost'] as const, [log, n, 'flipped'] as const]))(
  '%s: message %i %s, then repair: the same answers, or frozen',
  async (log, n, how) => {
    const source = await filled();
    const before = await answersOf(source);
    const { seq } = source[log].all()[n] ?? { seq: 0 };
    if (how === 'lost') source[log].lose(seq);
    else source[log].corrupt(seq);
    const repairs = await repairAll(source);
    const left = LEFT[`${log} ${n} ${how}`];
    expect(await answersOf(source)).toEqual(left ?? before);
    if (left !== 'open') expect(repairs.map(({ repaired }) => repaired)).toEqual([!left]);
    // Nothing is left to do.
    if (!left) expect(await repairAll(source)).toEqual([]);
  },
);

test.each(places)(
  '%s: message %i lost by one node of three: the others hold it, whatever else is gone',
  async (log, n) => {
    const source = await filled();
    const before = await answersOf(source);
    source[log].loseOnNode(source[log].all()[n]?.seq ?? 0);
    await source.reportViews.erase(TEST_ID);
    await source.statusViews.erase(TEST_ID);
    const repairs = [
      ...(await repairTests(source, options)),
      ...(await repairPayments(source, { ...options, chain: undefined })),
    ];
    expect(repairs).toMatchObject([{ problem: expect.any(String), repaired: true }]);
    expect(await answersOf(source)).toEqual(before);
  },
);

test('what was appended where the event before it was lost does not count', async () => {
  const source = await filled();
  const before = await answersOf(source);
  const [created, ...later] = source.tests.all();
  for (const { seq } of later) source.tests.loseOnNode(seq);
  await source.tests.append(TEST_ID, anEvent('WindowClosed', 3600), created?.seq ?? 0);
  expect(await repairTests(source, options)).toMatchObject([{ repaired: true }]);
  expect(await answersOf(source)).toEqual(before);
});

test('a repair follows the line in the bucket status where the last messages were cut off', async () => {
  const source = await filled();
  const before = await answersOf(source);
  for (const { seq } of source.tests.all().slice(1)) source.tests.lose(seq);
  expect(await repairTests(source, options)).toMatchObject([{ problem: 'tail', repaired: true }]);
  expect(await answersOf(source)).toEqual(before);
  const [, line] = [...source.statusViews.all()][0] ?? [];
  expect(line?.seq).toBe((await source.tests.readRemains(TEST_ID)).end);
});

test('a repair waits for a bucket whose leader is being elected', async () => {
  const source = await filled();
  const before = await answersOf(source);
  for (const { seq } of source.tests.all().slice(1)) source.tests.lose(seq);
  const { put } = source.statusViews;
  let asked = 0;
  source.statusViews.put = async (...line) => {
    if (asked++ === 0) throw new ServiceError('log_unavailable');
    return put(...line);
  };
  expect(await repairTests(source, options)).toMatchObject([{ repaired: true }]);
  expect(await answersOf(source)).toEqual(before);
  expect(asked).toBe(2);
});

test('a test that lost its creation before it had a report stays frozen', async () => {
  const source = newSource();
  const events = [anEvent('TestCreated'), anEvent('MailArrived', 60)];
  await project(source, events, await append<TestEvent>(source.tests, events));
  source.tests.lose(source.tests.all()[0]?.seq ?? 0);
  expect(await repairTests(source, options)).toMatchObject([
    { repaired: false, why: expect.stringContaining('TestCreated') },
  ]);
});

test('a test whose last message cannot be read, and which has no line, may have been deleted', async () => {
  const source = await filled();
  const { end } = await source.tests.readRemains(TEST_ID);
  await source.tests.append(TEST_ID, anEvent('TestDeleted', 90), end);
  await source.statusViews.erase(TEST_ID);
  source.tests.corrupt((await source.tests.readRemains(TEST_ID)).end);
  const [one] = await repairTests(source, options);
  expect(one).toMatchObject({ repaired: false, why: expect.stringContaining('its deletion') });
});

test('a report whose node has lost it, and of whose test nothing is left, brings no test back', async () => {
  const source = newSource();
  await append(source.reports, [report]);
  const recorded = await source.reports.readRemains(TEST_ID);
  const [lost] = recorded.events;
  if (!lost) throw new Error('not stored');
  const reports = {
    ...source.reports,
    missingOnNodes: async () => [{ nodes: ['b'], recorded: lost }],
  };
  expect(await repairTests({ ...source, reports }, options)).toMatchObject([
    {
      subject: `reports.${TEST_ID}`,
      repaired: false,
      why: expect.stringContaining('its deletion'),
    },
  ]);
  expect(source.tests.all()).toEqual([]);
});

test('what a newer release has written is not repaired by an older one', async () => {
  const source = await filled();
  source.tests.putRaw(TEST_ID, JSON.stringify({ ...anEvent('TestDeleted', 90), v: 2 }));
  source.payments.putRaw(TEST_ID, JSON.stringify({ ...started, type: 'PaymentReturned' }));
  await source.statusViews.erase(TEST_ID);
  const [test] = await repairTests(source, options);
  const [payment] = await repairPayments(source, { ...options, chain });
  const left = { repaired: false, why: expect.stringContaining('a newer release') };
  expect([test, payment]).toMatchObject([left, left]);
});

test('a refusal before the mail that was taken leaves nothing to restore', async () => {
  const source = await filled([anEvent('MailRefused', 30), anEvent('MailRefused', 40)]);
  const before = await answersOf(source);
  source.tests.corrupt(source.tests.all()[1]?.seq ?? 0);
  expect(await repairTests(source, options)).toMatchObject([{ repaired: true }]);
  expect(await answersOf(source)).toEqual(before);
});

test('a refusal that counts stays lost, and the test frozen', async () => {
  const source = newSource();
  const events = [anEvent('TestCreated'), anEvent('MailRefused', 30), anEvent('MailRefused', 40)];
  await project(source, events, await append<TestEvent>(source.tests, events));
  source.tests.corrupt(source.tests.all()[1]?.seq ?? 0);
  expect(await repairTests(source, options)).toMatchObject([
    { repaired: false, why: expect.stringContaining('MailRefused') },
  ]);
});

test('a report that is not the one its test names is not taken for it', async () => {
  const source = await filled();
  source.reports.lose(source.reports.all()[0]?.seq ?? 0);
  await source.reportViews.erase(TEST_ID);
  const other = { ...report.data.report, score: 1 };
  await source.reportViews.put(TEST_ID, { seq: 1, report: other });
  expect(await repairTests(source, options)).toMatchObject([
    { subject: `reports.${TEST_ID}`, repaired: false },
  ]);
});

test('payments of which no event is left come back from their claims and the chain', async () => {
  const source = await filled();
  for (const { seq } of source.payments.all()) source.payments.lose(seq);
  expect(await repairPayments(source, { ...options, chain })).toMatchObject([{ repaired: true }]);
  const events = await source.payments.read(TEST_ID);
  const state = foldPayment(events.map(({ event }) => event));
  expect(state).toMatchObject({ value: 'paid', context: { started: { claim } } });
});

test('a claim whose authorization moved nothing to us is no payment', async () => {
  const source = newSource();
  await source.allClaims.add(claim, { id: TEST_ID, at: started.at, by: 'r', from_block: 1 });
  const isPrice = () => false;
  expect(await repairPayments(source, { ...options, chain: { ...chain, isPrice } })).toEqual([]);
});

test('what the chain has not decided stays frozen: a transaction may be on its way', async () => {
  const source = newSource();
  await append<PaymentEvent>(source.payments, paid.slice(0, 2).concat(paid.slice(1, 2)));
  source.payments.corrupt(source.payments.all()[1]?.seq ?? 0);
  const open: ChainReader = { ...chain, outcome: () => async () => ({ state: 'open' }) };
  expect(await repairPayments(source, { ...options, chain: open })).toMatchObject([
    { repaired: false, why: expect.stringContaining('not decided') },
  ]);
  expect(await repairPayments(source, { ...options, chain: undefined })).toMatchObject([
    { repaired: false, why: expect.stringContaining('X402_RPC_URL') },
  ]);
});

test('a dry run changes nothing', async () => {
  const source = await filled();
  source.tests.corrupt(source.tests.all()[1]?.seq ?? 0);
  expect(await repairTests(source, { ...options, dryRun: true })).toMatchObject([
    { repaired: false, why: expect.stringContaining('dry run') },
  ]);
  expect(await answersOf(source)).toBe('frozen');
});
