import { createHash } from 'node:crypto';
import { checkHost } from '../../../src/adapters/mailauth/check-host.ts';
import { judgeGate } from '../../../src/analysis/gate.ts';
import { providers } from '../../../src/analysis/provider/providers.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { createInspect } from '../../../src/inspection/inspect.ts';
import { ARRIVAL, about, readHere } from '../../support/mail/inspection-environment.ts';
import { resolverOf } from '../conformance/zone-resolver.ts';
import type { GoldenMail } from './mails.ts';

const EXPIRES = '2026-11-21T10:00:05.000Z';

/** Returns the gate's reasons and the report of one email, as JSON. */
export async function goldenReport({ make, ask }: GoldenMail): Promise<string> {
  const resolver = resolverOf(ask);
  const inspect = createInspect({
    checkHost,
    newResolver: () => resolver,
    beginReading: readHere,
    fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'no network here' }),
    checkCertificate: async () => null,
    webRisk: { configured: false, lookUpHosts: async () => ({}) },
    clock: () => Date.parse(ARRIVAL),
    refusalBlocklists: ['psbl.surriel.com'],
    dnsbls: [],
  });
  const mail = new Uint8Array(make());
  const block = providers.cloudflare(mail, { from: 'bounce@example.com', to: 'a@in.example.net' });
  const inspected = await inspect(about).read(mail, block ?? undefined);
  const reasons = judgeGate(inspected.gate);
  const facts = await inspected.facts({ receivedAt: ARRIVAL, expiresAt: EXPIRES });
  inspected.end();
  if (facts === 'lost') return 'lost';
  return JSON.stringify({ reasons, report: makeReport(facts, ARRIVAL) });
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
