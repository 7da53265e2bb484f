import { createHash } from 'node:crypto';
import { judgeGate } from '../../../src/analysis/gate.ts';
import { createInputGuard } from '../../../src/analysis/mail/input-guard.ts';
import { readMail } from '../../../src/analysis/mail/read-mail.ts';
import { readBlock } from '../../../src/analysis/provider/read-block.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { createInspect } from '../../../src/inspection/inspect.ts';
import type { ReadInWorker } from '../../../src/ports/reading.ts';
import { ARRIVAL, about } from '../../support/mail/inspection-environment.ts';
import { verifyMail } from '../../support/mail/verify-mail.ts';
import { resolverOf } from '../conformance/zone-resolver.ts';
import type { GoldenMail } from './mails.ts';

const EXPIRES = '2026-11-21T10:00:05.000Z';

/** As the worker reads, but in this thread. */
const readHere: ReadInWorker = (mail, job, resolver) => {
  const guard = createInputGuard();
  guard.push(mail.subarray(job.ownFrom));
  const authentication = guard.result().bodyLineTooLong
    ? Promise.resolve({
        signatures: [],
        arc: {
          status: 'unknown' as const,
          error: 'arc: not evaluated: a body line is over 1 MiB',
        },
        sealVerified: null,
        bodyLineTooLong: true,
      })
    : verifyMail(mail, job, resolver.ask).catch(() => null);
  const content = authentication.then(() => readMail(mail.subarray(job.ownFrom), job.context));
  return { begun: Promise.resolve(true), authentication, content, stop: () => {} };
};

/** The gate's reasons and the report of one mail, as JSON. */
export async function goldenReport({ make, ask }: GoldenMail): Promise<string> {
  const resolver = resolverOf(ask);
  const inspect = createInspect({
    newResolver: () => resolver,
    readInWorker: readHere,
    fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'no network here' }),
    checkCertificate: async () => null,
    webRisk: { configured: false, lookUpHosts: async () => ({}) },
    clock: () => Date.parse(ARRIVAL),
    refusalBlocklists: ['psbl.surriel.com'],
    dnsbls: [],
  });
  const mail = new Uint8Array(make());
  const block = readBlock(mail, { from: 'bounce@example.com', to: 'a@in.example.net' });
  const inspected = await inspect(about).read(mail, block ?? undefined);
  const reasons = judgeGate(inspected.gate, { dmarcRefusePolicies: ['reject', 'quarantine'] });
  const facts = await inspected.facts({ receivedAt: ARRIVAL, expiresAt: EXPIRES });
  inspected.end();
  if (facts === 'lost') return 'lost';
  return JSON.stringify({ reasons, report: makeReport(facts, ARRIVAL) });
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
