/** Runs the HTTP API over a log in memory, and builds the events of its tests. */

import { Writable } from 'node:stream';
import { sampleReport } from '../../src/analysis/sample.ts';
import { buildApp } from '../../src/api/app.ts';
import type { ApiOptions, ApiSettings, RateLimits } from '../../src/api/options.ts';
import { ServiceError, testDamaged } from '../../src/domain/errors.ts';
import { isTestEvent, type TestEvent } from '../../src/domain/events.ts';
import type { PaidReport, ReportRequest } from '../../src/ports/payment.ts';
import { expiry } from '../../src/projection/deadlines.ts';
import { fold } from '../../src/projection/fold.ts';
import { type Row, toRow } from '../../src/projection/row.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { anEvent } from '../support/log/events.ts';
import { memoryLog } from '../support/log/memory-log.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';

/** The token of the fixture test, and its SHA-256. */
export const TOKEN = 'dG9rZW4tb2YtdGhlLWZpeHR1cmUtdGVzdC0yNTZiaXQ';
export const TOKEN_SHA256 = '37cdccff6d1587f98a883e55f5bd58b896214d763371b884250d9d108992421a';

export const BASE_URL = 'https://mailtest.example';

const OFF: RateLimits = { create: 0, wrongToken: 0, unknownId: 0, default: 0 };

/** The payment settings, as in production. */
export const payment = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  amount: '50000',
  payTo: `0x${'4'.repeat(40)}`,
};

export const settings = (overrides: Partial<ApiSettings> = {}): ApiSettings => ({
  baseUrl: () => BASE_URL,
  mailDomain: 'in.mailtest.example',
  replicaId: 'replica-1',
  contactEmail: 'operator@mailtest.example',
  sendCommand: null,
  trustProxy: [],
  rateLimits: OFF,
  durations: {
    receiveWindowSeconds: 3600,
    retentionSeconds: 86_400,
    refusalTimeoutSeconds: 900,
    analysisTimeoutSeconds: 60,
  },
  payment,
  ...overrides,
});

/** Returns a logger whose lines are kept, to check what must not be in them. */
function captured() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, logger: createLogger('trace', destination) };
}

interface Overrides {
  readonly settings?: Partial<ApiSettings>;
  readonly options?: Partial<ApiOptions>;
}

/**
 * Creates the API over a log in memory. This replica does not know the tests in `behind`, does not know the
 * last event of those in `late`, and treats those in `damaged` as frozen.
 */
export async function anApi({ settings: overrides, options }: Overrides = {}) {
  const log = memoryLog<TestEvent>({ isEvent: isTestEvent });
  const { lines, logger } = captured();
  const clock = { now: T0 + 61_000 };
  const asked: ReportRequest[] = [];
  const paid: { answer?: PaidReport | Error; settling?: boolean } = {};
  const behind = new Set<string>();
  const late = new Set<string>();
  const damaged = new Set<string>();
  const leaderReads: string[] = [];
  const follower = { isBehind: false };

  function row(id: string, missing = 0): Row | undefined {
    if (damaged.has(id)) throw testDamaged();
    const all = log.all().filter((one) => one.id === id);
    const recorded = all.slice(0, all.length - missing);
    const found = toRow(fold(recorded.map(({ event }) => event)), recorded.at(-1)?.seq ?? 0);
    return found && expiry(found) > clock.now ? found : undefined;
  }
  const refresh = async (id: string) => {
    leaderReads.push(id);
    if (!log.connected()) throw new ServiceError('log_unavailable');
    return row(id);
  };
  const peek = (id: string) => (behind.has(id) ? undefined : row(id, late.has(id) ? 1 : 0));

  const listeners: ((id: string) => void)[] = [];

  const app = await buildApp({
    settings: settings(overrides),
    tests: log,
    rows: {
      peek,
      has: (id) => !damaged.has(id) && peek(id) !== undefined,
      onRow: (listener) => void listeners.push(listener),
      refresh,
      find: async (id) => peek(id) ?? refresh(id),
      isBehind: () => follower.isBehind,
    },
    onChange: (listener) =>
      void log.follow({ onEvent: ({ id, seq }) => listener(id, seq), onPoison: () => {} }),
    settler: {
      async read(request) {
        asked.push(request);
        if (paid.answer instanceof Error) throw paid.answer;
        if (!paid.answer) throw new ServiceError('payment_required');
        return paid.answer;
      },
      isSettling: async () => paid.settling ?? false,
    },
    sampleReport,
    creation: { admit: () => null, room: () => 0.5 },
    readiness: () => ({ log: log.connected() }),
    clock: () => clock.now,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    logger,
    ...options,
  });
  // Nothing is remembered from an earlier response, whatever a test has changed since.
  app.server.prependListener('request', () => {
    for (const listener of listeners) for (const { id } of log.all()) listener(id);
  });
  return { app, log, clock, asked, paid, behind, late, damaged, follower, leaderReads, lines };
}

export type Api = Awaited<ReturnType<typeof anApi>>;

/** Appends events to the log of one test, in the given order. */
export async function given({ log }: Pick<Api, 'log'>, ...events: readonly TestEvent[]) {
  for (const event of events) {
    const last = log.all().findLast(({ id }) => id === TEST_ID);
    await log.append(TEST_ID, event, last?.seq ?? 0);
  }
}

export const created = () => anEvent('TestCreated', 0, { token_sha256: TOKEN_SHA256 });
export const arrived = () => anEvent('MailArrived', 60);
export const analysed = () => anEvent('AnalysisDone', 61);

/** Returns the events of a test whose report exists. */
export const ready = () => [created(), arrived(), analysed()] as const;
