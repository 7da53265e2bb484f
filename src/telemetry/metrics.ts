import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the histograms, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** The instruments. Labels are words of ours, never values of a mail. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    tests: new Gauge({
      name: 'tests',
      help: 'Live tests by state',
      labelNames: ['state'],
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
    dnsSeconds: new Histogram({
      name: 'dns_seconds',
      help: 'DNS queries by outcome, in seconds',
      labelNames: ['outcome'],
      buckets: SECONDS,
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
    walletBalance: new Gauge({
      name: 'wallet_balance_wei',
      help: 'Ether of the hot wallet, in wei',
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
