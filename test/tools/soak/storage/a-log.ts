import { connectNats } from '../../../../src/adapters/nats/connection.ts';
import { createStreams } from '../../../../src/adapters/nats/streams.ts';
import type { EventLog } from '../../../../src/ports/log.ts';
import { openMarks } from '../../../../src/service/marks.ts';
import { TOKEN, TOKEN_SHA256 } from '../../../api/harness.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../../support/log/events.ts';
import { startHistoryReplica } from '../../../support/log/history-replica.ts';
import type { NatsServer } from '../../../support/log/nats-server.ts';
import { logsOf } from '../../../support/log/nats-test-histories.ts';
import { streamSettings } from '../../../support/log/streams.ts';
import { chainOf } from '../../../support/payments/payment-history.ts';
import { keptLogger } from '../../../support/process/silent-logger.ts';

/** What a client is answered about one test. */
export interface Answers {
  readonly status: string;
  readonly report: string;
}

const idOf = (n: number) =>
  `disk${n
    .toString(8)
    .padStart(8, '0')
    .replace(/\d/g, (digit) => 'abcdefgh'.charAt(Number(digit)))}`;

/** A replica as a service starts it: refused where its log lacks what was in it. */
export async function startReplica({ url }: NatsServer, file: string) {
  const connection = await connectNats({ url, name: 'storage' });
  try {
    const marks = await openMarks(connection, { file, logger: keptLogger().logger });
    await createStreams(connection, streamSettings);
    const chain = chainOf(
      () => [],
      () => 1,
    );
    const replica = await startHistoryReplica(logsOf(connection), chain);
    await replica.projected();
    return { ...replica, ...logsOf(connection), noteMarks: marks.stop };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export type StorageReplica = Awaited<ReturnType<typeof startReplica>>;

/** Tests as they may stand: created, refused, analysed, and each third of those paid for. */
export async function writeTests(logs: StorageReplica, from: number, count: number) {
  for (let n = from; n < from + count; n++) await writeTest(logs, idOf(n), n);
}

async function writeTest({ tests, reports, payments }: StorageReplica, id: string, n: number) {
  const beginning = [anEvent('TestCreated', 0, { token_sha256: TOKEN_SHA256 })];
  if (n % 6 === 0) return write(tests, id, beginning);
  if (n % 6 === 1) return write(tests, id, [...beginning, anEvent('MailRefused', 30)]);
  const written = await reports.append(id, aReportWritten(), 0);
  if (written.outcome !== 'appended') throw new Error(written.outcome);
  const done = anEvent('AnalysisDone', 61, { report_seq: written.seq });
  await write(tests, id, [...beginning, anEvent('MailArrived', 60), done]);
  if (n % 3 === 0) return;
  await write(payments, id, [
    aPaymentEvent('SettlementStarted', 64),
    aPaymentEvent('PaymentSettled', 65),
  ]);
}

async function write<E extends { readonly at: string }>(
  log: EventLog<E>,
  id: string,
  events: readonly E[],
): Promise<void> {
  let seq = 0;
  for (const event of events) {
    const appended = await log.append(id, event, seq);
    if (appended.outcome !== 'appended') throw new Error(appended.outcome);
    seq = appended.seq;
  }
}

/** What every test answers: status, and report with its receipt. */
export async function askAll({ ask }: StorageReplica, count: number) {
  const answers = new Map<string, Answers>();
  for (let n = 0; n < count; n++) {
    const id = idOf(n);
    const status = await ask(`/v1/tests/${id}/status`);
    const report = await ask(`/v1/report?test_id=${id}`, { 'x-read-token': TOKEN });
    answers.set(id, { status: await textOf(status), report: await textOf(report) });
  }
  return answers;
}

async function textOf(response: Response): Promise<string> {
  const body = await response.text();
  // The terms of a payment are counted from the moment of the question.
  if (response.status === 402) return '402';
  if (response.status >= 400) return `${response.status} ${JSON.parse(body).code}`;
  return `${response.status} ${response.headers.get('payment-response') ?? ''} ${body}`;
}
