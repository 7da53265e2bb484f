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
  const { registry, http, polls, ...metrics } = create();
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
  return { ...metrics, source: sourceOf(registry, http, polls) };
}

/** What is served: the second and third hold series of one histogram, which is described once. */
function sourceOf(registry: Registry, http: Registry, polls: Registry) {
  return {
    contentType: registry.contentType,
    async metrics(): Promise<string> {
      const [all, routes, poll] = await Promise.all(
        [registry, http, polls].map((one) => one.metrics()),
      );
      return `${all}\n${routes}${poll?.replace(/^#.*\n/gm, '')}`;
    },
  };
}

/** An answer, as it is counted. */
interface HttpLabels {
  readonly method: string;
  readonly route: string;
  readonly class: string;
}

/** Polls that are answered. */
export const POLL_LABELS = {
  method: 'GET',
  route: '/v1/tests/:test_id/status',
  class: classOf(200),
} as const satisfies HttpLabels;

const isPoll = (labels: HttpLabels) =>
  labels.route === POLL_LABELS.route &&
  labels.class === POLL_LABELS.class &&
  labels.method === POLL_LABELS.method;

/** Counts an answer, and how long it took. */
export function countAnswer(
  { httpSeconds, pollSeconds }: Pick<Metrics, 'httpSeconds' | 'pollSeconds'>,
  labels: HttpLabels,
  seconds: number,
): void {
  if (isPoll(labels)) pollSeconds.observe(seconds);
  else httpSeconds.observe(labels, seconds);
}

/** A route is there with all its series before its first request. */
export function watchRoute(
  { httpSeconds }: Pick<Metrics, 'httpSeconds'>,
  method: string,
  route: string,
) {
  for (const code of CLASSES) {
    const labels = { method, route, class: code };
    if (!isPoll(labels)) httpSeconds.zero(labels);
  }
}

function create() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges that are called like counters: `promtool check metrics` objects, and nobody needs them.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const http = new Registry();
  const polls = new Registry();
  polls.setDefaultLabels(POLL_LABELS);
  const httpSeconds = {
    name: 'http_request_seconds',
    help: 'HTTP requests by method, route and class of the answer, in seconds',
    buckets: SHORT_SECONDS,
  };
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: L[]
  ) => new Histogram({ name, help, buckets, labelNames, registers });
  return {
    ...{ registry, http, polls },
    tests: gauge('tests', 'Live tests by state', 'state'),
    readiness: gauge(
      'readiness',
      'Whether this replica may be given work, by condition: 1 or 0',
      'check',
    ),
    testsFrozen: gauge(
      'tests_frozen',
      'Tests whose history is damaged: they answer 503 until they are repaired',
    ),
    mails: counter('mails_total', 'Mails by outcome', 'outcome'),
    analysisSeconds: histogram(
      'analysis_seconds',
      'Analysis of a mail by stage, in seconds',
      SECONDS,
      'stage',
    ),
    analysesOpen: gauge('analyses_open', 'Mails that wait for a worker, or are read by one'),
    workersLost: counter('workers_lost_total', 'Workers that ended or hung while they read mails'),
    workerDefects: counter(
      'worker_defects_total',
      'Parts of a report that a defect of ours has cost',
    ),
    dnsSeconds: histogram('dns_seconds', 'DNS queries by outcome, in seconds', SECONDS, 'outcome'),
    httpSeconds: new Histogram({
      ...httpSeconds,
      labelNames: ['method', 'route', 'class'],
      registers: [http],
    }),
    /** One series of the former, on its own: to find a series by its labels would take a poll longer than to find its answer. */
    pollSeconds: new Histogram({ ...httpSeconds, registers: [polls] }),
    smtpReplies: counter(
      'smtp_replies_total',
      'SMTP replies by command and class of the code',
      'command',
      'class',
    ),
    smtpConnections: gauge('smtp_connections', 'Open SMTP connections'),
    mailSeconds: histogram(
      'mail_seconds',
      'From DATA to the reply to the mail, by class of the code, in seconds',
      SECONDS,
      'class',
    ),
    settleSeconds: histogram(
      'settle_seconds',
      'From the start of a settlement to its proof, in seconds',
      LONG_SECONDS,
    ),
    canSell: gauge('can_sell', 'Whether reports can be sold now: 1 or 0'),
    payments: counter('payments_total', 'Settlements by outcome', 'outcome'),
    paymentsLate: counter(
      'payments_late_total',
      'Settled only after the report was deleted: to be refunded',
    ),
    paymentsReorged: counter(
      'payments_reorged_total',
      'Payments that were gone when their block became final, as this replica saw it',
    ),
    followerLag: gauge('follower_lag_events', 'Events stored and not yet folded, by log', 'log'),
    streamBytes: gauge('stream_bytes', 'Bytes in a stream of the log', 'stream'),
    streamMaxBytes: gauge(
      'stream_max_bytes',
      'Bytes at which a stream of the log takes nothing more',
      'stream',
    ),
    logRoom: gauge(
      'log_room_ratio',
      'Share of the log that existing tests neither use nor may need; at 0 no test is created',
    ),
    mailMemoryBytes: gauge('mail_memory_bytes', 'Raw mail held in memory, in bytes'),
    eraseBacklog: gauge('erase_backlog', 'Tests whose messages wait to be erased'),
    poison: counter('poison_events_total', 'Messages that are no event, by log', 'log'),
    clockOffset: gauge(
      'clock_offset_seconds',
      'How far the clock of this machine is ahead of the log, in seconds',
    ),
    walletSettlements: gauge(
      'wallet_settlements',
      'Settlements that the ether of the hot wallet pays for at the price of now',
    ),
    walletBalance: gauge('wallet_balance_wei', 'Ether of the hot wallet, in wei'),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
