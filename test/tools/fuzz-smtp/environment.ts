import { randomUUID } from 'node:crypto';
import { createAnalyzer } from '../../../src/actors/analyzer.ts';
import { followTests } from '../../../src/actors/follower/follower.ts';
import { createMailBuffer } from '../../../src/actors/receiver/mail-buffer.ts';
import { createReceiver } from '../../../src/actors/receiver/receiver.ts';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';
import { startSmtp } from '../../../src/adapters/smtp/server.ts';
import type { ReportWritten, TestEvent } from '../../../src/domain/events.ts';
import { createAnalyzeMail } from '../../../src/inspection/analyze-mail.ts';
import type { Receiver } from '../../../src/ports/mail.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { playInspections } from './played-inspection.ts';
import { createShortLog } from './short-log.ts';

const KIB = 1024;
const MAX_MESSAGE_BYTES = 64 * KIB;
const HOUR_MS = 3_600_000;

const TEST_ID = 'fuzzedbysmtp';
const MAIL_DOMAIN = 'in.example.net';
export const ADDRESS = `${TEST_ID}@${MAIL_DOMAIN}`;

const clock = Date.now;
const logger = createLogger('silent');

/** A test's whole life in memory: what its mails left behind can be looked at. */
async function newLife() {
  const tests = createShortLog<TestEvent>(clock);
  const reports = createShortLog<ReportWritten>(clock);
  const follower = followTests({ log: tests, clock, logger });
  const mailBuffer = createMailBuffer({
    mailMemoryBytes: 8 * KIB * KIB,
    maxMessageBytes: MAX_MESSAGE_BYTES,
  });
  const { inspect, counts } = playInspections();
  const analyze = createAnalyzeMail({
    inspect,
    clock,
  });
  const common = { tests, mailBuffer, clock, logger, newId: randomUUID, replica: 'fuzz' };
  const receiver = createReceiver(
    { ...common, rows: follower, health: tests, analyze, mails: { inc: () => {} } },
    {
      mailDomain: MAIL_DOMAIN,
      contactEmail: 'help@example.net',
      maxMessageBytes: MAX_MESSAGE_BYTES,
      maxAnalyses: 1000,
      refusalTimeoutSeconds: 900,
      analysisTimeoutSeconds: 60,
      baseUrl: () => 'https://test.example.net',
    },
  );
  const analyzer = createAnalyzer({ ...common, reports });
  follower.listen(({ recorded }) => {
    receiver.onEvent(recorded);
    analyzer.onEvent(recorded);
  });
  await follower.ready;
  await tests.append(TEST_ID, testCreated(), 0);
  return { receiver, mailBuffer, counts, types: () => tests.all().map(({ event }) => event.type) };
}

function testCreated(): TestEvent {
  const now = clock();
  return {
    v: 1,
    id: randomUUID(),
    type: 'TestCreated',
    at: new Date(now).toISOString(),
    by: 'fuzz',
    data: {
      token_sha256: 'a'.repeat(64),
      send_before: new Date(now + HOUR_MS).toISOString(),
      expires_at: new Date(now + 24 * HOUR_MS).toISOString(),
    },
  };
}

/** A server that listens, with a fresh test behind it whenever one is asked for. */
export async function startFuzzServer() {
  const metrics = createMetrics();
  let life = await newLife();
  const pair = await selfSigned(MAIL_DOMAIN, clock());
  const receiver: Receiver = { accept: (envelope) => life.receiver.accept(envelope) };
  const server = await startSmtp(
    { receiver, clock, logger, metrics },
    {
      host: '127.0.0.1',
      port: 0,
      hostname: MAIL_DOMAIN,
      certificate: pair.cert,
      privateKey: pair.key,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      maxClients: 1000,
      xclientFrom: ['127.0.0.0/8'],
      limits: { sweepMs: 50 },
    },
  );
  return {
    port: server.port,
    life: () => life,
    async renew() {
      life = await newLife();
    },
    stop: () => server.stop(),
  };
}

export type FuzzServer = Awaited<ReturnType<typeof startFuzzServer>>;
