import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReader, type Reader } from '../../../src/adapters/worker-pool/reader.ts';
import { isReport } from '../../../src/domain/report/report.ts';
import { newSenderKey } from '../../environment/sender.ts';
import { hostileAnswers } from './answers.ts';
import { hostileMails, wholeMail } from './mails.ts';
import { watchEventLoop } from './main-thread.ts';
import { startAnswersReader } from './read-answers.ts';
import { readHostile } from './read-hostile.ts';

/** A fifth of what the receiver takes: the machines that run this are small. */
const LARGE = 5 * 1024 * 1024;

const mails = hostileMails(LARGE);
const workerUrl = new URL('../../../src/worker.ts', import.meta.url);

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

let reader: Reader;
beforeAll(async () => {
  reader = createReader({ workerUrl, threads: 1 });
  await readHostile(reader.read, wholeMail);
});
afterAll(() => reader.close());

/** Many times what the costliest of these mails takes of this thread at one go, in its CPU time. */
const MAX_MAIN_MS = 500;

describe('through a real worker', () => {
  // The reader kills a worker after 15 s and 10 s: a part that is there came in time.
  test.each(Object.keys(mails))('%s: both parts come, and this thread goes on', async (name) => {
    const mail = mails[name]?.() ?? Buffer.alloc(0);
    const eventLoop = watchEventLoop();
    const { authentication, content } = await readHostile(reader.read, mail);
    expect(await eventLoop.stop()).toBeLessThan(MAX_MAIN_MS);
    expect(authentication).not.toBeNull();
    expect(content).not.toBeNull();
  });

  test('cut at every byte, a mail still reads', async () => {
    for (let end = 0; end <= wholeMail.length; end += 1) {
      const { authentication, content } = await readHostile(
        reader.read,
        wholeMail.subarray(0, end),
      );
      expect([authentication, content], `${end} bytes`).not.toContain(null);
    }
  });

  test.each([0, 1, 100, wholeMail.length])(
    'a provider block of %i bytes is left out',
    async (from) => {
      const { authentication, content } = await readHostile(reader.read, wholeMail, from);
      expect([authentication, content]).not.toContain(null);
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

test('a mail that takes too long ends its worker, and the next one has another', async () => {
  const hasty = createReader({ workerUrl, threads: 1, authenticationMs: 1, contentMs: 1 });
  try {
    const slow = mails['every way to hash']?.() ?? Buffer.alloc(0);
    const killed = await readHostile(hasty.read, slow);
    expect([killed.authentication, killed.content]).toEqual([null, null]);
  } finally {
    await hasty.close();
  }
  const { content } = await readHostile(reader.read, wholeMail);
  expect(content).not.toBeNull();
});

test('large mails leave the memory as it was', async () => {
  const mail = mails['quoted-printable of soft breaks']?.() ?? Buffer.alloc(0);
  const readMany = async () => {
    for (let n = 0; n < 15; n += 1) await readHostile(reader.read, mail);
    return process.memoryUsage().rss;
  };
  const before = await readMany();
  // Two thirds of what they are together.
  expect((await readMany()) - before).toBeLessThan(10 * LARGE);
});
