import { performance } from 'node:perf_hooks';
import { createReader } from '../../../../src/adapters/worker-pool/reader.ts';
import { makeReport } from '../../../../src/analysis/report.ts';
import type { Report } from '../../../../src/domain/report/report.ts';
import { createInspect } from '../../../../src/inspection/inspect.ts';
import type { NewResolver } from '../../../../src/ports/dns.ts';
import type { GuardedFetch } from '../../../../src/ports/web.ts';
import { SENDER } from '../../../environment/sender.ts';

const TEST = { testId: 'benchmark234', mailDomain: 'in.example.net' };

/** Whom the mails are for. */
export const RECIPIENT = `${TEST.testId}@${TEST.mailDomain}`;

const { domain, host, ip } = SENDER;

// The sender of the measurements publishes nothing that would be fetched.
const noFetch: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'ours',
  reason: 'not in this measurement',
});

/** The analysis as the service composes it, without the service: from the bytes to the report. */
export function createAnalysis(newResolver: NewResolver, fetch = noFetch) {
  const reader = createReader({
    workerUrl: new URL('../../../../src/worker.ts', import.meta.url),
    threads: 1,
  });
  const inspect = createInspect({
    newResolver,
    readInWorker: reader.read,
    checkCertificate: reader.checkCertificate,
    fetch,
    webRisk: { configured: false, lookUpHosts: async () => ({}) },
    clock: Date.now,
    refusalBlocklists: ['psbl.surriel.com'],
    dnsbls: [],
  });
  /** One mail from the envelope to the report. */
  const report = async (mail: Uint8Array): Promise<Report> => {
    const tls = { status: 'tls', version: 'TLSv1.3', cipher: null } as const;
    const inspection = inspect({
      ...TEST,
      client: { ip, helo: host, source: 'smtp', tls },
      from: { localPart: 'orders', domain, smtputf8: false },
    });
    // Moved to a worker, the bytes are gone.
    const inspected = await inspection.read(new Uint8Array(mail));
    const at = new Date().toISOString();
    const facts = await inspected.facts({ receivedAt: at, expiresAt: at });
    inspected.end();
    if (facts === 'lost') throw new Error('the worker was lost');
    return makeReport(facts, at);
  };
  return {
    report,
    /** How long the report of a mail that is right takes, in milliseconds. */
    async analyze(mail: Buffer): Promise<number> {
      const begin = performance.now();
      const { score, authentication } = await report(mail);
      const took = performance.now() - begin;
      if (authentication.dmarc.result !== 'pass' || score === 0)
        throw new Error('The analysis does not authenticate the mail.');
      return took;
    },
    stop: () => reader.close(),
  };
}
