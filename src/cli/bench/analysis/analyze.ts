import { performance } from 'node:perf_hooks';
import { createInspect } from '../../../actors/gather/inspect.ts';
import { evaluateSpf } from '../../../adapters/mailauth/spf.ts';
import { createReader } from '../../../adapters/worker-pool/reader.ts';
import { makeReport } from '../../../analysis/report.ts';
import type { NewResolver } from '../../../ports/dns.ts';
import { SENDER } from '../../demo/sender.ts';

const TEST = { testId: 'benchmark234', mailDomain: 'in.example.net' };

/** Whom the mails are for. */
export const RECIPIENT = `${TEST.testId}@${TEST.mailDomain}`;

const { domain, host, ip } = SENDER;

/** The analysis as the service composes it, without the service: from the bytes to the report. */
export function createAnalysis(newResolver: NewResolver) {
  const reader = createReader({
    workerUrl: new URL('../../../worker.ts', import.meta.url),
    threads: 1,
  });
  const inspect = createInspect({
    newResolver,
    evaluateSpf,
    readInWorker: reader.read,
    checkCertificate: reader.checkCertificate,
    // The sender publishes nothing that would be fetched.
    fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'not in this measurement' }),
    webRisk: { configured: false, look: async () => ({}) },
    clock: Date.now,
    refusalBlocklists: ['psbl.surriel.com'],
  });
  return {
    /** One mail from the envelope to the report, in milliseconds. */
    async analyze(mail: Buffer): Promise<number> {
      const tls = { status: 'tls', version: 'TLSv1.3', cipher: null } as const;
      const begin = performance.now();
      const inspection = inspect({
        ...TEST,
        client: { ip, helo: host, source: 'smtp', tls },
        from: { localPart: 'orders', domain, smtputf8: false },
      });
      // Moved to a worker, the bytes are gone.
      await inspection.gate(new Uint8Array(mail));
      const at = new Date().toISOString();
      const facts = await inspection.facts({ receivedAt: at, expiresAt: at });
      if (facts === 'lost') throw new Error('the worker was lost');
      const { score, authentication } = makeReport(facts, at);
      const took = performance.now() - begin;
      inspection.end();
      if (authentication.dmarc.result !== 'pass' || score === 0)
        throw new Error('The analysis does not authenticate the mail.');
      return took;
    },
    stop: () => reader.close(),
  };
}
