import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReader, type Reader } from '../../../src/adapters/worker-pool/reader.ts';
import type { Resolver } from '../../../src/ports/dns.ts';
import type { MailJob } from '../../../src/ports/reading.ts';

let reader: Reader;
let defects: unknown[];
beforeEach(() => {
  defects = [];
  reader = createReader({
    onDefect: (defect) => defects.push(defect),
    workerUrl: new URL('./stuck-worker.ts', import.meta.url),
    threads: 1,
    authenticationMs: 400,
    contentMs: 400,
    mailsAWorker: 2,
  });
});
afterEach(() => reader.close());

const read = async (plan: string) => {
  const job = { context: { helo: plan } } as unknown as MailJob;
  const reading = reader.read(new Uint8Array(8), job, { turnPath: [] } as unknown as Resolver);
  return { authentication: await reading.authentication, content: await reading.content };
};

test('both parts come', async () => {
  expect(await read('fine')).toMatchObject({ authentication: { plan: 'fine' }, content: {} });
});

test.each(['hang', 'spin', 'throw', 'exit'])(
  'a worker that must %s gives no part',
  async (plan) => {
    expect(await read(plan)).toEqual({ authentication: null, content: null });
    // The next mail finds a worker.
    expect(await read('fine')).toMatchObject({ authentication: { plan: 'fine' } });
  },
);

test('a worker that dies after the first part leaves it', async () => {
  expect(await read('spin later')).toMatchObject({
    authentication: { plan: 'spin later' },
    content: null,
  });
});

test('what a worker tells of an error of ours is passed on', async () => {
  await read('defect');
  expect(defects).toEqual([{ part: 'authentication', name: 'TypeError', at: ['at x'] }]);
});

test('a reading that is stopped ends at once', async () => {
  const job = { context: { helo: 'spin' } } as unknown as MailJob;
  const reading = reader.read(new Uint8Array(8), job, { turnPath: [] } as unknown as Resolver);
  reading.stop();
  expect(await reading.authentication).toBe(null);
});

test('a worker is replaced after its number of mails', async () => {
  const threads: unknown[] = [];
  for (let i = 0; i < 6; i += 1)
    threads.push(((await read('fine')).content as unknown as { thread: number }).thread);
  expect(new Set(threads).size).toBe(3);
  expect(threads[0]).toBe(threads[1]);
});

test('a mail that waits for a worker has all its time when its turn comes', async () => {
  const job = (helo: string) => ({ context: { helo } }) as unknown as MailJob;
  const [first, second] = ['hang', 'fine'].map((plan) =>
    reader.read(new Uint8Array(8), job(plan), { turnPath: [] } as unknown as Resolver),
  );
  expect(await first?.begun).toBe(true);
  expect(await first?.authentication).toBe(null);
  expect(await second?.begun).toBe(true);
  expect(await second?.authentication).toMatchObject({ plan: 'fine' });
});

test('a mail that is stopped before its turn was never begun', async () => {
  const job = { context: { helo: 'hang' } } as unknown as MailJob;
  const hanging = reader.read(new Uint8Array(8), job, { turnPath: [] } as unknown as Resolver);
  const waiting = reader.read(new Uint8Array(8), job, { turnPath: [] } as unknown as Resolver);
  await hanging.begun;
  waiting.stop();
  expect(await waiting.begun).toBe(false);
});
