import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { replies } from '../domain/replies.ts';

/** Upper bounds of the histograms, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** Of what is quick: a poll takes less than a millisecond. */
const SHORT_SECONDS = [0.001, 0.0025, ...SECONDS];

/** A settlement waits for its block. */
const LONG_SECONDS = [0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** The class of an HTTP status or of an SMTP code. */
export const classOf = (code: number): string => `${Math.floor(code / 100)}xx`;

const SMTP_COMMANDS = ['connect', 'mail', 'rcpt', 'data'] as const;

export type SmtpCommand = (typeof SMTP_COMMANDS)[number];

/** How a settlement can end, as `payments_total` counts it. */
const PAYMENT_OUTCOMES = ['settled', 'reverted', 'expired', 'cancelled', 'refused', 'gas_too_high'];

const LOGS = ['tests', 'payments'];

const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_payment_claims', 'KV_status', 'KV_reports'];

/**
 * The instruments. Labels are words of ours, never values of a mail. Every series is there from the
 * start: an alert on a counter that has never counted would not see it begin.
 */
export function createMetrics() {
  const metrics = create();
  for (const outcome of Object.keys(replies)) metrics.mails.inc({ outcome }, 0);
  for (const outcome of PAYMENT_OUTCOMES) metrics.payments.inc({ outcome }, 0);
  for (const log of LOGS) metrics.poison.inc({ log }, 0);
  for (const log of LOGS) metrics.followerLag.set({ log }, 0);
  for (const stream of STREAMS) metrics.streamBytes.set({ stream }, 0);
  for (const command of SMTP_COMMANDS)
    for (const code of CLASSES.filter((one) => one !== '3xx'))
      metrics.smtpReplies.inc({ command, class: code }, 0);
  for (const code of CLASSES) metrics.mailSeconds.zero({ class: code });
  // Not known yet, or not ours: 0 would be a wallet that is empty.
  metrics.walletSettlements.set(Number.NaN);
  metrics.walletBalance.set(Number.NaN);
  return metrics;
}

/** A route is there with all its series before its first request. */
export function watchRoute(
  { httpSeconds }: Pick<Metrics, 'httpSeconds'>,
  method: string,
  route: string,
) {
  for (const code of CLASSES) httpSeconds.zero({ method, route, class: code });
}

function create() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges that are called like counters: `promtool check metrics` objects, and nobody needs them.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  return {
    registry,
    tests: new Gauge({
      name: 'tests',
      help: 'Live tests by state',
      labelNames: ['state'],
      registers,
    }),
    readiness: new Gauge({
      name: 'readiness',
      help: 'Whether this replica may be given work, by condition: 1 or 0',
      labelNames: ['check'],
      registers,
    }),
    testsFrozen: new Gauge({
      name: 'tests_frozen',
      help: 'Tests whose history is damaged: they answer 503 until they are repaired',
      registers,
    }),
    mails: new Counter({
      name: 'mails_total',
      help: 'Mails by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    analysisSeconds: new Histogram({
      name: 'analysis_seconds',
      help: 'Analysis of a mail by stage, in seconds',
      labelNames: ['stage'],
      buckets: SECONDS,
      registers,
    }),
    analysesOpen: new Gauge({
      name: 'analyses_open',
      help: 'Mails that wait for a worker, or are read by one',
      registers,
    }),
    workersLost: new Counter({
      name: 'workers_lost_total',
      help: 'Workers that ended or hung while they read mails',
      registers,
    }),
    workerDefects: new Counter({
      name: 'worker_defects_total',
      help: 'Parts of a report that a defect of ours has cost',
      registers,
    }),
    dnsSeconds: new Histogram({
      name: 'dns_seconds',
      help: 'DNS queries by outcome, in seconds',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'http_request_seconds',
      help: 'HTTP requests by method, route and class of the answer, in seconds',
      labelNames: ['method', 'route', 'class'],
      buckets: SHORT_SECONDS,
      registers,
    }),
    smtpReplies: new Counter({
      name: 'smtp_replies_total',
      help: 'SMTP replies by command and class of the code',
      labelNames: ['command', 'class'],
      registers,
    }),
    smtpConnections: new Gauge({
      name: 'smtp_connections',
      help: 'Open SMTP connections',
      registers,
    }),
    mailSeconds: new Histogram({
      name: 'mail_seconds',
      help: 'From DATA to the reply to the mail, by class of the code, in seconds',
      labelNames: ['class'],
      buckets: SECONDS,
      registers,
    }),
    settleSeconds: new Histogram({
      name: 'settle_seconds',
      help: 'From the start of a settlement to its proof, in seconds',
      buckets: LONG_SECONDS,
      registers,
    }),
    canSell: new Gauge({
      name: 'can_sell',
      help: 'Whether reports can be sold now: 1 or 0',
      registers,
    }),
    payments: new Counter({
      name: 'payments_total',
      help: 'Settlements by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    paymentsLate: new Counter({
      name: 'payments_late_total',
      help: 'Settled only after the report was deleted: to be refunded',
      registers,
    }),
    paymentsReorged: new Counter({
      name: 'payments_reorged_total',
      help: 'Payments that were gone when their block became final, as this replica saw it',
      registers,
    }),
    followerLag: new Gauge({
      name: 'follower_lag_events',
      help: 'Events stored and not yet folded, by log',
      labelNames: ['log'],
      registers,
    }),
    streamBytes: new Gauge({
      name: 'stream_bytes',
      help: 'Bytes in a stream of the log',
      labelNames: ['stream'],
      registers,
    }),
    streamMaxBytes: new Gauge({
      name: 'stream_max_bytes',
      help: 'Bytes at which a stream of the log takes nothing more',
      labelNames: ['stream'],
      registers,
    }),
    logRoom: new Gauge({
      name: 'log_room_ratio',
      help: 'Share of the log that existing tests neither use nor may need; at 0 no test is created',
      registers,
    }),
    mailMemoryBytes: new Gauge({
      name: 'mail_memory_bytes',
      help: 'Raw mail held in memory, in bytes',
      registers,
    }),
    eraseBacklog: new Gauge({
      name: 'erase_backlog',
      help: 'Tests whose messages wait to be erased',
      registers,
    }),
    poison: new Counter({
      name: 'poison_events_total',
      help: 'Messages that are no event, by log',
      labelNames: ['log'],
      registers,
    }),
    clockOffset: new Gauge({
      name: 'clock_offset_seconds',
      help: 'How far the clock of this machine is ahead of the log, in seconds',
      registers,
    }),
    walletSettlements: new Gauge({
      name: 'wallet_settlements',
      help: 'Settlements that the ether of the hot wallet pays for at the price of now',
      registers,
    }),
    walletBalance: new Gauge({
      name: 'wallet_balance_wei',
      help: 'Ether of the hot wallet, in wei',
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
