import { createHash } from 'node:crypto';
import { claimStore } from '../../../../src/adapters/nats/claims.ts';
import { connectNats } from '../../../../src/adapters/nats/connection.ts';
import { highWater, readEnds } from '../../../../src/adapters/nats/high-water.ts';
import {
  absentViews,
  createMarks,
  createStreams,
  createViews,
} from '../../../../src/adapters/nats/streams.ts';
import type { ChainReader } from '../../../../src/cli/replay/repair-payments.ts';
import {
  findLostLines,
  type OpenSource,
  type RebuildableSource,
} from '../../../../src/cli/replay/source.ts';
import { claimKey } from '../../../../src/domain/payment-terms.ts';
import type { EventLog } from '../../../../src/ports/log.ts';
import { openMarks } from '../../../../src/service/marks.ts';
import { TOKEN, TOKEN_SHA256 } from '../../../api/harness.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../../support/log/events.ts';
import { startHistoryReplica } from '../../../support/log/history-replica.ts';
import type { NatsServer } from '../../../support/log/nats-server.ts';
import { logsOf } from '../../../support/log/nats-test-histories.ts';
import { streamSettings } from '../../../support/log/streams.ts';
import { chainOf } from '../../../support/payments/payment-history.ts';
import { T0 } from '../../../support/process/instants.ts';
import { keptLogger } from '../../../support/process/silent-logger.ts';

/** What a client is answered about one test. */
export interface Answers {
  readonly status: string;
  readonly report: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const idOf = (n: number) =>
  `disk${n
    .toString(8)
    .padStart(8, '0')
    .replace(/\d/g, (digit) => 'abcdefgh'.charAt(Number(digit)))}`;

/** What `replay repair` works on. */
export type StorageSource = RebuildableSource & Pick<OpenSource, 'lostLines'>;

/** A replica as a service starts it: refused where its log lacks what was in it. */
export async function startReplica(
  { url, replicas = 1 }: Pick<NatsServer, 'url'> & { readonly replicas?: number },
  file: string | undefined,
  prepare?: (source: StorageSource) => Promise<unknown>,
) {
  const connection = await connectNats({ url, name: 'storage', replicas });
  try {
    const source = {
      ...logsOf(connection),
      allClaims: claimStore(connection),
      absentViews: () => absentViews(connection),
      createViews: () => createViews(connection),
      lostLines: () => findLostLines(connection),
    };
    if (prepare) {
      await createMarks(connection);
      await highWater(connection, file).reset(await readEnds(connection));
      await createStreams(connection, streamSettings);
      await prepare(source);
    }
    const marks = await openMarks(connection, { file, logger: keptLogger().logger });
    await createStreams(connection, streamSettings);
    const chain = chainOf(
      () => [],
      () => 1,
    );
    const replica = await startHistoryReplica(logsOf(connection), chain);
    await replica.projected();
    return { ...replica, ...source, noteMarks: marks.stop };
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

async function writeTest(logs: StorageReplica, id: string, n: number) {
  const { tests, reports, payments, claims } = logs;
  const beginning = [anEvent('TestCreated', 0, { token_sha256: TOKEN_SHA256 })] as const;
  if (n % 6 === 0) return write(tests, id, beginning);
  if (n % 6 === 1) return write(tests, id, [...beginning, anEvent('MailRefused', 30)]);
  const [{ at, data: creation }] = beginning;
  const { data, ...envelope } = aReportWritten({ test_id: id });
  const report = { ...envelope, data: { ...data, created: { at, ...creation } } };
  const written = await reports.append(id, report, 0);
  if (written.outcome !== 'appended') throw new Error(written.outcome);
  const report_sha256 = sha256(JSON.stringify(report.data.report));
  const done = anEvent('AnalysisDone', 61, { report_seq: written.seq, report_sha256 });
  await write(tests, id, [...beginning, anEvent('MailArrived', 60), done]);
  if (n % 3 === 0) return;
  const { started, settled } = paymentOf(n);
  await write(payments, id, [started, settled]);
  await claims.claim(started.data.claim, { id, at: started.at, by: 'replica-1', from_block: 100 });
}

/** Each has an authorization and a transaction of its own. */
function paymentOf(n: number) {
  const nonce = `0x${sha256(`nonce ${n}`)}`;
  const { payload, requirements } = aPaymentEvent('SettlementStarted').data;
  const authorization = { ...payload.authorization, nonce };
  const claim = claimKey(requirements, authorization);
  const started = aPaymentEvent('SettlementStarted', 64, {
    claim,
    payload: { ...payload, authorization },
  });
  const { receipt } = aPaymentEvent('PaymentSettled').data;
  const settled = aPaymentEvent('PaymentSettled', 65, {
    receipt: {
      ...{ ...receipt, transaction: `0x${sha256(`tx ${n}`)}` },
      payer: authorization.from,
    },
  });
  return { started, settled };
}

/** The chain on which all of them have arrived. */
export const chain: ChainReader = {
  outcome: () => async (payment) => {
    const { receipt } = settledBy(payment.authorization.nonce);
    return { state: 'settled', receipt, block: 101 };
  },
  find: async (_, { from, nonce }) => ({
    ...{ from, to: `0x${'4'.repeat(40)}`, value: '50000', block: 101, time: T0 / 1000 + 65 },
    transaction: settledBy(nonce).receipt.transaction,
  }),
  isPrice: () => true,
};

function settledBy(nonce: string) {
  for (let n = 0; n < 1000; n++) {
    const { started, settled } = paymentOf(n);
    if (started.data.payload.authorization.nonce === nonce) return settled.data;
  }
  throw new Error('There is no such payment.');
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
