/**
 * Tests the commands of `replay` on logs in memory: states, verify, accept-loss, backup and
 * restore, with their exit codes and usage.
 */

import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../../src/config/command-line.ts';
import { isReportWritten, isTestEvent, type TestEvent } from '../../../src/domain/events.ts';
import { isPaymentEvent, type PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { StatusView } from '../../../src/domain/status-view.ts';
import { runReplay } from '../../../src/operator/replay/replay.ts';
import { parseUntil } from '../../../src/operator/replay/scan.ts';
import { fold } from '../../../src/projection/fold.ts';
import { toRow } from '../../../src/projection/row.ts';
import { type ReportView, toStatusView } from '../../../src/projection/views.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../support/log/events.ts';
import { memoryClaims, memoryProjection } from '../../support/log/memory-kv.ts';
import { memoryLog } from '../../support/log/memory-log.ts';
import { instant, T0, TEST_ID } from '../../support/process/instants.ts';

const OTHER_ID = 'zyxwvutsrq23';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

function setUp() {
  let time = T0;
  const clock = () => time;
  const source = {
    tests: memoryLog({ isEvent: isTestEvent, clock }),
    reports: memoryLog({ isEvent: isReportWritten, clock }),
    payments: memoryLog({ isEvent: isPaymentEvent, clock }),
    statusViews: memoryProjection<StatusView>(),
    reportViews: memoryProjection<ReportView>(),
    allClaims: memoryClaims().store,
    createStreams: async () => {},
    losses: async (): Promise<readonly string[]> => [],
    acceptLoss: vi.fn(async () => ['PAYMENTS ends at 0, but ended at 3 before']),
    close: vi.fn(async () => {}),
  };
  async function append(events: readonly TestEvent[], id = TEST_ID): Promise<number> {
    let seq = (await source.tests.read(id)).at(-1)?.seq ?? 0;
    for (const event of events) {
      time = Date.parse(event.at);
      const appended = await source.tests.append(id, event, seq);
      if (appended.outcome !== 'appended') throw new Error(appended.outcome);
      seq = appended.seq;
    }
    return seq;
  }
  async function pay(events: readonly PaymentEvent[], id = TEST_ID): Promise<void> {
    for (const event of events) {
      time = Date.parse(event.at);
      const last = (await source.payments.read(id)).at(-1)?.seq ?? 0;
      await source.payments.append(id, event, last);
    }
  }
  /** Appends a test with a report, and fills the buckets as the projector would. */
  async function appendReady(id = TEST_ID) {
    const written = await source.reports.append(id, aReportWritten(), 0);
    if (written.outcome !== 'appended') throw new Error(written.outcome);
    const done = anEvent('AnalysisDone', 61, { report_seq: written.seq });
    const events = [anEvent('TestCreated'), anEvent('MailArrived', 60), done];
    const row = toRow(fold(events), await append(events, id));
    if (!row) throw new Error('no row');
    const view = toStatusView(row);
    await source.statusViews.put(id, view);
    await source.reportViews.put(id, { seq: written.seq, report: aReportWritten().data.report });
    return { view, reportSeq: written.seq };
  }
  async function run(...args: string[]) {
    const lines: object[] = [];
    const errors: string[] = [];
    const usage: string[] = [];
    const code = await runReplay(args, {
      open: async () => source,
      print: (line) => void lines.push(line),
      printUsage: (text) => void usage.push(text),
      printError: (line) => void errors.push(line),
    }).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      errors.push(error.message);
      return 2;
    });
    return { code, lines, errors: errors.join(), usage: usage.join() };
  }
  return { source, append, pay, appendReady, run };
}

const paid = [
  aPaymentEvent('SettlementStarted', 70),
  aPaymentEvent('TransactionSigned', 71),
  aPaymentEvent('PaymentSettled', 72, {
    receipt: {
      success: true,
      transaction: '0xabc',
      network: 'eip155:8453',
      payer: `0x${'2'.repeat(40)}`,
    },
  }),
];

test('states shows each event of a test and its payment, without secrets', async () => {
  const { source, appendReady, pay, run } = setUp();
  await appendReady();
  await pay(paid);
  const { code, lines } = await run('states', TEST_ID);
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    { subject: `tests.${TEST_ID}`, type: 'TestCreated', stored_at: instant(0) },
    { type: 'MailArrived' },
    { type: 'AnalysisDone' },
    { subject: `payments.${TEST_ID}`, type: 'SettlementStarted' },
    { type: 'TransactionSigned' },
    { type: 'PaymentSettled' },
  ]);
  const text = JSON.stringify(lines);
  // These are the token's hash, the payer, the nonce, the raw transaction and the signature.
  for (const secret of ['a'.repeat(64), '2'.repeat(40), '3'.repeat(64), '0x02f8', '0x1234'])
    expect(text).not.toContain(secret);
  expect(source.close).toHaveBeenCalledOnce();
});

test('states shows secrets with --unsafe', async () => {
  const { appendReady, pay, run } = setUp();
  await appendReady();
  await pay(paid);
  const text = JSON.stringify((await run('states', TEST_ID, '--unsafe')).lines);
  for (const secret of ['a'.repeat(64), '2'.repeat(40), '0x02f8']) expect(text).toContain(secret);
});

test('states shows the state after each event and marks those that changed nothing', async () => {
  const { append, pay, run } = setUp();
  await append([anEvent('TestCreated'), anEvent('MailRefused', 10), anEvent('WindowClosed', 3600)]);
  await pay(paid.slice(0, 2));
  const { lines } = await run('states', TEST_ID);
  expect(lines).toMatchObject([
    { type: 'TestCreated', state: 'waiting.open' },
    { type: 'MailRefused', state: 'waiting.refused' },
    { type: 'WindowClosed', state: 'waiting.refused' },
    { type: 'SettlementStarted', state: 'settling' },
    { type: 'TransactionSigned', state: 'settling' },
  ]);
  expect(lines[1]).not.toHaveProperty('ignored');
  expect(lines[2]).toMatchObject({ ignored: true, at: instant(3600) });
});

test('states shows a test as ended if only its end is left', async () => {
  const { source, append, run } = setUp();
  await append([anEvent('TestCreated'), anEvent('Expired', 86_400)]);
  const [created] = await source.tests.read(TEST_ID);
  await source.tests.erase(created?.seq ?? 0, 'plain');
  const { lines } = await run('states', TEST_ID);
  expect(lines).toEqual([expect.objectContaining({ type: 'Expired', state: 'expired' })]);
  expect(lines[0]).not.toHaveProperty('ignored');
});

test.each([
  ['a sequence', '6', 2],
  ['an instant', instant(10), 2],
  ['an instant before', instant(9), 1],
])('states ends at %s', async (_, until, length) => {
  const { append, run } = setUp();
  await append([anEvent('TestCreated'), anEvent('MailRefused', 10), anEvent('MailRefused', 20)]);
  expect((await run('states', TEST_ID, '--until', until)).lines).toHaveLength(length);
});

test.each(['soon', '2026-11-20', '-1', ''])('--until %j is refused', (text) => {
  expect(parseUntil(text)).toBeUndefined();
});

test('a test that is not in the log leads to exit code 1', async () => {
  const { run } = setUp();
  const none = {
    code: 1,
    lines: [],
    usage: '',
    errors: expect.stringContaining('no event of this test'),
  };
  expect(await run('states', TEST_ID)).toEqual(none);
});

test.each([
  [[], /No command was given/],
  [['forget'], /no command "forget"/],
  [['toString'], /no command "toString"/],
  [['states'], /needs a test's id/],
  [['states', 'NOT-AN-ID'], /needs a test's id/],
  [['states', TEST_ID, OTHER_ID], /takes no further arguments/],
  [['verify', TEST_ID], /takes no further arguments/],
  [['events', '--fast'], /Unknown option/],
  [['rebuild'], /no command "rebuild"/],
  [['verify', '--apply'], /verify has no option --apply/],
  [['end', TEST_ID, '--unpaid'], /end has no option --unpaid/],
  [['close', 'no id'], /needs a payment's id/],
  [['close', TEST_ID, '--transaction', '0x1'], /--transaction needs a hash/],
  [['backup'], /needs a file/],
  [['events', '--until', 'soon'], /--until needs a sequence number or an instant/],
  [['payments', '--since', 'today'], /--since needs an instant/],
  [['payments', '--from-block', '1'], /add --reconcile/],
  [['events', '--since', '5'], /--since needs an instant/],
  [
    ['events', '--since', '2026-11-20', '--until', '2026-11-19T10:00:00Z'],
    /from --since to --until ends before it begins/,
  ],
  [
    ['payments', '--reconcile', '--from-block', '9', '--to-block', '8'],
    /from --from-block to --to-block ends before/,
  ],
])('%j leads to exit code 2 and shows the usage', async (args, message) => {
  const { source, run } = setUp();
  const { code, errors } = await run(...args);
  expect(code).toBe(2);
  expect(errors).toMatch(message);
  expect(errors).not.toContain('\n');
  expect(source.close).not.toHaveBeenCalled();
});

test('--help shows the usage', async () => {
  const { code, usage, errors } = await setUp().run('--help');
  expect(code).toBe(0);
  expect(usage).toContain('npm run -s operate -- replay COMMAND');
  expect(errors).toBe('');
});

test('a bucket entry that is newer than the log shows that the end of the log is lost', async () => {
  vi.setSystemTime(T0 + 100_000);
  const { source, appendReady, run } = setUp();
  const { view } = await appendReady();
  const seq = view.seq + 3;
  await source.statusViews.put(TEST_ID, { ...view, seq });
  await source.statusViews.put('payments_low_water', { seq: 7 } as StatusView);
  const lost = { subject: `tests.${TEST_ID}`, problem: 'tail', seq };
  expect(await run('verify')).toMatchObject({ code: 1, lines: [lost] });
});

test('a report that is not where its test says is lost, until it is due for deletion', async () => {
  vi.setSystemTime(T0 + 100_000);
  const { source, appendReady, run } = setUp();
  const { reportSeq: seq } = await appendReady();
  await source.reports.erase(seq, 'secure');
  const lost = { subject: `reports.${TEST_ID}`, problem: 'tail', seq };
  expect(await run('verify')).toMatchObject({ code: 1, lines: [lost] });
  vi.setSystemTime(T0 + 90_000_000);
  expect(await run('verify')).toMatchObject({ code: 0, lines: [] });
});

test('accept-loss names each stream whose loss is accepted', async () => {
  expect(await setUp().run('accept-loss')).toMatchObject({
    code: 0,
    lines: [{ accepted: 'PAYMENTS ends at 0, but ended at 3 before' }],
  });
});

test('a restore replaces everything that replicas have recorded about the log', async () => {
  const { append, run, source } = setUp();
  await append([anEvent('TestCreated')]);
  const folder = await mkdtemp(join(tmpdir(), 'restore-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log.jsonl');
  const { lines } = await run('backup', file);
  expect(lines).toEqual([{ events: 1, claims: 0 }]);
  expect(await run('restore', file)).toMatchObject({
    code: 0,
    lines: [{ events: 1, claims: 0, there: 1 }],
  });
  expect(source.acceptLoss).toHaveBeenCalledOnce();
});

test('a pipe cannot be restored, because it is read twice, and a link is never replaced', async () => {
  const { run, source } = setUp();
  expect(await run('restore', '/dev/null')).toMatchObject({
    code: 2,
    errors: '/dev/null is not a regular file: name one.',
  });
  expect(source.acceptLoss).not.toHaveBeenCalled();
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const link = join(folder, 'link');
  await symlink(join(folder, 'log.jsonl'), link);
  expect(await run('backup', link, '--replace')).toMatchObject({ code: 2 });
  expect(await readdir(folder)).toEqual(['link']);
});

test('a backup replaces no file unless told to', async () => {
  const { append, run } = setUp();
  await append([anEvent('TestCreated')]);
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'log.jsonl');
  await run('backup', file);
  const good = await readFile(file, 'utf8');

  const empty = setUp();
  expect(await empty.run('backup', file)).toMatchObject({
    code: 2,
    errors: `${file} already exists, and a backup does not overwrite files. Name another file, or add --replace.`,
  });
  expect(await readFile(file, 'utf8')).toBe(good);
  expect(await readdir(folder)).toEqual(['log.jsonl']);

  expect(await empty.run('backup', file, '--replace')).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).not.toBe(good);
});

test.each([
  ['backup', '/nonexistent/b', '/nonexistent/b cannot be written (ENOENT).'],
  ['restore', '/nonexistent/b', '/nonexistent/b cannot be read (ENOENT).'],
])('%s %s names the file as it was given, and changes nothing', async (command, file, said) => {
  const { source, run } = setUp();
  const created = vi.spyOn(source, 'createStreams');
  expect(await run(command, file)).toMatchObject({ code: 2, errors: said });
  expect(created).not.toHaveBeenCalled();
});

describe('a damaged history', () => {
  async function damaged() {
    vi.setSystemTime(T0 + 100_000);
    const environment = setUp();
    const { source, appendReady, pay } = environment;
    await appendReady();
    await pay(paid);
    const [, arrived] = await source.tests.read(TEST_ID);
    source.tests.lose(arrived?.seq ?? 0);
    const [, signed] = await source.payments.read(TEST_ID);
    source.payments.lose(signed?.seq ?? 0);
    return environment;
  }

  test('is named by verify, of tests and of payments', async () => {
    const { run } = await damaged();
    expect(await run('verify')).toMatchObject({
      code: 1,
      lines: [
        { subject: `tests.${TEST_ID}`, problem: 'hole', seq: expect.any(Number) },
        { subject: `payments.${TEST_ID}`, problem: 'hole', seq: expect.any(Number) },
      ],
    });
  });

  test('is not found in a complete log', async () => {
    vi.setSystemTime(T0 + 100_000);
    const { run, appendReady, pay } = setUp();
    await appendReady();
    await pay(paid);
    expect(await run('verify')).toMatchObject({
      code: 0,
      lines: [],
      errors: 'replay: every history is complete',
    });
  });
});
