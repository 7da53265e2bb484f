/**
 * Runs the analysis of an email in this thread, as a worker would, and measures how long it takes.
 */

import { performance } from 'node:perf_hooks';
import { checkHost } from '../../../src/adapters/mailauth/check-host.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { createAnalyzeMail } from '../../../src/inspection/analyze-mail.ts';
import { createInspect } from '../../../src/inspection/inspect.ts';
import type { NewResolver } from '../../../src/ports/dns.ts';
import type { GuardedFetch } from '../../../src/ports/web.ts';
import { SENDER } from '../../environment/sender.ts';
import { inSlice, readHere } from './inspection-environment.ts';

const TEST = { testId: 'benchmark234', mailDomain: 'in.example.net' };

/** The recipient of the emails. */
export const RECIPIENT = `${TEST.testId}@${TEST.mailDomain}`;

const { domain, host, ip } = SENDER;

// The sender in the measurements publishes nothing that would be fetched.
const noFetch: GuardedFetch = async () => ({
  status: 'failed',
  fault: 'ours',
  reason: 'not in this measurement',
});

/**
 * Creates the analysis as a worker composes it, in this thread: from the bytes of an email to those of its
 * report.
 */
export function createAnalysis(newResolver: NewResolver, fetch = noFetch) {
  const inspect = createInspect({
    checkHost,
    newResolver,
    beginReading: readHere,
    checkCertificate: async () => null,
    fetch,
    webRisk: { configured: false, lookUpHosts: async () => ({}) },
    clock: Date.now,
    refusalBlocklists: ['psbl.surriel.com'],
    dnsbls: [],
  });
  const start = createAnalyzeMail({ inspect, clock: Date.now, inSlice, mark: () => {} });

  async function analyzeWhole(mail: Uint8Array) {
    const tls = { status: 'tls', version: 'TLSv1.3', cipher: null } as const;
    const analyzed = await start({
      ...TEST,
      client: { ip, helo: host, source: 'smtp', tls },
      from: { localPart: 'orders', domain, smtputf8: false },
      digest: '',
      // The analysis overwrites the bytes that it has read, so it gets a copy.
      bytes: new Uint8Array(mail),
    });
    const at = new Date().toISOString();
    const made = await analyzed.report({ receivedAt: at, expiresAt: at });
    analyzed.end();
    if (made === 'lost') throw new Error('the email could not be read');
    return { ...made, gate: analyzed.gate };
  }
  return {
    /** Processes one email from the envelope to the report. */
    report: async (mail: Uint8Array) =>
      JSON.parse(new TextDecoder().decode((await analyzeWhole(mail)).json)) as Report,
    /** Returns how long the report of a correct email takes, in milliseconds. */
    async analyze(mail: Buffer): Promise<number> {
      const begin = performance.now();
      const { gate, score } = await analyzeWhole(mail);
      const took = performance.now() - begin;
      if (gate.reasons.length > 0 || score === 0)
        throw new Error('The analysis does not authenticate the email.');
      return took;
    },
  };
}
