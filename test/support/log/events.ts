/** Builds events for tests, with defaults for their data. */

import { randomUUID } from 'node:crypto';
import {
  isReportWritten,
  isTestEvent,
  type OriginalTestEvent,
  type ReportWritten,
  type TestEventOf,
} from '../../../src/domain/events.ts';
import {
  isPaymentEvent,
  type OriginalPaymentEvent,
  type PaymentEventOf,
} from '../../../src/domain/payment-events.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { aReport } from '../mail/report.ts';
import { instant } from '../process/instants.ts';

/** The defaults of each event's data. Instants are those of a test created at `T0`. */
const data: {
  [Name in OriginalTestEvent['type']]: (seconds: number) => TestEventOf<Name>['data'];
} = {
  TestCreated: (seconds) => ({
    token_sha256: 'a'.repeat(64),
    send_before: instant(seconds + 3600),
    expires_at: instant(seconds + 86_400),
  }),
  MailArrived: () => ({
    attempt: 1,
    size_bytes: 1200,
    digest: 'd'.repeat(64),
    source: 'smtp',
    ip: '192.0.2.25',
    helo: 'mail.sender.example',
    tls: 'tls',
    envelope_domain: 'sender.example',
    header_from_domain: 'sender.example',
  }),
  MailRefused: () => ({
    reasons: [
      {
        code: 'spf_and_dkim_failed',
        detail: 'SPF and DKIM both failed.',
        evidence: { spf_result: 'fail', spf_domain: 'sender.example', dkim: [] },
      },
    ],
  }),
  AnalysisDone: () => ({
    attempt: 1,
    report_seq: 1,
    report_sha256: 'b'.repeat(64),
    score: 97,
    grade: 'A',
    duration_ms: 800,
  }),
  AnalysisFailed: () => ({ attempt: 1, reason: 'worker_lost' }),
  AnalysisTimeout: (seconds) => ({ attempt: 1, fired_at: instant(seconds) }),
  RefusalTimeout: (seconds) => ({ fired_at: instant(seconds) }),
  WindowClosed: (seconds) => ({ fired_at: instant(seconds) }),
  Expired: (seconds) => ({ fired_at: instant(seconds) }),
  TestDeleted: () => ({}),
};

const envelope = (seconds: number) => ({
  v: 1 as const,
  id: randomUUID(),
  at: instant(seconds),
  by: 'replica-1',
});

/** Returns an event this many seconds after `T0`, with a new id. `overrides` replaces parts of its data. */
export function anEvent<Name extends OriginalTestEvent['type']>(
  type: Name,
  seconds = 0,
  overrides: Partial<TestEventOf<Name>['data']> = {},
): TestEventOf<Name> {
  const event: unknown = {
    ...envelope(seconds),
    type,
    data: { ...data[type](seconds), ...overrides },
  };
  if (!isTestEvent(event)) throw new Error(`The fixture is no ${type}.`);
  return event as TestEventOf<Name>;
}

/** Returns a written report, this many seconds after `T0`. */
export function aReportWritten(overrides: Partial<Report> = {}, seconds = 61): ReportWritten {
  const event: unknown = {
    ...envelope(seconds),
    type: 'ReportWritten',
    data: { report: aReport(overrides) },
  };
  if (!isReportWritten(event)) throw new Error('The fixture is no ReportWritten.');
  return event;
}

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const address = (digit: string) => `0x${digit.repeat(40)}`;

const started: PaymentEventOf<'SettlementStarted'>['data'] = {
  attempt: 1,
  mode: 'self',
  claim: `eip155.8453.${address('1')}.${address('2')}.${hash('3')}`,
  requirements: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '50000',
    asset: address('1'),
    payTo: address('4'),
    maxTimeoutSeconds: 120,
  },
  payload: {
    signature: '0x1234',
    authorization: {
      from: address('2'),
      to: address('4'),
      value: '50000',
      validAfter: '0',
      validBefore: '1795168920',
      nonce: hash('3'),
    },
  },
  from_block: 100,
  report_expires_at: instant(86_460),
};

const receipt = { success: true, transaction: hash('5'), network: 'eip155:8453' };

const paymentData: {
  [Name in OriginalPaymentEvent['type']]: PaymentEventOf<Name>['data'];
} = {
  SettlementStarted: started,
  TransactionSigned: {
    attempt: 1,
    transaction: hash('5'),
    raw: '0x02f8',
    wallet: address('6'),
    wallet_nonce: 7,
    gas: '90000',
    max_fee_per_gas: '1000000',
    max_priority_fee_per_gas: '1000',
  },
  PaymentSettled: {
    attempt: 1,
    receipt,
    block: 101,
    found_by: 'settle',
    late: false,
  },
  SettlementFailed: { attempt: 1, reason: 'expired', error: 'authorization_expired' },
  PaymentClosed: { attempt: 1, settled: { started, receipt, block: 101, late: false } },
};

/** Returns an event of a payment, this many seconds after `T0`. */
export function aPaymentEvent<Name extends OriginalPaymentEvent['type']>(
  type: Name,
  seconds = 0,
  overrides: Partial<PaymentEventOf<Name>['data']> = {},
): PaymentEventOf<Name> {
  const event: unknown = {
    ...envelope(seconds),
    type,
    data: { ...paymentData[type], ...overrides },
  };
  if (!isPaymentEvent(event)) throw new Error(`The fixture is no ${type}.`);
  return event as PaymentEventOf<Name>;
}
