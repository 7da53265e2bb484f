import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { anEvent, aReportWritten } from '../support/log/events.ts';
import { facts } from '../support/mail/facts.ts';
import { MAIL, mailWorld } from '../support/mail/mail-environment.ts';
import { aReport } from '../support/mail/report.ts';
import { elapse } from '../support/process/elapse.ts';
import { instant, T0, TEST_ID } from '../support/process/instants.ts';

async function created(...wishes: Parameters<typeof mailWorld>) {
  const world = await mailWorld(...wishes);
  await world.create();
  return world;
}

describe('a report', () => {
  test('is made of the facts, at the time of its event', async () => {
    const asked: unknown[] = [];
    const seen = facts();
    const world = await created({
      makeReport: (...args) => {
        asked.push(...args);
        return aReport();
      },
    });
    world.inspection.facts = async () => {
      world.time.now += 800;
      return seen;
    };
    await world.send(MAIL);
    expect(asked).toEqual([seen, instant(60.8)]);
    expect(world.inspection.arrivals).toEqual([
      { receivedAt: instant(60), expiresAt: instant(60 + 86_400) },
    ]);
    expect(world.reports.all()[0]?.event.at).toBe(instant(60.8));
  });

  test('is named by its sequence, its hash, its score and the time it took', async () => {
    const report = aReport({ score: 59, grade: 'D' });
    const world = await created({ makeReport: () => report });
    world.inspection.facts = async () => {
      elapse(800);
      return facts();
    };
    await world.send(MAIL);
    expect(world.tests.all().at(-1)?.event.data).toEqual({
      attempt: 1,
      report_seq: world.reports.all()[0]?.seq,
      report_sha256: createHash('sha256').update(JSON.stringify(report)).digest('hex'),
      score: 59,
      grade: 'D',
      duration_ms: expect.closeTo(800, -2),
    });
  });

  test('comes after those of interrupted attempts', async () => {
    const world = await created();
    const first = await world.reports.append(TEST_ID, aReportWritten(), 0);
    if (!('seq' in first)) throw new Error('not appended');
    await world.reports.append(TEST_ID, aReportWritten(), first.seq);
    expect(await world.send(MAIL)).toMatchObject({ reply: 'analysed' });
    expect(world.tests.all().at(-1)?.event.data).toMatchObject({
      report_seq: world.reports.all()[2]?.seq,
    });
  });

  test('too large for the log is a failure for good', async () => {
    const world = await created({ makeReport: () => aReport({ notes: ['a'.repeat(262_000)] }) });
    expect(await world.send(MAIL)).toMatchObject({ reply: 'failed' });
    expect(world.tests.all().at(-1)?.event.data).toEqual({
      attempt: 1,
      reason: 'report_too_large',
    });
    expect(world.reports.all()).toEqual([]);
  });
});

describe('an analysis that gives no report', () => {
  test('whose worker died', async () => {
    const world = await created();
    world.inspection.facts = async () => 'lost';
    await world.send(MAIL);
    expect(world.tests.all().at(-1)?.event.data).toEqual({ attempt: 1, reason: 'worker_lost' });
  });

  test('for a defect is recorded, and the log line quotes nothing', async () => {
    const world = await created({
      makeReport: () => {
        throw new TypeError(`cannot read ${MAIL}`);
      },
    });
    expect(await world.send(MAIL)).toMatchObject({ reply: 'failed' });
    expect(world.tests.all().at(-1)?.event.data).toEqual({ attempt: 1, reason: 'analysis_defect' });
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        msg: 'analysis failed by a defect; the test ends as analysis_failed',
      }),
    );
    expect(JSON.stringify(world.lines)).not.toContain('sender@');
  });
});

describe('the logs', () => {
  test.each([
    ['unknown', 'temporary_failure'],
    ['full', 'too_much_mail'],
  ] as const)('answering %s to the report is %s, and nothing names it', async (fault, reply) => {
    const world = await created();
    world.reports.failNext(fault);
    expect(await world.send(MAIL)).toMatchObject({ reply });
    expect(world.types()).toEqual(['TestCreated', 'MailArrived']);
  });

  test.each([
    ['unknown', 'temporary_failure'],
    ['full', 'too_much_mail'],
  ] as const)('answering %s to the end is %s', async (fault, reply) => {
    const world = await created();
    world.inspection.facts = async () => {
      world.tests.failNext(fault);
      return facts();
    };
    expect(await world.send(MAIL)).toMatchObject({ reply });
    expect(world.types()).toEqual(['TestCreated', 'MailArrived']);
    expect(world.mailBuffer.bytes()).toBe(0);
  });

  test('an end stored after all is found by the retry', async () => {
    const world = await created();
    world.inspection.facts = async () => {
      world.tests.pauseFollowers();
      world.tests.failNext('unknown_but_stored');
      return facts();
    };
    expect(await world.send(MAIL)).toMatchObject({ reply: 'temporary_failure' });
    world.tests.resumeFollowers();
    await world.tests.delivered();
    expect(await world.send(MAIL)).toMatchObject({ reply: 'repeated' });
  });
});

test('a mail that another process holds is left alone', async () => {
  const world = await created();
  await world.append(anEvent('MailArrived', 61));
  await world.analyzer.idle();
  expect(world.types()).toEqual(['TestCreated', 'MailArrived']);
});

test('an arrival delivered twice is analysed once', async () => {
  const world = await created();
  await world.send(MAIL);
  for (const recorded of world.tests.all()) world.analyzer.onEvent(recorded);
  await world.analyzer.idle();
  expect(world.reports.all()).toHaveLength(1);
});

test('the end is never earlier than the arrival', async () => {
  const world = await created();
  world.inspection.facts = async () => {
    world.time.now = T0;
    return facts();
  };
  await world.send(MAIL);
  const [, arrived, done] = world.tests.all();
  expect(done?.event.at).toBe(arrived?.event.at);
});
