/** Composes the whole service from its settings, and starts it. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { startTimekeeper } from '../actors/timekeeper.ts';
import { sampleReport } from '../analysis/sample.ts';
import { buildApp } from '../api/app.ts';
import { buildMetricsApp } from '../api/metrics-app.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { namesFilter } from '../domain/filter-address.ts';
import type { Traces } from '../ports/traces.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createCreationGate } from './creation-gate.ts';
import { openDerivedState } from './derived-state.ts';
import { shareDescriptors } from './descriptors.ts';
import { openFreeReports } from './free-reports.ts';
import { startGauges } from './gauges.ts';
import { type LostLog, openLog } from './log.ts';
import { type MailOverrides, openMail } from './mail.ts';
import type { PaymentOverrides } from './payments.ts';

/** Starts tracing if it is on. If it is off, no library is loaded and nothing is measured. */
async function startTracing(
  { tracesEndpoint: endpoint, replicaId: replica }: Pick<Config, 'tracesEndpoint' | 'replicaId'>,
  logger: Logger,
): Promise<{ readonly traces?: Traces; stop(): Promise<unknown> }> {
  if (endpoint === null) return { stop: async () => {} };
  const { openTraces } = await import('../adapters/opentelemetry/traces.ts');
  const { stop, ...traces } = openTraces({ endpoint, replica, logger });
  return { traces, stop };
}

/** The addresses on which the service listens, and how to stop it. */
export interface Service {
  readonly http: string;
  /** Address of the SMTP server, as `host:port`. */
  readonly smtp: string;
  readonly metrics: string;
  /** Resolves when the service cannot continue because its log was deleted or replaced. */
  readonly lost: Promise<LostLog>;
  /** Stops accepting, finishes the work in progress, and closes everything in reverse order. */
  stop(): Promise<void>;
}

/** Settings for tests and the demo only. */
export interface Overrides extends MailOverrides, PaymentOverrides {}

/** Collects the steps that stop the started parts. They run in reverse order, even if one of them throws. */
function stack(logger: Logger) {
  const steps: (() => unknown)[] = [];
  return {
    push: (step: () => unknown) => void steps.push(step),
    async unwind() {
      for (const step of steps.splice(0).reverse()) {
        try {
          await step();
        } catch (error) {
          logger.error({ err: error }, 'a part did not stop cleanly');
        }
      }
    },
  };
}

/**
 * Composes the whole service: from settings to adapters, actors and listeners. Nothing listens before the log
 * is connected and caught up, so that no response comes from a state that is not yet known.
 */
export async function startService(
  config: Config,
  logger: Logger,
  overrides: Overrides = {},
): Promise<Service> {
  const parts = stack(logger);
  try {
    return await start(config, logger, overrides, parts);
  } catch (error) {
    await parts.unwind();
    throw error;
  }
}

async function start(
  config: Config,
  logger: Logger,
  overrides: Overrides,
  parts: ReturnType<typeof stack>,
): Promise<Service> {
  const { replicaId: replica, durations } = config;
  const metrics = createMetrics();
  const bound = { http: '', smtp: false };
  const baseUrl = () => config.http.baseUrl ?? bound.http;
  const descriptors = shareDescriptors(config.smtp.maxClients);

  const tracing = await startTracing(config, logger.child({ actor: 'traces' }));
  parts.push(() => tracing.stop());
  const { traces } = tracing;
  const log = await openLog(config, logger);
  parts.push(() => log.close());
  const { clock } = log;
  const common = { clock, newId: randomUUID, replica };
  const derived = await openDerivedState(config, { log, clock, logger });
  parts.push(() => derived.stop());

  const shared = { ...common, log, derived, baseUrl, logger, metrics, traces, overrides };
  // The code that communicates with the chain is the largest part of the service, so it is loaded only if it
  // is needed.
  const payments = config.payment
    ? await (await import('./payments.ts')).openPayments(config.payment, shared)
    : openFreeReports(shared);
  parts.push(() => payments.stop());

  const mail = await openMail(config, { ...shared, descriptors });
  parts.push(() => mail.stop());

  await derived.ready;
  const timekeeper = startTimekeeper({
    log: log.tests,
    follower: derived.follower,
    durations,
    random: Math.random,
    ...common,
    logger: logger.child({ actor: 'timekeeper' }),
    onUnrecorded: derived.makeRoom,
  });
  parts.push(() => timekeeper.stop());
  parts.push(payments.startWatch());

  const creation = createCreationGate(
    {
      sizes: log.sizes,
      population: derived.follower.population,
      clock,
      monotonic: () => performance.now(),
    },
    {
      perMinute: config.http.createPerMinute,
      retentionMs: durations.retentionSeconds * 1000,
    },
  );
  const readiness = () => ({
    log_connected: log.health.connected(),
    caught_up: derived.follower.caughtUp() && derived.payers.caughtUp(),
    smtp_listening: bound.smtp,
  });
  const { memoryBytes: mailMemoryBytes } = mail;
  const observed = { log, derived, clock, mailMemoryBytes, room: creation.room, readiness };
  parts.push(startGauges(metrics, observed));

  const app = await buildApp({
    settings: {
      ...config.http,
      ...config,
      baseUrl,
      asksFilters: namesFilter(config.analysis.filters),
    },
    tests: log.tests,
    rows: derived.follower,
    onChange: (listener) =>
      derived.follower.listen(({ recorded: { id, seq } }) => listener(id, seq)),
    settler: payments.settler,
    sampleReport,
    creation,
    ...(payments.selling && {
      selling: payments.selling,
      canSell: payments.canSell,
      balanceOf: payments.balanceOf,
    }),
    readiness,
    inbound: mail.inbound,
    maxConnections: descriptors.maxConnections,
    clock,
    random: randomBytes,
    logger: logger.child({ actor: 'api' }),
    metrics,
    ...(traces && { traces }),
  });
  const metricsApp = await buildMetricsApp(metrics.source, logger.child({ actor: 'metrics' }));
  parts.push(() => metricsApp.close());
  parts.push(() => app.close());

  const { host, port, metricsHost, metricsPort } = config.http;
  bound.http = await openPort('HTTP', () => listen(app, host, port));
  const metricsUrl = await openPort('METRICS', () => listen(metricsApp, metricsHost, metricsPort));
  const smtp = await openPort('SMTP', () => mail.listen());
  bound.smtp = true;
  return {
    http: bound.http,
    smtp,
    metrics: metricsUrl,
    lost: log.lost,
    stop: () => parts.unwind(),
  };
}

/** Opens an HTTP port, and returns its URL. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port });
  const { address, family, port: chosen } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`;
}

/** Which setting of a port is wrong, and what to do about it, by the system's error code. */
const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT cannot be opened: another program listens there; stop it, or set another port.',
  EACCES: 'PORT cannot be opened: this user may not open it; allow that, or set a port above 1023.',
  EADDRNOTAVAIL:
    'HOST cannot be used: this machine does not have that address; set one that it has.',
  ENOTFOUND: 'HOST cannot be used: no such name was found; set an address that this machine has.',
  EINVAL:
    'HOST cannot be used: a link-local address needs its interface, such as fe80::1%eth0; set another address.',
  EAFNOSUPPORT: 'HOST cannot be used: this machine has no IPv6; set 0.0.0.0 or an IPv4 address.',
  EAI_AGAIN: 'HOST cannot be used: the name could not be looked up; set an address instead.',
};

/**
 * Opens the port that two settings name.
 *
 * @param kind the beginning of the names of the settings
 * @throws ConfigError that names the setting, if a change of settings can fix the fault
 */
async function openPort<T>(kind: 'HTTP' | 'METRICS' | 'SMTP', open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const fault = PORT_FAULTS[(error as NodeJS.ErrnoException).code ?? ''];
    throw fault === undefined ? error : new ConfigError([`${kind}_${fault}`]);
  }
}
