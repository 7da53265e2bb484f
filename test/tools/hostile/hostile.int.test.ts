import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReport } from '../../../src/domain/report/report.ts';
import { newSenderKey } from '../../environment/sender.ts';
import { hostileAnswers } from './answers.ts';
import { hostileMails, wholeMail } from './mails.ts';
import { watchEventLoop } from './main-thread.ts';
import { startAnswersReader } from './read-answers.ts';
import { startHostileReader } from './read-hostile.ts';

/** A fifth of what the receiver takes: the machines that run this are small. */
const LARGE = 5 * 1024 * 1024;

const mails = hostileMails(LARGE);

/** What RFC 7208 makes of the shapes of SPF: most break a limit or the grammar. */
const PASS = ['SPF: terms with ptr', 'SPF: ip4, the sender last'];
const FAIL = [
  'SPF: one term of macros',
  'SPF: one term of percents',
  'SPF: one macro of digits',
  'SPF: one macro of delimiters',
  'SPF: one unknown modifier',
  'SPF: one unknown modifier of macros',
  'SPF: all, over and over',
  'SPF: unknown modifiers',
  'SPF: unknown modifiers with macros',
  'SPF: ip4',
  'SPF: ip6',
  'SPF: spaces',
  'SPF: ten include: of 60 KB',
  'SPF: ten include: just below what is shortened',
  'SPF: ten include: of macros just below that',
  'SPF: ten include: of networks just below that',
  'SPF: 1,700 addresses of a host',
  'SPF: an explanation of 60 KB',
];

function spfOf(name: string) {
  if (name === 'CNAME: loops') return 'temperror';
  if (FAIL.includes(name)) return 'fail';
  const isBroken = name.startsWith('SPF') || name === 'MX: 500 hosts';
  return isBroken && !PASS.includes(name) ? 'permerror' : 'pass';
}

let reader: Awaited<ReturnType<typeof startHostileReader>>;
beforeAll(async () => {
  reader = await startHostileReader();
  await reader.read(wholeMail);
});
afterAll(() => reader.stop());

/** Each part of the report is there: one that did not come in time is named in it. */
function expectWhole(report: string | null, about?: string) {
  expect(report, about).not.toBeNull();
  expect(report, about).not.toContain('in time');
}

/** Many times what the costliest of these mails takes of this thread at one go, in its CPU time. */
const MAX_MAIN_MS = 500;

describe('through a real worker', () => {
  test.each(Object.keys(mails))(
    '%s: the whole report comes, and this thread goes on',
    async (name) => {
      const mail = mails[name]?.() ?? Buffer.alloc(0);
      const eventLoop = watchEventLoop();
      const { report } = await reader.read(mail);
      expect(await eventLoop.stop()).toBeLessThan(MAX_MAIN_MS);
      expectWhole(report);
    },
  );

  test('cut at every byte, a mail still reads', async () => {
    for (let end = 0; end <= wholeMail.length; end += 1) {
      const { report } = await reader.read(wholeMail.subarray(0, end));
      expectWhole(report, `${end} bytes`);
    }
  });

  test.each([0, 1, 100, wholeMail.length])(
    'a provider block of %i bytes is left out',
    async (from) => {
      const { report } = await reader.read(wholeMail, from);
      expectWhole(report);
    },
  );
});

describe('the DNS of the sender is hostile', () => {
  const shapes = hostileAnswers(newSenderKey());
  let answers: Awaited<ReturnType<typeof startAnswersReader>>;
  beforeAll(async () => {
    answers = await startAnswersReader();
  });
  afterAll(() => answers.stop());

  // A part that was not there in time is named.
  test.each(Object.keys(shapes))('%s: a whole report in time', async (name) => {
    const make = shapes[name];
    if (!make) throw new Error(`no shape ${name}`);
    const { report, milliseconds } = await answers.read(make());
    expect(milliseconds).toBeLessThan(10_000);
    expect(isReport(report)).toBe(true);
    expect(report.partial_errors ?? []).not.toContainEqual(expect.stringContaining('in time'));
    expect(report.authentication.spf.result).toBe(spfOf(name));
  });
});

test('large mails leave the memory as it was', async () => {
  const mail = mails['quoted-printable of soft breaks']?.() ?? Buffer.alloc(0);
  const readMany = async () => {
    for (let n = 0; n < 15; n += 1) await reader.read(mail);
    return process.memoryUsage().rss;
  };
  const before = await readMany();
  // Two thirds of what they are together.
  expect((await readMany()) - before).toBeLessThan(10 * LARGE);
});
