/**
 * Composes the components that an email passes through, from the SMTP connection or the inbound provider to
 * the durable report, and measures how long the analysis takes.
 */

import { availableParallelism } from 'node:os';
import { createAnalyzer } from '../actors/analyzer.ts';
import { createInbound } from '../actors/inbound/inbound.ts';
import { createMailBuffer } from '../actors/receiver/mail-buffer.ts';
import { createReceiver } from '../actors/receiver/receiver.ts';
import { createQueryBudgets } from '../adapters/dns/budgets.ts';
import { newNameCounts } from '../adapters/dns/new-names.ts';
import { createMailWorkers } from '../adapters/mail-workers/workers.ts';
import { type SmtpListener, startSmtp } from '../adapters/smtp/server.ts';
import type { FetchOverride } from '../adapters/web/guarded-fetch.ts';
import type { Config } from '../config/config.ts';
import { PROVIDERS } from '../domain/events.ts';
import type { AnalyzeMail } from '../ports/mail.ts';
import type { Traces } from '../ports/traces.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { watchCertificate } from './certificate-files.ts';
import type { SharedParts } from './derived-state.ts';
import type { shareDescriptors } from './descriptors.ts';

/** Returns the given analysis, but with the duration of each stage measured. */
function timedAnalysis(
  analyze: AnalyzeMail,
  { analysisSeconds, analysesOpen }: Pick<Metrics, 'analysisSeconds' | 'analysesOpen'>,
  traces?: Traces,
): AnalyzeMail {
  return async (mail) => {
    analysesOpen.inc();
    const endGate = analysisSeconds.startTimer({ stage: 'gate' });
    const endSpan = traces?.begin('mail gate', mail.testId);
    const analyzed = await analyze(mail)
      .catch((error: unknown) => {
        analysesOpen.dec();
        throw error;
      })
      .finally(() => {
        endGate();
        endSpan?.();
      });
    let isOpen = true;
    return {
      ...analyzed,
      report: (arrival) =>
        analyzed.report(arrival).finally(analysisSeconds.startTimer({ stage: 'facts' })),
      end() {
        if (isOpen) analysesOpen.dec();
        isOpen = false;
        analyzed.end();
      },
    };
  };
}

/** The web servers that the demo and the tests use instead of real ones. No setting can change this. */
export interface MailOverrides {
  readonly fetchOverride?: FetchOverride;
}

interface Ports extends SharedParts {
  readonly overrides: MailOverrides;
  readonly descriptors: ReturnType<typeof shareDescriptors>;
}

/** Composes everything between the sender's connection and the durable report. Nothing listens yet. */
export async function openMail(config: Config, ports: Ports) {
  const { log, derived, clock, newId, replica, logger, metrics, traces, overrides } = ports;
  const { analysis, smtp, mailDomain, contactEmail, durations } = config;

  const budgets = createQueryBudgets({
    queriesPerClient: analysis.dnsQueriesPerClient,
    queriesPerTest: analysis.dnsQueriesPerTest,
  });
  const workers = createMailWorkers({
    workerUrl: new URL('../worker.ts', import.meta.url),
    setup: {
      ...{ ...analysis, mailDomain },
      ...(overrides.fetchOverride && { fetchOverride: overrides.fetchOverride }),
    },
    // One core is left for the listeners.
    threads: Math.max(1, availableParallelism() - 1),
    clock,
    newNames: newNameCounts(),
    budget: {
      reserve: ({ client: { ip }, testId }) => budgets.reserve({ ip, testId }, performance.now()),
      giveBack: ({ client: { ip }, testId }, used) =>
        budgets.giveBack({ ip, testId }, performance.now(), used),
    },
    onQueries(outcome, times) {
      const series = metrics.dnsSeconds.labels({ outcome });
      for (const milliseconds of times) series.observe(milliseconds / 1000);
    },
    onDefect(defect) {
      metrics.workerDefects.inc();
      logger.error({ defect }, 'a worker hit a defect; part of one report is missing');
    },
    onFilter: ({ name, isAnswered }) =>
      metrics.filterAnswers.set({ filter: name }, Number(isAnswered)),
    onLost(mails) {
      metrics.workersLost.inc();
      logger.error(
        { mails },
        'a worker ended or hung; the emails that it was reading will be sent again',
      );
    },
  });
  const mailBuffer = createMailBuffer(smtp);
  const receiver = createReceiver(
    {
      tests: log.tests,
      rows: derived.follower,
      health: log.health,
      analyze: timedAnalysis(workers.analyze, metrics, traces),
      mailBuffer,
      clock,
      newId,
      replica,
      logger: logger.child({ actor: 'receiver' }),
      mails: metrics.mails,
      traces,
    },
    {
      ...{ ...durations, ...ports.descriptors },
      mailDomain,
      contactEmail,
      maxMessageBytes: smtp.maxMessageBytes,
      baseUrl: ports.baseUrl,
    },
  );
  const analyzer = createAnalyzer({
    tests: log.tests,
    reports: log.reports,
    offerReport: derived.offerReport,
    mailBuffer,
    clock,
    newId,
    replica,
    logger: logger.child({ actor: 'analyzer' }),
    traces,
  });
  derived.follower.listen(({ recorded }) => {
    receiver.onEvent(recorded);
    analyzer.onEvent(recorded);
  });

  let server: SmtpListener | undefined;
  let stopWatch = () => {};
  return {
    /** Each inbound provider has one entrance. */
    inbound: PROVIDERS.flatMap((provider) => {
      const { inboundToken: token } = config;
      const { maxMessageBytes } = smtp;
      return token === null
        ? []
        : { ...createInbound(receiver, provider), provider, token, maxMessageBytes };
    }),
    memoryBytes: mailBuffer.bytes,
    /** Opens the SMTP port. @returns `host:port` */
    async listen(): Promise<string> {
      const smtpLogger = logger.child({ actor: 'smtp' });
      const listener = await startSmtp(
        { receiver, clock, logger: smtpLogger, metrics },
        { ...smtp, maxClients: ports.descriptors.maxClients },
      );
      server = listener;
      stopWatch = watchCertificate({
        files: smtp.certificateFiles,
        inUse: { cert: smtp.certificate, key: smtp.privateKey },
        onRenewed: listener.useCertificate,
        logger: smtpLogger,
      });
      return `${smtp.host.includes(':') ? `[${smtp.host}]` : smtp.host}:${server.port}`;
    },
    async stop() {
      stopWatch();
      await server?.stop();
      await analyzer.idle();
      await workers.close();
    },
  };
}
