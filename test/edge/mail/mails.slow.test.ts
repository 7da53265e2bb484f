/**
 * Tests that hostile emails, and emails whose sender's DNS is hostile, are read within limits of
 * time and memory.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReport } from '../../../src/domain/report/report.ts';
import { newSenderKey } from '../../environment/sender.ts';
import { type Row, seconds } from '../row.ts';
import { hostileMails, wholeMail } from './mails.ts';
import { startAnswersReader, startWorkerReader, watchMainThread } from './reader.ts';
import { type HostileAnswers, hostileAnswers } from './zones.ts';

const MIB = 1024 * 1024;

/**
 * Size of large emails: a twentieth of what the receiver accepts in the short form, which suits small
 * machines, and all of it in the long form.
 */
const LARGE = seconds === undefined ? MIB : 20 * MIB;
const TEXT = seconds === undefined ? MIB : 2 * MIB;

/** Bytes between two cuts of an email. */
const CUT = seconds === undefined ? 7 : 1;

/**
 * Processor time of a reading, and the longest time of this thread without a pause, in milliseconds: far
 * above what linear work takes. Quadratic work takes a quarter at half the size.
 */
const BUDGET = { ms: seconds === undefined ? 2000 : 25_000, mainMs: 250 };

/** Largest `ReportWritten`, in bytes of JSON. */
const MAX_REPORT_BYTES = 256 * 1024;

const mails = Object.entries(hostileMails(LARGE, TEXT)).map(
  ([name, input]): Row<() => Buffer, typeof BUDGET, 'a whole report'> => ({
    name,
    input,
    budget: BUDGET,
    expected: 'a whole report',
  }),
);

let reader: Awaited<ReturnType<typeof startWorkerReader>>;
beforeAll(async () => {
  reader = await startWorkerReader();
  // Both threads of the reader load their code before any time is measured.
  await reader.read(wholeMail);
  await reader.read(Buffer.alloc(MIB));
});
afterAll(() => reader.stop());

/** Expects that each part of the report is present, or named in it if it did not come in time. */
function expectWhole(report: string | null, about?: string) {
  expect(report, about).not.toBeNull();
  expect(report, about).not.toContain('in time');
}

describe('through a real worker', () => {
  test.each(mails)('$name: $expected', async ({ input, budget }) => {
    // Built before the clock runs, because building some is costly, and none of that is the reader's work.
    const mail = input();
    const { result, ms, mainMs } = await watchMainThread(() => reader.read(mail));
    expectWhole(result);
    expect(isReport(JSON.parse(result ?? ''))).toBe(true);
    expect(Buffer.byteLength(result ?? '')).toBeLessThan(MAX_REPORT_BYTES);
    expect(ms).toBeLessThan(budget.ms);
    expect(mainMs).toBeLessThan(budget.mainMs);
  });

  test('an email that is cut anywhere can still be read', async () => {
    for (let end = 0; end <= wholeMail.length; end += CUT)
      expectWhole(await reader.read(wholeMail.subarray(0, end)), `${end} bytes`);
  });

  test.each([0, 1, 100, wholeMail.length])(
    'a provider block of %i bytes is left out',
    async (from) => {
      expectWhole(await reader.read(wholeMail, from));
    },
  );
});

describe('the DNS of the sender is hostile', () => {
  const zones = Object.entries(hostileAnswers(newSenderKey())).map(
    ([name, input]): Row<() => HostileAnswers, { ms: number }, 'a whole report, SPF as it is'> => ({
      name,
      input,
      budget: { ms: 10_000 },
      expected: 'a whole report, SPF as it is',
    }),
  );
  let answers: Awaited<ReturnType<typeof startAnswersReader>>;
  beforeAll(async () => {
    answers = await startAnswersReader();
  });
  afterAll(() => answers.stop());

  test.each(zones)('$name: $expected', async ({ input, budget }) => {
    const given = input();
    const { result: report, ms, mainMs } = await watchMainThread(() => answers.read(given));
    expect(isReport(report)).toBe(true);
    expect(report.partial_errors ?? []).not.toContainEqual(expect.stringContaining('in time'));
    expect(report.authentication.spf.result).toBe(given.spf);
    expect(ms).toBeLessThan(budget.ms);
    if (seconds !== undefined) expect(mainMs).toBeLessThan(BUDGET.mainMs);
  });
});

test('large emails leave the memory as it was', async () => {
  const mail = hostileMails(5 * MIB)['a line without end']?.() ?? Buffer.alloc(0);
  const readMany = async () => {
    for (let n = 0; n < 15; n += 1) await reader.read(mail);
    return process.memoryUsage().rss;
  };
  const before = await readMany();
  // The limit is two thirds of their total size.
  expect((await readMany()) - before).toBeLessThan(50 * MIB);
});
