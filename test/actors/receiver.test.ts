/**
 * Tests the actor that receives emails: how it replies at RCPT and after the data, what it records,
 * how it shares memory and places, and what it does if the log or the analysis fails.
 */

import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TestEvent } from '../../src/domain/events.ts';
import { Overloaded } from '../../src/domain/overloaded.ts';
import { toReply } from '../../src/domain/replies.ts';
import { anEvent } from '../support/log/events.ts';
import {
  aBlock,
  anEnvelope,
  chunks,
  MAIL,
  type MailEnvironment,
  mailEnvironment,
  passing,
  refused,
} from '../support/mail/mail-environment.ts';
import { elapse } from '../support/process/elapse.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';

const isWiped = (mail: Uint8Array<ArrayBuffer>) =>
  mail.buffer.detached || mail.every((byte) => byte === 0);

/** Expects that no byte is kept, no lookup is running and no email is left for the analyzer. */
function expectNothingLeft({ mailBuffer, inspection }: MailEnvironment) {
  expect(mailBuffer.bytes()).toBe(0);
  expect(inspection.ended).toBe(inspection.read);
  expect(inspection.mails.every(isWiped)).toBe(true);
}

async function created(...options: Parameters<typeof mailEnvironment>) {
  const environment = await mailEnvironment(...options);
  await environment.create();
  return environment;
}

describe('an email that a relay in front passes on', () => {
  const TLS = '(using TLSv1.2 with cipher AES (256/256 bits))';
  const field = (id: string) =>
    `Received: from mail.example.com (mail.example.com [192.0.2.25])\r\n\tby mx.example.net (Postfix) with ESMTPS id ${id} ${TLS};\r\n\tFri, 20 Nov 2026 10:00:59 +0000\r\n`;
  const client = {
    ip: '192.0.2.25',
    helo: 'mail.example.com',
    source: 'xclient',
    namedBy: 'xforward',
    tls: { status: 'not_observable', version: null, cipher: null },
  } as const;

  test('is read as it came to the relay, and recognized', async () => {
    const environment = await created();
    expect(await environment.send(field('4X1') + MAIL, { client })).toMatchObject({
      reply: 'analysed',
    });
    const tls = { status: 'tls', version: 'TLSv1.2', cipher: null };
    expect(environment.inspection.texts).toEqual([MAIL]);
    expect(environment.inspection.begun).toMatchObject([{ client: { ...client, tls } }]);
    expect(environment.tests.all()[1]?.event.data).toMatchObject({
      size_bytes: MAIL.length,
      tls: 'tls',
    });
    expect(await environment.send(field('4X2') + MAIL, { client })).toMatchObject({
      reply: 'repeated',
    });
    expectNothingLeft(environment);
  });

  test('leaves nothing if it breaks off in its own field', async () => {
    const environment = await created();
    const breaksOff = async function* () {
      yield* chunks(field('4X1').slice(0, 40));
      throw new Error('gone');
    };
    expect(await environment.send(breaksOff(), { client })).toBeNull();
    expectNothingLeft(environment);
  });
});

describe('an email that passes the gate', () => {
  test('gets its reply when its report and its state are durable', async () => {
    const environment = await created();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
    const [written] = environment.reports.all();
    expect(environment.tests.all()[2]?.event.data).toMatchObject({
      attempt: 1,
      report_seq: written?.seq,
    });
    expectNothingLeft(environment);
  });

  test('leaves facts about it, with the keyed digest of its bytes', async () => {
    const environment = await created();
    await environment.send(MAIL);
    expect(environment.tests.all()[1]?.event).toMatchObject({
      at: new Date(environment.time.now).toISOString(),
      data: {
        attempt: 1,
        size_bytes: MAIL.length,
        digest: createHmac('sha256', Buffer.alloc(32, 0xaa)).update(MAIL).digest('hex'),
        source: 'smtp',
        ip: '192.0.2.25',
        helo: 'mail.example.com',
        tls: 'tls',
        envelope_domain: 'example.com',
        header_from_domain: 'example.com',
      },
    });
    expect(environment.inspection.texts).toEqual([MAIL]);
  });

  test('causes no lookup before it has arrived completely', async () => {
    const environment = await created();
    for (let i = 0; i < 100; i++) {
      const accepted = await environment.receiver.accept(anEnvelope());
      if ('reply' in accepted) throw new Error('not accepted');
      accepted.abandon();
    }
    expect(await environment.send('')).toMatchObject({ reply: 'empty' });
    expect(environment.inspection.begun).toEqual([]);
    await environment.send(MAIL);
    expect(environment.inspection.begun).toMatchObject([
      { testId: TEST_ID, mailDomain: 'in.example.net' },
    ]);
    expectNothingLeft(environment);
  });

  test('gets 250 again when it is sent again, and changes nothing', async () => {
    const environment = await created();
    await environment.send(MAIL);
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'repeated' });
    expect(environment.types()).toHaveLength(3);
    expect(environment.inspection.begun).toHaveLength(1);
    expectNothingLeft(environment);
  });

  test('makes every other email too late', async () => {
    const environment = await created();
    await environment.send(MAIL);
    expect(await environment.send(MAIL.replace('hello', 'other'))).toMatchObject({ reply: 'used' });
  });

  test('is recognized by what follows the provider’s block', async () => {
    const environment = await created();
    const sent = async (block: string) => {
      const accepted = await environment.receiver.accept(anEnvelope({ source: 'cloudflare' }));
      if ('reply' in accepted) return accepted;
      return accepted.receive(chunks(block + MAIL, 7), aBlock({ bytes: block.length }));
    };
    expect(await sent('Received: one\r\n')).toMatchObject({ reply: 'analysed' });
    expect(await sent('Received: number two\r\n')).toMatchObject({ reply: 'repeated' });
    expect(environment.tests.all()[1]?.event).toMatchObject({ data: { size_bytes: MAIL.length } });
  });

  test('is analysed even if its sender hangs up after the data', async () => {
    const environment = await created();
    // Nobody looks at this reply.
    void environment.send(MAIL);
    await expect.poll(environment.types).toHaveLength(3);
    await environment.tests.delivered();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'repeated' });
  });
});

describe('the gate', () => {
  test('refuses with all reasons recorded, and the first one in the reply', async () => {
    const environment = await created();
    environment.inspection.gate = async () => refused;
    const answer = await environment.send(MAIL);
    expect(answer && toReply(answer)).toEqual({
      code: 554,
      text: `5.7.1 Refused: 192.0.2.25 is listed by bl.example.org. Request removal at https://bl.example.org/out, or send from another IP address, before 10:16 UTC. Details: https://test.example.net/t/${TEST_ID}`,
    });
    const { event } = environment.tests.all()[1] ?? {};
    expect(event?.type === 'MailRefused' && event.data.reasons.map(({ code }) => code)).toEqual([
      'blocklisted',
      'spf_and_dkim_failed',
    ]);
    expectNothingLeft(environment);
  });

  test('names the deadline of the first refusal in every later one', async () => {
    const environment = await created();
    environment.inspection.gate = async () => refused;
    await environment.send(MAIL);
    environment.time.now += 300_000;
    expect(await environment.send(MAIL)).toMatchObject({ facts: { until: '10:16 UTC' } });
  });

  test('names the end of the window if that comes first', async () => {
    const environment = await created();
    environment.inspection.gate = async () => ({ ...refused, blocklists: [] });
    environment.time.now = T0 + 3_300_000;
    const answer = await environment.send(MAIL);
    expect(answer).toMatchObject({ reply: 'unauthenticated', facts: { until: '11:00 UTC' } });
    expect(answer && toReply(answer).text).toContain(
      'Refused: SPF is fail for example.com from 192.0.2.25, and DKIM is missing.',
    );
  });

  test('a corrected email passes after a refusal', async () => {
    const environment = await created();
    environment.inspection.gate = async () => refused;
    await environment.send(MAIL);
    environment.inspection.gate = async () => passing;
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
    expect(environment.types()).toEqual([
      'TestCreated',
      'MailRefused',
      'MailArrived',
      'AnalysisDone',
    ]);
  });

  test('replies to the seventeenth refusal but leaves no event', async () => {
    const environment = await created();
    environment.inspection.gate = async () => refused;
    for (let i = 0; i < 16; i++) await environment.send(MAIL);
    expect(environment.types()).toHaveLength(17);
    expect(await environment.send(MAIL)).toMatchObject({
      reply: 'blocklisted',
      facts: { until: '10:16 UTC' },
    });
    expect(environment.types()).toHaveLength(17);
  });

  test('refuses nobody if our own resolver is down', async () => {
    const environment = await created();
    environment.inspection.gate = async () => ({ ...refused, resolverDown: true });
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'resolver_down' });
    expect(environment.types()).toEqual(['TestCreated']);
    expectNothingLeft(environment);
  });

  test('neither refuses nor admits anybody if we could not make the lookups', async () => {
    const environment = await created();
    environment.inspection.gate = async () => {
      throw new Overloaded();
    };
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'overloaded' });
    expect(environment.types()).toEqual(['TestCreated']);
    expect(environment.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expectNothingLeft(environment);
  });

  test('closes the test if its window ends in the meantime', async () => {
    const environment = await created();
    environment.inspection.gate = async () => {
      environment.time.now = T0 + 3_600_000;
      return passing;
    };
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'closed' });
    expect(environment.types()).toEqual(['TestCreated']);
  });
});

describe('refusals by the protocol, which leave the test unchanged', () => {
  const field = (bytes: number) => `X-A: ${'a'.repeat(bytes)}\r\n`;

  test.each([
    ['too_large', `${MAIL}${'a'.repeat(512 * 1024)}`, { n: '524288' }],
    ['malformed', `${field(66_000)}\r\nbody`, { what: 'header field size in bytes', n: '65536' }],
    [
      'malformed',
      `${'A: b\r\n'.repeat(1001)}\r\nbody`,
      { what: 'number of header fields', n: '1000' },
    ],
    ['malformed', `${field(60_000).repeat(5)}\r\n`, { what: 'header size in bytes', n: '262144' }],
    ['empty', '', {}],
  ])('%s', async (reply, content, facts) => {
    const environment = await created();
    expect(await environment.send(content)).toMatchObject({ reply, facts });
    expect(environment.types()).toEqual(['TestCreated']);
    expect(environment.inspection.mails).toEqual([]);
    expectNothingLeft(environment);
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
  });

  test('a size announced over the limit is refused at RCPT', async () => {
    const environment = await created();
    const answer = await environment.send(MAIL, { declaredBytes: 512 * 1024 + 1 });
    expect(answer).toMatchObject({ reply: 'too_large' });
  });

  test('an email of exactly the limit is accepted', async () => {
    const environment = await created();
    const content = MAIL.padEnd(512 * 1024, 'a');
    expect(await environment.send(content)).toMatchObject({ reply: 'analysed' });
  });

  test('a declared size takes no memory', async () => {
    const environment = await created({ mailMemoryBytes: 512 * 1024 });
    const claims = { declaredBytes: 512 * 1024 };
    expect(await environment.receiver.accept(anEnvelope(claims))).toHaveProperty('receive');
    expect(environment.mailBuffer.bytes()).toBe(0);
    expect(await environment.send(MAIL, claims)).toMatchObject({ reply: 'analysed' });
  });

  test('a sender that gives way is told why, at once and instead of a verdict', async () => {
    const environment = await created();
    const told: string[] = [];
    const open = () =>
      environment.receiver.accept(anEnvelope(), ({ reply }) => void told.push(reply));
    const first = await open();
    elapse(1000);
    const all = [first, await open(), await open()];
    expect(told).toEqual(['replaced']);
    if ('reply' in first) throw new Error('The first one was not accepted.');
    expect(await first.receive(chunks(MAIL))).toMatchObject({ reply: 'replaced' });
    expect(environment.types()).toEqual(['TestCreated']);
    for (const one of all) if ('abandon' in one) one.abandon();
    expectNothingLeft(environment);
  });

  test('of twenty transactions from one client for one test, two are open', async () => {
    const environment = await created();
    let told = 0;
    const open = () =>
      environment.receiver.accept(anEnvelope(), () => {
        told += 1;
      });
    for (let n = 0; n < 20; n++) await open();
    expect(told).toBe(18);
  });

  test('emails that have arrived completely keep their places, and others are asked to wait', async () => {
    const environment = await created();
    const { promise, resolve } = Promise.withResolvers<typeof passing>();
    environment.inspection.gate = () => promise;
    const whole = [environment.send(MAIL), environment.send(MAIL)];
    await expect.poll(() => environment.inspection.begun.length).toBe(2);
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'test_busy' });
    resolve(passing);
    await Promise.all(whole);
  });

  test('no memory in the middle of the data', async () => {
    const environment = await created({ mailMemoryBytes: 100_000 });
    expect(await environment.send(MAIL.padEnd(90_000, 'a'))).toMatchObject({
      reply: 'memory_full',
    });
    expect(environment.types()).toEqual(['TestCreated']);
    expectNothingLeft(environment);
  });

  test('an email that was given up takes no memory while the rest is read', async () => {
    const environment = await created();
    const seen: number[] = [];
    async function* parts() {
      for (let i = 0; i < 9; i++) {
        yield new Uint8Array(65_536).fill(0x61);
        seen.push(environment.mailBuffer.bytes());
      }
    }
    expect(await environment.send(parts())).toMatchObject({ reply: 'malformed' });
    expect(seen.slice(1)).toEqual(Array(8).fill(0));
  });

  test('an email that was given up is not read without end', async () => {
    const environment = await created();
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 65_536;
        yield new Uint8Array(65_536);
      }
    }
    expect(await environment.send(endless())).toBeNull();
    expect(sent).toBeLessThanOrEqual(4 * 512 * 1024 + 65_536);
    expectNothingLeft(environment);
  });

  test('an email that was given up is not read for more than ten minutes', async () => {
    const environment = await created();
    let minutes = 0;
    async function* slow() {
      yield new Uint8Array(600_000);
      for (minutes = 1; minutes <= 20; minutes++) {
        elapse(60_000);
        yield new Uint8Array(10);
      }
    }
    expect(await environment.send(slow())).toBeNull();
    expect(minutes).toBeLessThanOrEqual(11);
  });

  test('an email to a used test is read up to four times the limit at most', async () => {
    const environment = await created();
    await environment.send(MAIL);
    async function* endless() {
      for (;;) yield new Uint8Array(65_536);
    }
    expect(await environment.send(endless())).toBeNull();
  });
});

describe('a sender that vanishes during the data', () => {
  test('leaves no event and no byte', async () => {
    const environment = await created();
    async function* broken() {
      yield Buffer.from(MAIL.slice(0, 40));
      throw new Error('connection closed');
    }
    expect(await environment.send(broken())).toBeNull();
    expect(environment.types()).toEqual(['TestCreated']);
    expect(environment.outcomes).toEqual(['broken_off']);
    expectNothingLeft(environment);
  });
});

describe('the log', () => {
  test('that is unavailable at RCPT is a temporary failure', async () => {
    const environment = await created();
    environment.tests.disconnect();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
  });

  test.each([
    ['an event of a later release', JSON.stringify({ ...anEvent('MailRefused', 1), v: 2 })],
    ['what is no event', 'flipped'],
  ])('that contains %s freezes the test: 451, and nothing is recorded', async (_, body) => {
    const environment = await created();
    environment.tests.putRaw(TEST_ID, body);
    await environment.tests.delivered();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
    expect(toReply({ reply: 'temporary_failure', facts: {} }).code).toBe(451);
    expect(environment.types()).toEqual(['TestCreated']);
    expectNothingLeft(environment);
  });

  test('that is not yet followed to its end is a temporary failure', async () => {
    const environment = await created({ caughtUp: () => false });
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
  });

  test('is not asked about addresses that cannot be tests', async () => {
    const environment = await created();
    environment.tests.disconnect();
    const to = { localPart: 'someone', domain: 'in.example.net' };
    expect(await environment.send(MAIL, { to })).toMatchObject({ reply: 'unknown_address' });
  });

  test.each([
    ['unknown', 'temporary_failure'],
    ['full', 'too_much_mail'],
  ] as const)('that answers %s to the arrival is %s', async (fault, reply) => {
    const environment = await created();
    environment.tests.failNext(fault);
    expect(await environment.send(MAIL)).toMatchObject({ reply });
    expect(environment.types()).toEqual(['TestCreated']);
    expectNothingLeft(environment);
  });

  test('that stored an arrival after all is found out by the retry', async () => {
    const environment = await created();
    environment.tests.pauseFollowers();
    environment.tests.failNext('unknown_but_stored');
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
    environment.tests.resumeFollowers();
    await environment.tests.delivered();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysing' });
    await environment.append(anEvent('AnalysisTimeout', 120));
    environment.time.now = T0 + 125_000;
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
    expect(environment.tests.all().at(-1)?.event.data).toMatchObject({ attempt: 2 });
  });

  test.each([
    ['unknown', 'temporary_failure', 0],
    ['unknown_but_stored', 'temporary_failure', 1],
    ['full', 'blocklisted', 0],
  ] as const)('that answers %s to a refusal is %s', async (fault, reply, stored) => {
    const environment = await created();
    environment.inspection.gate = async () => refused;
    environment.tests.failNext(fault);
    expect(await environment.send(MAIL)).toMatchObject({ reply });
    expect(environment.types()).toHaveLength(1 + stored);
  });

  test('a race lost to another copy gets the reply in the table', async () => {
    const environment = await created();
    environment.tests.race(anEvent('MailArrived', 61));
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysing' });
    expectNothingLeft(environment);
  });

  test('a race lost to a refusal leads to a new decision', async () => {
    const environment = await created();
    environment.tests.race(anEvent('MailRefused', 61));
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
  });

  test('five lost races in a row are a temporary failure', async () => {
    const environment = await created();
    for (let i = 0; i < 5; i++) environment.tests.race(anEvent('MailRefused', 61 + i));
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
    expect(environment.types()).not.toContain('MailArrived');
    expectNothingLeft(environment);
  });

  test('an event is never dated before the one before it', async () => {
    const environment = await created();
    await environment.append(anEvent('MailRefused', 90));
    await environment.send(MAIL);
    expect(environment.tests.all()[2]?.event.at).toBe(new Date(T0 + 90_000).toISOString());
  });
});

describe('the analysis', () => {
  test('that failed for good gets 250, because sending again would change nothing', async () => {
    const environment = await created();
    environment.inspection.facts = async () => 'lost';
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'failed' });
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'failed' });
    expect(await environment.send(`${MAIL}.`)).toMatchObject({ reply: 'used' });
    expectNothingLeft(environment);
  });

  /** Sends an email whose analysis ends only when told to. */
  async function hanging(events: readonly TestEvent[] = []) {
    const environment = await created();
    await environment.append(...events);
    const held = Promise.withResolvers<'lost'>();
    environment.inspection.facts = () => held.promise;
    const answer = environment.send(MAIL);
    await expect.poll(environment.types).toContain('MailArrived');
    await expect.poll(() => environment.types().at(-1)).toBe('MailArrived');
    return { environment, answer, release: () => held.resolve('lost') };
  }

  test('that is out of time leaves the test open, and its late end out of the log', async () => {
    const { environment, answer, release } = await hanging();
    await environment.append(anEvent('AnalysisTimeout', 120));
    expect(await answer).toMatchObject({ reply: 'temporary_failure' });
    release();
    await environment.analyzer.idle();
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisTimeout']);
    expectNothingLeft(environment);
  });

  test('that is out of time for the third time is final', async () => {
    const { environment, answer } = await hanging(
      [1, 2].flatMap((attempt) => [
        anEvent('MailArrived', 61, { attempt }),
        anEvent('AnalysisTimeout', 121, { attempt }),
      ]),
    );
    await environment.append(anEvent('AnalysisTimeout', 200, { attempt: 3 }));
    expect(await answer).toMatchObject({ reply: 'failed' });
  });

  test('of a test that expires in the meantime ends with the test', async () => {
    const { environment, answer } = await hanging();
    await environment.append(anEvent('Expired', 200));
    expect(await answer).toMatchObject({ reply: 'unknown_address' });
  });

  test('makes a second copy wait', async () => {
    const { environment, answer, release } = await hanging();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysing' });
    release();
    expect(await answer).toMatchObject({ reply: 'failed' });
    expectNothingLeft(environment);
  });
});

test('an analysis whose result nobody learns is not waited for without end', async () => {
  const environment = await created();
  environment.tests.pauseFollowers();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let answer: unknown;
  const sent = environment.send(MAIL).then((value) => {
    answer = value;
  });
  await expect.poll(environment.types, { interval: 0 }).toContain('MailArrived');
  await vi.advanceTimersByTimeAsync(79_000);
  expect(answer).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2000);
  await sent;
  expect(answer).toMatchObject({ reply: 'analysing' });
  expectNothingLeft(environment);
});

test('a From domain that is not a domain does not appear in the event', async () => {
  const environment = await created();
  environment.inspection.gate = async () => ({
    ...passing,
    headerFromDomain: 'someone@example.com',
  });
  expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
  expect(environment.tests.all()[1]?.event.data).toMatchObject({ header_from_domain: null });
});

test('of two copies at once, one is analysed and the other is asked to wait', async () => {
  const environment = await created();
  const both = await Promise.all([environment.send(MAIL), environment.send(MAIL)]);
  expect(both.map((answer) => answer?.reply).sort()).toEqual(['analysed', 'analysing']);
  expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  expectNothingLeft(environment);
});

test('a defect of the inspection is a temporary failure, and nothing remains', async () => {
  const environment = await created();
  environment.inspection.gate = () => Promise.reject(new Error(`cannot read ${MAIL}`));
  expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
  expect(JSON.stringify(environment.lines)).not.toContain('hello');
  expectNothingLeft(environment);
});
