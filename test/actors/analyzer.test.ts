/**
 * Tests the actor that analyses each accepted email once and records the end, a report or why there
 * is none, and what it does if the logs fail.
 */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Overloaded } from '../../src/domain/overloaded.ts';
import { anEvent, aReportWritten } from '../support/log/events.ts';
import { facts } from '../support/mail/facts.ts';
import { MAIL, mailEnvironment } from '../support/mail/mail-environment.ts';
import { aReport } from '../support/mail/report.ts';
import { elapse } from '../support/process/elapse.ts';
import { instant, T0, TEST_ID } from '../support/process/instants.ts';

async function created(...options: Parameters<typeof mailEnvironment>) {
  const environment = await mailEnvironment(...options);
  await environment.create();
  return environment;
}

describe('a report', () => {
  test('is made from the facts, and dated at the time of its event', async () => {
    const asked: unknown[] = [];
    const seen = facts();
    const environment = await created({
      makeReport: (...args) => {
        asked.push(...args);
        return aReport();
      },
    });
    environment.inspection.facts = async () => {
      environment.time.now += 800;
      return seen;
    };
    await environment.send(MAIL);
    expect(asked).toEqual([seen, instant(60.8)]);
    expect(environment.inspection.arrivals).toEqual([
      { receivedAt: instant(60), expiresAt: instant(60 + 86_400) },
    ]);
    expect(environment.reports.all()[0]?.event.at).toBe(instant(60.8));
  });

  test('is named by its sequence number, its hash, its score and the time it took', async () => {
    const report = aReport({ score: 59, grade: 'D' });
    const environment = await created({ makeReport: () => report });
    environment.inspection.facts = async () => {
      elapse(800);
      return facts();
    };
    await environment.send(MAIL);
    expect(environment.tests.all().at(-1)?.event.data).toEqual({
      attempt: 1,
      report_seq: environment.reports.all()[0]?.seq,
      report_sha256: createHash('sha256').update(JSON.stringify(report)).digest('hex'),
      score: 59,
      grade: 'D',
      // On a busy machine, the time that the test itself takes is added.
      duration_ms: expect.toSatisfy((taken: number) => taken >= 800),
    });
  });

  test('comes after those of interrupted attempts', async () => {
    const environment = await created();
    const first = await environment.reports.append(TEST_ID, aReportWritten(), 0);
    if (!('seq' in first)) throw new Error('not appended');
    await environment.reports.append(TEST_ID, aReportWritten(), first.seq);
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'analysed' });
    expect(environment.tests.all().at(-1)?.event.data).toMatchObject({
      report_seq: environment.reports.all()[2]?.seq,
    });
  });

  test('of a test that was deleted in the meantime is erased', async () => {
    const environment = await created();
    environment.inspection.facts = async () => {
      await environment.append(anEvent('TestDeleted', 61));
      return facts();
    };
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'unknown_address' });
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'TestDeleted']);
    await expect.poll(() => environment.reports.erased).toMatchObject([{ how: 'secure' }]);
    expect(environment.reports.all()).toEqual([]);
  });

  test('too large for the log is a final failure', async () => {
    const environment = await created({
      makeReport: () => aReport({ notes: ['a'.repeat(262_000)] }),
    });
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'failed' });
    expect(environment.tests.all().at(-1)?.event.data).toEqual({
      attempt: 1,
      reason: 'report_too_large',
    });
    expect(environment.reports.all()).toEqual([]);
  });
});

describe('an analysis that produces no report', () => {
  test('whose worker died', async () => {
    const environment = await created();
    environment.inspection.facts = async () => 'lost';
    await environment.send(MAIL);
    expect(environment.tests.all().at(-1)?.event.data).toEqual({
      attempt: 1,
      reason: 'worker_lost',
    });
  });

  test('that lacks our own lookups makes no report: the sender should try again', async () => {
    const environment = await created();
    environment.inspection.facts = async () => {
      throw new Overloaded();
    };
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'overloaded' });
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived']);
    expect(environment.reports.all()).toEqual([]);
  });

  test('with a defect is recorded, and the log line quotes nothing', async () => {
    const environment = await created({
      makeReport: () => {
        throw new TypeError(`cannot read ${MAIL}`);
      },
    });
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'failed' });
    expect(environment.tests.all().at(-1)?.event.data).toEqual({
      attempt: 1,
      reason: 'analysis_defect',
    });
    expect(environment.lines).toContainEqual(
      expect.objectContaining({
        msg: 'analysis failed because of a defect; the test ends as analysis_failed',
      }),
    );
    expect(JSON.stringify(environment.lines)).not.toContain('sender@');
  });
});

describe('the logs', () => {
  test.each([
    ['unknown', 'temporary_failure'],
    ['full', 'too_much_mail'],
  ] as const)('that answers %s to the report is %s, and nothing names it', async (fault, reply) => {
    const environment = await created();
    environment.reports.failNext(fault);
    expect(await environment.send(MAIL)).toMatchObject({ reply });
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived']);
  });

  test.each([
    ['unknown', 'temporary_failure'],
    ['full', 'too_much_mail'],
  ] as const)('that answers %s to the end is %s', async (fault, reply) => {
    const environment = await created();
    environment.inspection.facts = async () => {
      environment.tests.failNext(fault);
      return facts();
    };
    expect(await environment.send(MAIL)).toMatchObject({ reply });
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived']);
    expect(environment.mailBuffer.bytes()).toBe(0);
  });

  test('that stored an end after all is found out by the retry', async () => {
    const environment = await created();
    environment.inspection.facts = async () => {
      environment.tests.pauseFollowers();
      environment.tests.failNext('unknown_but_stored');
      return facts();
    };
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
    environment.tests.resumeFollowers();
    await environment.tests.delivered();
    expect(await environment.send(MAIL)).toMatchObject({ reply: 'repeated' });
  });
});

test('an email that another process holds is left alone', async () => {
  const environment = await created();
  await environment.append(anEvent('MailArrived', 61));
  await environment.analyzer.idle();
  expect(environment.types()).toEqual(['TestCreated', 'MailArrived']);
});

test('an arrival delivered twice is analysed once', async () => {
  const environment = await created();
  await environment.send(MAIL);
  for (const recorded of environment.tests.all()) environment.analyzer.onEvent(recorded);
  await environment.analyzer.idle();
  expect(environment.reports.all()).toHaveLength(1);
});

test('the end is never dated before the arrival', async () => {
  const environment = await created();
  environment.inspection.facts = async () => {
    environment.time.now = T0;
    return facts();
  };
  await environment.send(MAIL);
  const [, arrived, done] = environment.tests.all();
  expect(done?.event.at).toBe(arrived?.event.at);
});
