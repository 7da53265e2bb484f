/** Creates the Prometheus metrics of the service, and counts HTTP responses by route. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { replies } from '../domain/replies.ts';
import { FILTERS } from '../domain/report/filters.ts';

/** Prefix of each of our metrics, because a Prometheus server also stores metrics of other programs. */
const PREFIX = 'deliverability_';

/** Upper bounds of the histograms, in seconds. */
const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

/** Upper bounds for fast operations, in seconds: a poll takes less than a millisecond. */
const SHORT_SECONDS = [0.001, 0.0025, ...SECONDS];

/** Upper bounds for settlements, which wait for their block, in seconds. */
const LONG_SECONDS = [0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

/**
 * Response classes that every command and route may have. 3xx appears with the first response of that class.
 */
const CLASSES = ['2xx', '4xx', '5xx'] as const;

/** Returns the class of an HTTP status or of an SMTP code. */
export const classOf = (code: number): string => `${Math.floor(code / 100)}xx`;

const SMTP_COMMANDS = ['connect', 'mail', 'rcpt', 'data'] as const;

export type SmtpCommand = (typeof SMTP_COMMANDS)[number];

/** Possible outcomes of a settlement, as `payments_total` counts them. */
const PAYMENT_OUTCOMES = ['settled', 'reverted', 'expired', 'cancelled', 'refused', 'gas_too_high'];

const LOGS = ['tests', 'payments'];

const STREAMS = ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_payment_claims', 'KV_status', 'KV_reports'];

/**
 * Creates the instruments. Labels are our own words, never values from an email. Every series exists from the
 * start, because otherwise an alert on a counter would not see its first increase.
 */
export function createMetrics() {
  const metrics = create();
  for (const outcome of Object.keys(replies)) metrics.mails.inc({ outcome }, 0);
  for (const outcome of PAYMENT_OUTCOMES) metrics.payments.inc({ outcome }, 0);
  for (const need of SELLING_NEEDS) metrics.sellingNeeds.set({ need }, Number.NaN);
  for (const log of LOGS) metrics.followerLag.set({ log }, 0);
  for (const log of LOGS) metrics.frozen.set({ log }, 0);
  for (const stream of STREAMS) metrics.streamBytes.set({ stream }, 0);
  for (const stream of ['TESTS', 'REPORTS', 'PAYMENTS']) metrics.missingMessages.set({ stream }, 0);
  for (const command of SMTP_COMMANDS)
    for (const code of CLASSES) metrics.smtpReplies.inc({ command, class: code }, 0);
  for (const code of CLASSES) metrics.mailSeconds.zero({ class: code });
  for (const filter of FILTERS) metrics.filterAnswers.set({ filter }, Number.NaN);
  // NaN means unknown or not applicable here. 0 would mean an empty wallet, or reports that cannot be sold.
  metrics.canSell.set(Number.NaN);
  metrics.walletSettlements.set(Number.NaN);
  metrics.walletBalance.set(Number.NaN);
  return metrics;
}

/** The requirements for selling a report. */
const SELLING_NEEDS = [
  ...(['room', 'answer', 'network', 'log_range', 'history', 'fresh_head'] as const),
  ...(['agreement', 'asset', 'settlement', 'clock'] as const),
];
export type SellingNeed = (typeof SELLING_NEEDS)[number];

/** The labels by which a response is counted. */
interface HttpLabels {
  readonly method: string;
  readonly route: string;
  readonly class: string;
}

/** Labels of polls that were answered successfully. */
export const POLL_LABELS = {
  method: 'GET',
  route: '/v1/tests/:test_id/status',
  class: classOf(200),
} as const satisfies HttpLabels;

const isPoll = (labels: HttpLabels) =>
  labels.route === POLL_LABELS.route &&
  labels.class === POLL_LABELS.class &&
  labels.method === POLL_LABELS.method;

/**
 * Counts responses by route, and measures those that were not refusals. Polls have a histogram of their own,
 * which is added to the others when they are read: finding a series by its labels takes longer than
 * responding to a poll.
 */
function countHttp(registers: Registry[]) {
  let polls = 0;
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'HTTP requests by method, route and class of the response',
    labelNames: ['method', 'route', 'class'],
    registers,
    collect() {
      this.inc(POLL_LABELS, polls);
      polls = 0;
    },
  });
  const seconds = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'Time of 2xx and 3xx responses by route, without polls, in seconds',
    buckets: SECONDS,
    labelNames: ['route'],
    registers,
  });
  const pollSeconds = new Histogram({
    name: `${PREFIX}poll_seconds`,
    help: 'Time of answered polls, in seconds',
    buckets: SHORT_SECONDS,
    registers,
  });
  function countPoll(took: number): void {
    polls += 1;
    pollSeconds.observe(took);
  }
  return {
    countPoll,
    /**
     * Counts a response, and measures its duration unless it was a refusal.
     *
     * @param took duration in seconds
     */
    countAnswer(labels: HttpLabels, took: number): void {
      if (isPoll(labels)) {
        countPoll(took);
        return;
      }
      requests.inc(labels);
      if (labels.class === '2xx' || labels.class === '3xx')
        seconds.observe({ route: labels.route }, took);
    },
    /** Creates the series of a route before its first request arrives. */
    watchRoute(method: string, route: string): void {
      for (const code of CLASSES) requests.inc({ method, route, class: code }, 0);
      if (route !== POLL_LABELS.route) seconds.zero({ route });
    },
  };
}

function create() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Removes gauges that are named like counters, because `promtool check metrics` rejects them and nobody
  // needs them.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers });
  const counter = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const histogram = <L extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: L[]
  ) => new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers });
  return {
    source: registry,
    ...countHttp(registers),
    tests: gauge('tests', 'Live tests by state', 'state'),
    readiness: gauge(
      'readiness',
      '1 if this replica may be given work, otherwise 0, by condition',
      'check',
    ),
    frozen: gauge(
      'frozen',
      'Tests and payments with a damaged history, by log: requests for them return 503 until it is repaired',
      'log',
    ),
    missingMessages: gauge(
      'missing_messages',
      'Messages that are missing from a stream of the log',
      'stream',
    ),
    mails: counter('mails_total', 'Emails by outcome', 'outcome'),
    analysisSeconds: histogram(
      'analysis_seconds',
      'Time to analyse an email, by stage, in seconds',
      SECONDS,
      'stage',
    ),
    analysesOpen: gauge('analyses_open', 'Emails that a worker is reading or that wait for one'),
    workersLost: counter(
      'workers_lost_total',
      'Workers that ended or hung while they were reading emails',
    ),
    workerDefects: counter(
      'worker_defects_total',
      'Parts of reports that are missing because of a defect in the service',
    ),
    filterAnswers: gauge(
      'filter_answers',
      '1 if a spam filter responded to the last query, otherwise 0; NaN if it was not queried',
      'filter',
    ),
    dnsSeconds: histogram(
      'dns_seconds',
      'Time of DNS queries by outcome, in seconds',
      SECONDS,
      'outcome',
    ),
    smtpReplies: counter(
      'smtp_replies_total',
      'SMTP replies by command and class of the code',
      'command',
      'class',
    ),
    smtpConnections: gauge('smtp_connections', 'Open SMTP connections'),
    mailSeconds: histogram(
      'mail_seconds',
      'Time from DATA to the reply to the email, by class of the code, in seconds',
      SECONDS,
      'class',
    ),
    settleSeconds: histogram(
      'settle_seconds',
      'Time from the start of a settlement to its proof, in seconds',
      LONG_SECONDS,
    ),
    canSell: gauge('can_sell', '1 if reports can be sold, otherwise 0'),
    sellingNeeds: gauge(
      'selling_needs',
      '1 if a condition for selling reports is met, otherwise 0, by need',
      'need',
    ),
    payments: counter('payments_total', 'Settlements by outcome', 'outcome'),
    paymentsLate: counter(
      'payments_late_total',
      'Payments that settled after the report was deleted and must be refunded',
    ),
    followerLag: gauge('follower_lag_events', 'Events stored and not yet folded, by log', 'log'),
    streamBytes: gauge('stream_bytes', 'Bytes in a stream of the log', 'stream'),
    streamMaxBytes: gauge(
      'stream_max_bytes',
      'Size in bytes at which a stream of the log accepts nothing more',
      'stream',
    ),
    logRoom: gauge(
      'log_room_ratio',
      'Share of the log that existing tests neither use nor may need; at 0 no test is created',
    ),
    mailMemoryBytes: gauge('mail_memory_bytes', 'Raw mail held in memory, in bytes'),
    eraseBacklog: gauge('erase_backlog', 'Tests whose messages are waiting to be erased'),
    clockOffset: gauge(
      'clock_offset_seconds',
      'How far the clock of this machine is ahead of the log, in seconds',
    ),
    walletSettlements: gauge(
      'wallet_settlements',
      'Settlements that the ether in the hot wallet can pay for at the current gas price',
    ),
    walletBalance: gauge('wallet_balance_wei', 'Ether in the hot wallet, in wei'),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
