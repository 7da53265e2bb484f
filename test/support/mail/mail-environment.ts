/**
 * Starts the receiving side of the service on a log in memory, with a simulated inspection, and
 * provides an envelope and emails for it.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createAnalyzer } from '../../../src/actors/analyzer.ts';
import { followTests } from '../../../src/actors/follower/follower.ts';
import { createMailBuffer } from '../../../src/actors/receiver/mail-buffer.ts';
import type { ReceiverSettings } from '../../../src/actors/receiver/ports.ts';
import { createReceiver } from '../../../src/actors/receiver/receiver.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import type { GateFacts } from '../../../src/analysis/gate.ts';
import { judgeGate } from '../../../src/analysis/gate.ts';
import {
  isReportWritten,
  isTestEvent,
  type ReportWritten,
  type TestEvent,
} from '../../../src/domain/events.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import type {
  AnalyzeMail,
  ArrivalTimes,
  MailEnvelope,
  MailToAnalyze,
  ProviderBlock,
} from '../../../src/ports/mail.ts';
import { anEvent } from '../log/events.ts';
import { memoryLog } from '../log/memory-log.ts';
import { T0, TEST_ID } from '../process/instants.ts';
import { keptLogger } from '../process/silent-logger.ts';
import { facts } from './facts.ts';
import { aReport } from './report.ts';

export const MAIL_DOMAIN = 'in.example.net';
export const ADDRESS = `${TEST_ID}@${MAIL_DOMAIN}`;

const KIB = 1024;
const { spf, dkim, dmarc } = facts();

/** An email that passes the gate. */
export const passing: GateFacts = {
  spf,
  dkim,
  dmarc,
  blocklists: [],
  ip: '192.0.2.25',
  headerFromDomain: 'example.com',
  resolverDown: false,
};

/** An email that two of the three rules refuse. */
export const refused: GateFacts = {
  ...passing,
  blocklists: [
    {
      list: 'bl.example.org',
      status: 'listed',
      codes: ['127.0.0.2'],
      removal_url: 'https://bl.example.org/out',
    },
  ],
  spf: facts({ spf: { value: { report: { result: 'fail' } } } }).spf,
  dkim: { status: 'known', value: { signatures: [], total: 0 } },
};

export const anEnvelope = (overrides: Partial<MailEnvelope> = {}): MailEnvelope => ({
  to: { localPart: TEST_ID, domain: MAIL_DOMAIN },
  from: { localPart: 'sender', domain: 'example.com', smtputf8: false },
  client: {
    ip: '192.0.2.25',
    helo: 'mail.example.com',
    source: 'smtp',
    tls: { status: 'tls', version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
  },
  declaredBytes: null,
  source: 'smtp',
  ...overrides,
});

/** Returns what an inbound provider put in front of an email. */
export const aBlock = (overrides: Partial<ProviderBlock> = {}): ProviderBlock => ({
  name: 'cloudflare',
  bytes: 0,
  report: {
    authserv_id: 'mx.cloudflare.net',
    spam_score: null,
    source: 'none',
    block_headers: ['received'],
  },
  sealed: false,
  partialErrors: [],
  ...overrides,
});

interface Options {
  readonly settings?: Partial<ReceiverSettings>;
  readonly mailMemoryBytes?: number;
  readonly caughtUp?: () => boolean;
  readonly makeReport?: (facts: Facts, analyzedAt: string) => Report;
}

/** Starts the receiving side on a log in memory. Only the inspection of an email is simulated. */
export async function mailEnvironment(options: Options = {}) {
  const time = { now: T0 + 60_000 };
  const clock = () => time.now;
  const tests = memoryLog<TestEvent>({ isEvent: isTestEvent, clock });
  const reports = memoryLog<ReportWritten>({ isEvent: isReportWritten, clock });
  const { logger, lines } = keptLogger();
  const follower = followTests({ log: tests, clock, logger });
  await follower.ready;
  const { caughtUp = follower.caughtUp } = options;
  const rows = { ...follower, caughtUp };

  const settings: ReceiverSettings = {
    mailDomain: MAIL_DOMAIN,
    contactEmail: 'help@example.net',
    maxMessageBytes: 512 * KIB,
    maxAnalyses: 100,
    refusalTimeoutSeconds: 900,
    analysisTimeoutSeconds: 60,
    baseUrl: () => 'https://test.example.net',
    ...options.settings,
  };
  const { mailMemoryBytes = 2 * KIB * KIB } = options;
  const { maxMessageBytes } = settings;
  const mailBuffer = createMailBuffer({ mailMemoryBytes, maxMessageBytes });

  /** The results of the inspections, and what happened to each email. */
  const inspection = {
    gate: async (): Promise<GateFacts> => passing,
    facts: async (): Promise<Facts | 'lost'> => facts(),
    begun: [] as Omit<MailToAnalyze, 'bytes' | 'block'>[],
    mails: [] as Uint8Array<ArrayBuffer>[],
    texts: [] as string[],
    blocks: [] as (ProviderBlock | undefined)[],
    arrivals: [] as ArrivalTimes[],
    read: 0,
    ended: 0,
  };
  const makeReport = options.makeReport ?? (() => aReport());
  const analyze: AnalyzeMail = async ({ bytes, block, ...about }) => {
    inspection.begun.push(about);
    inspection.mails.push(bytes);
    inspection.blocks.push(block);
    inspection.texts.push(Buffer.from(bytes).toString('latin1'));
    const gate = await inspection.gate();
    inspection.read++;
    const { headerFromDomain, resolverDown } = gate;
    const reasons = judgeGate(gate);
    return {
      gate: { reasons, headerFromDomain, resolverDown },
      async report(arrival) {
        inspection.arrivals.push(arrival);
        const found = await inspection.facts();
        if (found === 'lost') return 'lost';
        const analyzedAt = new Date(
          Math.max(clock(), Date.parse(arrival.receivedAt)),
        ).toISOString();
        const report = makeReport(found, analyzedAt);
        const json = new TextEncoder().encode(JSON.stringify(report));
        const sha256 = createHash('sha256').update(json).digest('hex');
        return { json, sha256, score: report.score, grade: report.grade, analyzedAt };
      },
      end: () => void inspection.ended++,
    };
  };

  const outcomes: string[] = [];
  const ports = { tests, reports, rows, mailBuffer, clock, logger, analyze, health: tests };
  const common = { ...ports, newId: randomUUID, replica: 'replica-1' };
  const receiver = createReceiver(
    { ...common, mails: { inc: ({ outcome }) => void outcomes.push(outcome) } },
    settings,
  );
  const analyzer = createAnalyzer(common);
  rows.listen(({ recorded }) => {
    receiver.onEvent(recorded);
    analyzer.onEvent(recorded);
  });

  return {
    ...ports,
    time,
    settings,
    inspection,
    outcomes,
    lines,
    receiver,
    analyzer,

    /** Appends after the last event of the test, and waits until the rows have it. */
    async append(...events: readonly TestEvent[]) {
      for (const event of events) {
        const last = (await tests.read(TEST_ID)).at(-1)?.seq ?? 0;
        await tests.append(TEST_ID, event, last);
      }
      await tests.delivered();
    },
    async create() {
      await this.append(anEvent('TestCreated'));
    },
    types: () => tests.all().map(({ event }) => event.type),
    /** Takes one email through the whole process. Returns the reply's name, or null. */
    async send(content: string | AsyncIterable<Uint8Array>, overrides: Partial<MailEnvelope> = {}) {
      const accepted = await receiver.accept(anEnvelope(overrides));
      if ('reply' in accepted) return accepted;
      return accepted.receive(typeof content === 'string' ? chunks(content) : content);
    },
  };
}

export type MailEnvironment = Awaited<ReturnType<typeof mailEnvironment>>;

/** Yields a text in chunks of this many bytes. */
export async function* chunks(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const MAIL = [
  'From: Sender <sender@example.com>',
  `To: <${ADDRESS}>`,
  'Subject: hello',
  '',
  'A body.',
  '',
].join('\r\n');
