import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectNats } from '../../src/adapters/nats/connection.ts';
import { openLogs } from '../../src/adapters/nats/logs.ts';
import { FIXED } from '../../src/config/fixed.ts';
import { demoMail, sendMail } from '../environment/mail.ts';
import { SENDER } from '../environment/sender.ts';
import { startService } from '../environment/service-process.ts';
import { type NatsGate, startNatsGate } from '../support/log/nats-gate.ts';
import { type NatsServer, startNats } from '../support/log/nats-server.ts';
import { smtpClient } from '../support/mail/smtp-client.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

/** From an arrival to the next attempt, in seconds: what a killed analysis costs here. */
const ANALYSIS_SECONDS = 3;
const fixed = { durations: { ...FIXED.durations, analysisTimeoutSeconds: ANALYSIS_SECONDS } };

let nats: NatsServer;
let gate: NatsGate;
let stack: Stack;
beforeAll(async () => {
  nats = await startNats();
  gate = await startNatsGate(Number(new URL(nats.url).port));
  stack = await startStack({ NATS_URL: gate.url }, { fixed });
});
afterAll(async () => {
  await stack?.stop();
  await gate?.end();
  await nats?.end();
});
afterEach(() => {
  gate.open();
  stack.environment.dns?.setFault(KEY_NAME, null);
  stack.environment.dns?.setFault(LATE_NAME, null);
});

/** What the gate asks, and what only the analysis asks. */
const KEY_NAME = `${SENDER.selector}._domainkey.${SENDER.domain}`;
const LATE_NAME = `_mta-sts.${SENDER.domain}`;

/** The mail as an MTA keeps it in its queue: the same bytes at every attempt. */
async function compose(to: string) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail(demoMail(to, stack.environment.key));
  return { envelope: { from: `orders@${SENDER.domain}`, to }, raw: message as Buffer };
}

type Mail = Awaited<ReturnType<typeof compose>>;

const attempt = (mail: Mail, via = stack.smtp()) =>
  sendMail(mail, { ...via, client: stack.environment.client });

/** As a queue does it: again after each failure but a final one; gives the 250. */
const deliver = (mail: Mail, via?: ReturnType<Stack['smtp']>) =>
  until(() =>
    attempt(mail, via).catch((error: Error & { responseCode?: number }) => {
      if ((error.responseCode ?? 0) >= 500) return error.message;
      throw error;
    }),
  );

async function events({ test_id }: CreatedTest): Promise<readonly string[]> {
  const connection = await connectNats({ url: nats.url, name: 'the test' });
  try {
    return (await openLogs(connection).tests.read(test_id)).map(({ event }) => event.type);
  } finally {
    await connection.close();
  }
}

/** A session by hand up to a command, as the sender's own host. */
async function upTo(command: 'RCPT' | 'DATA', to: string) {
  const client = await smtpClient(stack.smtp().port);
  const { ip, host, domain } = SENDER;
  await client.sendAll(
    `EHLO ${host}`,
    `XCLIENT ADDR=${ip} NAME=${host} HELO=${host}`,
    `EHLO ${host}`,
    `MAIL FROM:<orders@${domain}>`,
  );
  expect(await client.send(`RCPT TO:<${to}>`)).toMatch(/^250/);
  if (command === 'DATA') expect(await client.send('DATA')).toMatch(/^354/);
  return client;
}

const questions = (name: string) =>
  stack.environment.dns?.queries.filter((query) => query.name === name).length ?? 0;

/** Begins an attempt that does not end by itself, and resolves when it has come to its point. */
type Beginning = (mail: Mail, created: CreatedTest) => Promise<unknown>;

const stoppedAt =
  (type: string, when: 'before' | 'after'): Beginning =>
  async (mail) => {
    const stopped = gate.stopAt(type, when);
    attempt(mail).catch(() => {});
    await stopped;
  };

/** With the arrivals that are in the log at the end: the point was the right one. */
const points: Record<string, readonly [Beginning, number]> = {
  'after RCPT': [(mail) => upTo('RCPT', mail.envelope.to), 1],
  'in the middle of the data': [
    async (mail) => {
      const client = await upTo('DATA', mail.envelope.to);
      client.write(mail.raw.subarray(0, 1000));
    },
    1,
  ],
  'in the gate': [
    async (mail) => {
      const before = questions(KEY_NAME);
      stack.environment.dns?.setFault(KEY_NAME, 'TIMEOUT');
      attempt(mail).catch(() => {});
      await until(async () => questions(KEY_NAME) > before);
    },
    1,
  ],
  'before MailArrived is stored': [stoppedAt('MailArrived', 'before'), 1],
  'when MailArrived is stored and nobody knows': [stoppedAt('MailArrived', 'after'), 2],
  'in the analysis': [
    async (mail, created) => {
      stack.environment.dns?.setFault(LATE_NAME, 'TIMEOUT');
      attempt(mail).catch(() => {});
      await until(async () => (await stack.status(created)).status === 'processing');
    },
    2,
  ],
  'before ReportWritten is stored': [stoppedAt('ReportWritten', 'before'), 2],
  'when ReportWritten is stored and nobody knows': [stoppedAt('ReportWritten', 'after'), 2],
  'before AnalysisDone is stored': [stoppedAt('AnalysisDone', 'before'), 2],
  'when AnalysisDone is stored, before the 250': [stoppedAt('AnalysisDone', 'after'), 1],
};

test.each(Object.entries(points))(
  'kill -9 %s: sending again gives one 250 and one report',
  async (_, [begin, arrivals]) => {
    const created = await stack.create();
    const mail = await compose(created.address);
    await begin(mail, created);
    const killed = stack.kill();
    gate.open();
    await killed;
    stack.environment.dns?.setFault(KEY_NAME, null);
    stack.environment.dns?.setFault(LATE_NAME, null);

    expect(await deliver(mail)).toMatch(/^250 2\.0\.0/);
    expect(await stack.status(created)).toMatchObject({ status: 'ready' });
    const types = await events(created);
    expect(types.filter((type) => type === 'AnalysisDone')).toHaveLength(1);
    expect(types.filter((type) => type === 'MailArrived')).toHaveLength(arrivals);
    expect(types.filter((type) => /Failed|Refused/.test(type))).toEqual([]);
    // A used address: the very same mail is recognised, another is not taken.
    expect(await attempt(mail)).toMatch(/^250 2\.0\.0 This mail was analysed before/);
    expect(await events(created)).toEqual(types);
  },
);

test('two copies at once on two replicas: one report, and both senders end with 250', async () => {
  const env = { ...stack.environment.env, NATS_URL: nats.url, REPLICA_ID: 'replica-2' };
  const second = await startService({ env, fixed, onLog: () => {} });
  try {
    const [host = '', port = ''] = second.listening().smtp.split(/:(?=\d+$)/);
    for (let round = 0; round < 5; round++) {
      const created = await stack.create();
      const mail = await compose(created.address);
      const replies = await Promise.all([
        deliver(mail),
        deliver(mail, { host, port: Number(port) }),
      ]);
      expect(replies.map((reply) => reply.slice(0, 9))).toEqual(['250 2.0.0', '250 2.0.0']);
      expect(await events(created)).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
    }
  } finally {
    await second.stop();
  }
});
