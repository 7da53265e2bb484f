/** Tests the pool of worker threads that analyse emails, including workers that hang or crash. */

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newNameCounts } from '../../../src/adapters/dns/new-names.ts';
import {
  createMailWorkers,
  type MailWorkers,
  type MailWorkersOptions,
} from '../../../src/adapters/mail-workers/workers.ts';
import { WorkerLost } from '../../../src/domain/worker-lost.ts';
import type { AnalyzedMail, MailToAnalyze } from '../../../src/ports/mail.ts';

const times = { receivedAt: '', expiresAt: '' };

const mail = (plan: string, text = plan): MailToAnalyze => ({
  testId: 'abcdefghijkl',
  mailDomain: 'in.example.net',
  client: {
    ip: '192.0.2.1',
    helo: plan,
    source: 'smtp',
    tls: { status: 'tls', version: null, cipher: null },
  },
  from: { localPart: '', domain: '', smtputf8: false },
  digest: text,
  bytes: new Uint8Array(Buffer.from(text)),
});

let workers: MailWorkers;
let options: MailWorkersOptions;
let spent: number;
const seen = { queries: [] as unknown[], defects: [] as unknown[], lost: [] as number[] };
beforeEach(() => {
  spent = 0;
  Object.assign(seen, { queries: [], defects: [], lost: [] });
  options = {
    workerUrl: new URL('./played-worker.ts', import.meta.url),
    setup: {
      dnsServers: [],
      dnsValidates: false,
      mailDomain: 'in.example.net',
      nat64Prefixes: [],
      webRiskApiKey: null,
      visitsMailHosts: false,
      refusalBlocklists: [],
      dnsbls: [],
    },
    newNames: newNameCounts(),
    threads: 1,
    clock: () => 0,
    budget: {
      reserve: ({ client }) => client.helo !== 'no budget',
      giveBack: (_, used) => {
        spent += used;
      },
    },
    onQueries: (...queries) => seen.queries.push(queries),
    onDefect: (defect) => seen.defects.push(defect),
    onLost: (mails) => seen.lost.push(mails),
    stuckMs: 500,
    waitMs: 60_000,
    budgetWaitMs: 300,
    mailsAWorker: 20,
  };
  workers = createMailWorkers(options);
});
afterEach(() => workers.close());

const whole = async (one: MailToAnalyze) => {
  const analyzed: AnalyzedMail = await workers.analyze(one);
  try {
    return await analyzed.report(times);
  } finally {
    analyzed.end();
  }
};
const outcomeOf = (one: MailToAnalyze) =>
  whole(one).then(
    (report) => (report === 'lost' ? 'lost' : 'reported'),
    (error: unknown) => (error instanceof WorkerLost ? 'again' : String(error)),
  );

test('an email gets its gate and its report, its bytes are overwritten and its queries counted', async () => {
  const one = mail('fine', 'the text');
  const analyzed = await workers.analyze(one);
  expect(analyzed.gate.headerFromDomain).toBe('the text');
  expect([...one.bytes].every((byte) => byte === 0)).toBe(true);
  expect(await analyzed.report(times)).toMatchObject({ grade: 'F' });
  analyzed.end();
  await workers.close();
  expect(spent).toBe(1);
  expect(seen.queries).toEqual([['found', [1]]]);
});

test('an email whose client has no budget left is not read, waits no longer than that, and delays no other', async () => {
  const poor = outcomeOf(mail('no budget'));
  expect(await outcomeOf(mail('fine'))).toBe('reported');
  expect(await poor).toBe('Overloaded');
});

test('an email that is ended after its gate frees its place', async () => {
  for (let n = 0; n < 15; n++) (await workers.analyze(mail('fine'))).end();
  expect(await outcomeOf(mail('fine'))).toBe('reported');
});

test('more emails than a worker reads at once, or in its life, are all reported', async () => {
  const all = await Promise.all(Array.from({ length: 60 }, () => outcomeOf(mail('fine'))));
  expect(all).toEqual(Array(60).fill('reported'));
});

test('a worker without work ends after a while, and the next email gets another', async () => {
  const threadOf = async (of: MailWorkers) => {
    const { gate, end } = await of.analyze(mail('fine', 'thread'));
    end();
    return gate.headerFromDomain;
  };
  expect(await threadOf(workers)).toBe(await threadOf(workers));
  const sparing = createMailWorkers({ ...options, mailsAWorker: 1_000_000, idleMs: 0 });
  onTestFinished(() => sparing.close());
  const first = await threadOf(sparing);
  await expect.poll(() => threadOf(sparing)).not.toBe(first);
});

test('one of our own errors in a worker is passed on', async () => {
  await whole(mail('defect'));
  expect(seen.defects).toEqual([{ part: 'analysis', name: 'TypeError', at: ['at x'] }]);
});

describe.each(['spin', 'exit', 'memory'])('an email that makes its worker %s', (what) => {
  test.each(['before', 'after'])('%s the gate fails alone in the end', async (when) => {
    const good = Array.from({ length: 8 }, (_, n) => mail('fine', `good ${n}`));
    const bad = () => mail(`${what} ${when}`);
    const first = await Promise.all([...good.slice(0, 4), bad(), ...good.slice(4)].map(outcomeOf));
    expect(first[4]).toBe('again');
    expect(seen.lost).toHaveLength(1);
    // The senders of these emails try again.
    const left = first.flatMap((outcome, n) => (outcome === 'again' && n !== 4 ? [n] : []));
    const second = await Promise.all(
      [bad(), ...left.map((n) => mail('fine', `again ${n}`))].map(outcomeOf),
    );
    expect(second).toEqual(['lost', ...left.map(() => 'reported')]);
  });
});

test('an email that no worker has accepted yet goes to another worker', async () => {
  const bad = outcomeOf(mail('spin before'));
  // These emails are posted while the worker is busy.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const good = [1, 2, 3].map((n) => outcomeOf(mail('fine', `good ${n}`)));
  expect(await bad).toBe('again');
  expect(await Promise.all(good)).toEqual(['reported', 'reported', 'reported']);
});

test('a large email that hangs does not affect small ones', async () => {
  const large = mail('spin before', 'x'.repeat(1024 * 1024));
  const bad = outcomeOf(large);
  expect(await Promise.all([1, 2, 3].map((n) => outcomeOf(mail('fine', `${n}`))))).toEqual(
    Array(3).fill('reported'),
  );
  expect(await bad).toBe('again');
});
