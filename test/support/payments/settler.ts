/**
 * Creates a settler on a log in memory, with a scripted chain and settlement, and the rows and payments for
 * its tests.
 */

import { randomBytes } from 'node:crypto';
import { paymentLedger } from '../../../src/actors/settler/ledger.ts';
import { createSettler } from '../../../src/actors/settler/settler.ts';
import { TIMEOUTS, type Timeouts } from '../../../src/actors/settler/timeouts.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { isPaymentEvent, type PaymentEvent } from '../../../src/domain/payment-events.ts';
import { encodeHeader } from '../../../src/domain/x402-headers.ts';
import type {
  ChainOutcome,
  PayerVerdict,
  SettlementJob,
  SettlementOutcome,
  SignedPayment,
} from '../../../src/ports/payment.ts';
import { fold } from '../../../src/projection/fold.ts';
import { type Row, toRow } from '../../../src/projection/row.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { anEvent } from '../log/events.ts';
import { memoryClaims } from '../log/memory-kv.ts';
import { memoryLog } from '../log/memory-log.ts';
import { aReport } from '../mail/report.ts';
import { T0, TEST_ID } from '../process/instants.ts';
import { keptLogger } from '../process/silent-logger.ts';

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}` as const;

export const SETTINGS = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  amount: '50000',
  payTo: `0x${'4'.repeat(40)}`,
};

/** Returns a row in `ready`, whose email arrived a minute after `T0`. */
export function readyRow(testId = TEST_ID): Row {
  const events = [
    anEvent('TestCreated'),
    anEvent('MailArrived', 60),
    anEvent('AnalysisDone', 61, { report_seq: 5 }),
  ];
  const row = toRow(fold(events), 9);
  if (!row) throw new Error(`The fixture ${testId} has no row.`);
  return row;
}

/** Returns a payment as a client signs it. Only the script judges the signature. */
export function aPayment(
  options: {
    accepted?: object;
    authorization?: object;
    version?: number;
    signature?: `0x${string}`;
  } = {},
) {
  const content = {
    x402Version: options.version ?? 2,
    accepted: {
      scheme: 'exact',
      network: SETTINGS.network,
      amount: SETTINGS.amount,
      asset: SETTINGS.asset,
      payTo: SETTINGS.payTo,
      maxTimeoutSeconds: 120,
      ...options.accepted,
    },
    payload: {
      signature: options.signature ?? hex(65),
      authorization: {
        from: hex(20),
        to: SETTINGS.payTo,
        value: SETTINGS.amount,
        validAfter: '0',
        validBefore: `${Math.floor(T0 / 1000) + 60 + 240}`,
        nonce: hex(32),
        ...options.authorization,
      },
    },
  };
  return encodeHeader(content);
}

export const receipt = { success: true, transaction: hex(32), network: SETTINGS.network };

/**
 * Creates a settler over the log in memory, with a settlement and a chain that follow a script and count
 * their calls.
 */
export function aSettler(options: Partial<Timeouts> = {}) {
  let now = T0 + 120_000;
  const payments = memoryLog<PaymentEvent>({ isEvent: isPaymentEvent, clock: () => now });
  const claims = memoryClaims();
  const asked: string[] = [];
  const script = {
    ready: async () => {},
    signature: async (payment: SignedPayment): Promise<PayerVerdict> => ({ ok: true, payment }),
    /** The outcome of a payment that was claimed before, or is shown for the first time. */
    ended: async (_isClaimed: boolean): Promise<'settled' | 'spent' | undefined> => undefined,
    settle: async (_job: SettlementJob): Promise<SettlementOutcome> => ({
      kind: 'settled',
      receipt,
    }),
    chain: async (): Promise<ChainOutcome> => ({ state: 'open' }),
    confirm: async (): Promise<number | undefined> => 7,
    balance: 1_000_000n,
    isSignedByKey: true,
    /** Address of the clients. */
    ip: '192.0.2.1',
    head: () => 100,
    load: async () => aReport(),
    isThere: async (): Promise<boolean> => true,
    mode: 'self' as 'self' | 'facilitator',
    canSell: true,
  };
  const clock = () => now;
  let ids = 0;
  const newId = () => `event-${++ids}`;
  const { logger, lines } = keptLogger();
  const counted = <A extends unknown[], R>(name: string, work: (...args: A) => R) => {
    return (...args: A) => {
      asked.push(name);
      return work(...args);
    };
  };
  const settlement = {
    get mode() {
      return script.mode;
    },
    ready: counted('ready', () => script.ready()),
    settle: counted('settle', (job: SettlementJob) => script.settle(job)),
  };

  /** Creates a settler for one replica. All share the log, the claims and the settlement. */
  const replica = (name: string) =>
    createSettler({
      ledger: paymentLedger({ payments, clock, newId, replica: name }),
      settlement,
      chain: {
        head: async () => script.head(),
        spell: (payment) => payment,
        isSignedByKey: async () => script.isSignedByKey,
        checkSignature: counted('signature', (payment: SignedPayment) => script.signature(payment)),
        ended: counted('ended', (_: SignedPayment, since?: number) =>
          script.ended(since !== undefined),
        ),
        outcome: counted('chain', () => script.chain()),
        balance: counted('balance', async () => script.balance),
        confirm: counted('confirm', () => script.confirm()),
      },
      claims: {
        owner: (key) => claims.owner(key),
        claim: counted('claim', (...claim: Parameters<typeof claims.claim>) =>
          claims.claim(...claim),
        ),
      },
      clock,
      replica: name,
      logger,
      metrics: createMetrics(),
      // The clock is moved by hand and does not wait, so nobody waits for another replica here.
      timeouts: { ...TIMEOUTS, join: 0, ...options },
      unresolved: () => [],
      canSell: () => script.canSell,
      terms: { settings: SETTINGS, baseUrl: () => 'https://api.example' },
      loadReport: counted('load', () => script.load()),
      isThere: () => script.isThere(),
      sampleReport: () => aReport(),
    });

  const settler = replica('replica-1');
  const read = (paymentHeader?: string, testId = TEST_ID, by = settler, mayWait = () => false) =>
    by.read({ testId, row: readyRow(testId), ip: script.ip, paymentHeader, mayWait });

  return {
    /** Lines of the log. */
    lines,
    payments,
    claims,
    script,
    asked,
    settler,
    replica,
    read,
    count: (name: string) => asked.filter((one) => one === name).length,
    types: () => payments.all().map(({ event }) => event.type),
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    to: (seconds: number) => {
      now = T0 + seconds * 1000;
    },
  };
}

/** Returns the code of the error with which a read ends, and its headers. */
export async function refusal(read: Promise<unknown>) {
  const error = await read.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError))
    throw new Error('The read was not refused.', { cause: error });
  const { headers = {}, members = {} } = error.options;
  return { code: error.code, headers: Object.keys(headers).sort(), error: members.error };
}
