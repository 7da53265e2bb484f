/** Writes a test straight into the log, in a given state up to a report that can be bought. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sampleReport } from '../../../src/analysis/sample.ts';
import type { ReportWritten, TestEvent, TestEventOf } from '../../../src/domain/events.ts';
import { toTestId } from '../../../src/domain/ids.ts';
import type { EventLog } from '../../../src/ports/log.ts';

interface Logs {
  readonly tests: EventLog<TestEvent>;
  readonly reports: EventLog<ReportWritten>;
}

/** The id and the token of a test. Anyone who has both may read the report, for money. */
export interface ReadyTest {
  readonly test_id: string;
  readonly read_token: string;
}

interface Options {
  /** Time at which the email of the test arrived, in milliseconds since 1970. Default: now. */
  readonly arrivedAt?: number;
  /** From the email to the deletion, in seconds. */
  readonly retentionSeconds?: number;
  /** The state that it has reached. */
  readonly state?: 'waiting' | 'processing' | 'ready' | 'ready without a report';
}

/** Writes the history of a test up to its report straight into the log, so no email is needed. */
export async function writeReadyTest(logs: Logs, options: Options = {}): Promise<ReadyTest> {
  const { retentionSeconds = 86_400, arrivedAt = Date.now(), state = 'ready' } = options;
  const test_id = newId();
  const read_token = randomBytes(32).toString('base64url');
  const createdAt = arrivedAt - 1000;
  const at = (time: number) => new Date(time).toISOString();
  let seq = 0;

  async function add<Name extends TestEvent['type']>(
    type: Name,
    time: number,
    data: TestEventOf<Name>['data'],
  ) {
    const event = { v: 1, id: randomUUID(), type, at: at(time), by: 'fixture', data };
    const appended = await logs.tests.append(test_id, event as unknown as TestEvent, seq);
    if (appended.outcome !== 'appended') throw new Error(`The test is not there: ${type}.`);
    seq = appended.seq;
  }

  await add('TestCreated', createdAt, {
    token_sha256: createHash('sha256').update(read_token).digest('hex'),
    send_before: at(createdAt + 3_600_000),
    expires_at: at(createdAt + retentionSeconds * 1000),
  });
  if (state === 'waiting') return { test_id, read_token };
  await add('MailArrived', arrivedAt, {
    attempt: 1,
    size_bytes: 1200,
    digest: createHash('sha256').update(test_id).digest('hex'),
    source: 'smtp',
    ip: '192.0.2.25',
    helo: 'mail.sender.example',
    tls: 'tls',
    envelope_domain: 'sender.example',
    header_from_domain: 'sender.example',
  });
  if (state === 'processing') return { test_id, read_token };

  const report = { ...sampleReport, test_id, received_at: at(arrivedAt) };
  const data = { report };
  const id = randomUUID();
  const written = await logs.reports.append(
    test_id,
    { v: 1, id, type: 'ReportWritten', at: at(arrivedAt), by: 'fixture', data },
    0,
  );
  if (written.outcome !== 'appended') throw new Error('The report is not there.');
  await add('AnalysisDone', arrivedAt, {
    attempt: 1,
    report_seq: state === 'ready' ? written.seq : written.seq + 1_000_000,
    report_sha256: createHash('sha256').update(JSON.stringify(report)).digest('hex'),
    score: report.score,
    grade: report.grade,
    duration_ms: 1,
  });
  return { test_id, read_token };
}

function newId(): string {
  const id = toTestId(randomBytes(8));
  return id ?? newId();
}
