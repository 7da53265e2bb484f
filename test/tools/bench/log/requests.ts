import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestEvent } from '../../../../src/domain/events.ts';
import { toTestId } from '../../../../src/domain/ids.ts';
import { anEvent, aReportWritten } from '../../../support/log/events.ts';
import { type Replica, withReplicas } from './replica.ts';

/** Until the tests end, in milliseconds: their views are written and checked before. */
const LIFE_MS = 20_000;

/** For their mails, in milliseconds. */
const WINDOW_MS = 10_000;

/** Tests on the way at once. */
const LANES = 8;

const newId = () => randomBytes(12).toString('hex');

/** An event as this replica would write it now. */
function event<T extends TestEvent['type']>(type: T, by: string, data: object): TestEvent {
  const at = new Date().toISOString();
  const made = anEvent(type as 'TestCreated');
  return { ...made, id: newId(), at, by, data: { ...made.data, ...data } } as TestEvent;
}

/** A test from its creation to its report, at one replica. */
export async function playTest(
  { logs, views }: Replica,
  by: string,
  endsAt: number,
): Promise<string> {
  const id = toTestId(randomBytes(8)) ?? '';
  const now = Date.now();
  const expires_at = new Date(endsAt).toISOString();
  const send_before = new Date(now + WINDOW_MS).toISOString();
  const created = event('TestCreated', by, { send_before, expires_at });
  const append = async (one: TestEvent, after: number) => {
    const appended = await logs.tests.append(id, one, after);
    if (appended.outcome !== 'appended') throw new Error(`An append ended as ${appended.outcome}.`);
    return appended.seq;
  };
  const first = await append({ ...created, at: new Date(now).toISOString() } as TestEvent, 0);
  // The retention counts from the arrival: as of the creation, both end at once.
  const arrival = { ...event('MailArrived', by, {}), at: new Date(now).toISOString() } as TestEvent;
  const second = await append(arrival, first);
  const report = { ...aReportWritten({ test_id: id }), id: newId(), by };
  const written = await logs.reports.append(id, report, 0);
  if (written.outcome !== 'appended') throw new Error('There is no report.');
  const json = new TextEncoder().encode(JSON.stringify(report.data.report));
  const report_sha256 = createHash('sha256').update(json).digest('hex');
  views.offerReport(id, written.seq, json);
  await append(event('AnalysisDone', by, { report_seq: written.seq, report_sha256 }), second);
  return id;
}

/** What a test costs from its creation until it is erased, on so many replicas. */
export const measureRequests = (url: string, count: number, tests: number) =>
  withReplicas({ url, count }, (replicas) => measure(replicas, tests));

async function measure(replicas: readonly Replica[], tests: number) {
  const count = replicas.length;
  // Each has written something, so that they know each other.
  const endless = Date.now() + 3_600_000;
  for (const [n, replica] of replicas.entries()) await playTest(replica, `replica-${n}`, endless);
  await sleep(4000);
  for (const { counts } of replicas) counts.clear();

  const endsAt = Date.now() + LIFE_MS;
  let next = 0;
  const lane = async () => {
    while (next < tests) {
      const n = next++ % count;
      await playTest(replicas[n] as Replica, `replica-${n}`, endsAt);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const remaining = async () =>
    (await replicas[0]?.connection.jsm.streams.info('REPORTS'))?.state.messages;
  while (Date.now() < endsAt || (await remaining()) !== count) await sleep(1000);
  await sleep(4000);

  const sums = new Map<string, number>();
  for (const { counts } of replicas)
    for (const [kind, n] of counts) sums.set(kind, (sums.get(kind) ?? 0) + n / tests);
  sums.delete('info');
  const total = [...sums.values()].reduce((sum, n) => sum + n, 0);
  return { total, counts: Object.fromEntries(sums) };
}
